const opaquePart = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")

/**
 * Whether a list of entity tags names this one, by the weak comparison of RFC 9110, 8.8.3.2. Tags without quotes, which
 * some clients send, count as well.
 */
export const listsTag = (tags: string, tag: string): boolean =>
  tag !== "" && tags !== "" && (tags === tag || tags.split(",").some((each) => opaquePart(each) === tag))

/** Whether a field `If-None-Match` names the tag. `*` names every tag: the caller has some version (RFC 9110, 13.1.2). */
export const noneMatchNames = (field: string, tag: string): boolean =>
  tag !== "" && (field.trim() === "*" || listsTag(field, tag))

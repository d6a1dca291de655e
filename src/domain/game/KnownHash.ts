/** The ways in which a caller may say which version it has: `?hash=`, `If-None-Match` and `knownHash` of a body. */
export interface KnownHash {
  readonly hash?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly knownHash?: string | undefined
}

const bare = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^"(.*)"$/, "$1")

const names = (sent: string | undefined, hash: string): boolean =>
  sent !== undefined && (sent === hash || sent.split(",").some((tag) => bare(tag) === hash))

/** Whether the caller has this very version. Tags may be quoted, weak and several; `*` names no version, nor does an empty text. */
export const isKnown = (hash: string, { hash: asked, ifNoneMatch, knownHash }: KnownHash): boolean =>
  hash !== "" && (names(asked, hash) || names(ifNoneMatch, hash) || names(knownHash, hash))

interface Issue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const missing = "is missing"

const isWithin = (inner: Issue, outer: Issue): boolean =>
  inner.path.length > outer.path.length && outer.path.every((key, at) => key === inner.path[at])

const listed = (all: ReadonlyArray<string>): string =>
  all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1) ?? ""}`

/**
 * The issues that tell an author what to do. Where a value may be one of several things, the schema of each reports an issue, although
 * one thing was meant: the issues within the value come before one about the whole of it, and a missing field counts only where all the
 * issues within are missing fields.
 */
const meant = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> =>
  issues.filter((issue) => {
    if (issues.some((other) => isWithin(other, issue))) return false
    const around = issues.find((other) => isWithin(issue, other))
    if (around === undefined || issue.message !== missing) return true
    return issues.every((other) => !isWithin(other, around) || other.message === missing)
  })

const expectation = /^Expected (.+), actual (.+)$/s

/** What is wrong at one place, in one line. */
const lineOf = (path: string, messages: ReadonlyArray<string>): string => {
  const found = messages.map((message) => expectation.exec(message))
  // That a field may be left out helps nobody who has written it.
  const expected = new Set(found.flatMap((match) => (match?.[1] === undefined ? [] : [match[1]])))
  if (expected.size > 1) expected.delete("undefined")
  const others = messages.filter((_, at) => found[at] === null)
  const actual = found.find((match) => match !== null)?.[2]
  const all = [...(actual === undefined ? [] : [`expected ${listed([...expected])}, and not ${actual}`]), ...others]
  return path === "" ? all.join(", ") : `${path}: ${all.join(", ")}`
}

/** What is wrong with a mapping, one line for each field. */
export const mappingProblems = (issues: ReadonlyArray<Issue>): ReadonlyArray<string> => {
  const byPath = new Map<string, Array<string>>()
  for (const { path, message } of meant(issues)) {
    const place = path.map(String).join(".")
    byPath.set(place, [...(byPath.get(place) ?? []), message])
  }
  return [...byPath].map(([path, messages]) => lineOf(path, messages))
}

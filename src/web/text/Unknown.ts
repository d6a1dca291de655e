interface Named {
  readonly id: number
  readonly name: string
}

/** What is chosen and is none of those that are known, by its number: it was removed, or may not be seen. Whoever sees it can take it out. */
export const unknownAmong = (
  chosen: Iterable<number>,
  known: ReadonlyArray<Named>,
  what: string
): ReadonlyArray<Named> =>
  [...chosen].filter((id) => !known.some((each) => each.id === id)).map((id) => ({ id, name: `${what} ${id}` }))

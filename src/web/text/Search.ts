/** Whether one of a row's texts, or all of them one after the other, have what somebody searches for, in any case. */
export const isFound = (search: string, ...texts: ReadonlyArray<string | null | undefined>): boolean =>
  texts
    .map((text) => text ?? "")
    .join(" ")
    .toLowerCase()
    .includes(search.trim().toLowerCase())

/** Turns search parameters into the state of a page and back. What is the default is left out of the address. */
export interface Codec<State> {
  readonly read: (parameters: URLSearchParams) => State
  readonly write: (state: State) => URLSearchParams
}

/** Search parameters as people read them: `:`, `,` and `|` need no escape in a query. */
export const readable = (parameters: URLSearchParams): string => {
  const text = parameters
    .toString()
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%7C", "|")
    .replaceAll("%24", "$")
  return text === "" ? "" : `?${text}`
}

import { wellFormed } from "../ingest/Text.ts"

/** An id as markers carry it: numbers in decimal. */
export const unitIdText = (id: string | number): string => (typeof id === "number" ? String(id + 0) : wellFormed(id))

/** Ids as markers carry them, each once, in the order given. */
export const unitIdTexts = (ids: ReadonlyArray<string | number>): ReadonlyArray<string> => [
  ...new Set(ids.map(unitIdText))
]

import { wellFormed } from "../ingest/Text.ts"

/** The id as markers carry it: a number by its decimal text. */
export const unitIdText = (id: string | number): string => (typeof id === "number" ? String(id + 0) : wellFormed(id))

/** The ids as markers carry them, each once, in their order. */
export const unitIdTexts = (ids: ReadonlyArray<string | number>): ReadonlyArray<string> => [
  ...new Set(ids.map(unitIdText))
]

import { wellFormed } from "../ingest/Text.ts"

/** An id as markers carry it: numbers in decimal. */
export const unitIdText = (id: string | number): string => (typeof id === "number" ? String(id + 0) : wellFormed(id))

/** Ids as markers carry them, each once, in the order given. */
export const unitIdTexts = (ids: ReadonlyArray<string | number>): ReadonlyArray<string> => [
  ...new Set(ids.map(unitIdText))
]

/** Ids of one step: to tell 90,000 apart takes tens of milliseconds. */
const idsPerStep = 5_000

/** The same in steps, so that others may have a turn in between. */
export function* unitIdTextSteps(ids: ReadonlyArray<string | number>): Generator<undefined, ReadonlyArray<string>> {
  const texts = new Set<string>()
  for (const [at, id] of ids.entries()) {
    if (at > 0 && at % idsPerStep === 0) yield undefined
    texts.add(unitIdText(id))
  }
  return [...texts]
}

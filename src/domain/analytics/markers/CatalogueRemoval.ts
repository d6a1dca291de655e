import { dataTypes } from "../question/Question.ts"
import type { NameFacts } from "./Catalogue.ts"

/**
 * Takes what some markers said of a name from what all markers said of it. A value that no other marker has goes, with its first sight;
 * counts of values that were never all kept may have been less than those that are taken. Answers whether any marker is left that has the name.
 */
export const takeFrom = (facts: NameFacts, gone: NameFacts): boolean => {
  for (const kind of dataTypes) facts.kinds[kind] = Math.max(0, facts.kinds[kind] - gone.kinds[kind])
  for (const [value, count] of gone.values) {
    const left = (facts.values.get(value) ?? 0) - count
    if (left > 0) {
      facts.values.set(value, left)
      continue
    }
    facts.values.delete(value)
    facts.firstSights?.delete(value)
  }
  return dataTypes.some((kind) => facts.kinds[kind] > 0)
}

import { dayMillis } from "../../Durations.ts"

/** Before so long no pace can be told: the first hours of a day are not like the whole. */
const shortest = dayMillis

/**
 * Whole days until the smallest of these groups has `unitsPerGroup` exposed units, if they go on coming as fast as in the `elapsed` ms since
 * the first exposure. 0 once it has them; null while no number is wanted, nobody has come, or less than a day has passed.
 */
export const daysToGo = (
  exposures: ReadonlyArray<number>,
  elapsed: number,
  unitsPerGroup: number | null
): number | null => {
  if (unitsPerGroup === null || exposures.length === 0) return null
  const smallest = Math.min(...exposures)
  if (smallest >= unitsPerGroup) return 0
  if (smallest === 0 || elapsed < shortest) return null
  return Math.ceil((unitsPerGroup - smallest) / (smallest / (elapsed / dayMillis)))
}

import { dayMillis } from "../../Durations.ts"

/** Before so long no pace can be told: the first hours of a day are not like the whole. */
const shortest = dayMillis

/** The number if it is a whole one below 2^53, else null: what is computed from an effect near 0 may be of any size. */
export const countOrNull = (count: number): number | null => (Number.isSafeInteger(count) ? count : null)

/** Days of which the pace is taken where a number of units lies beyond all days that are known. */
const recent = 7

/**
 * Whole days until so many units have come, if they come as they did on the days of `unitsByDay`: the units that came first on each, whole
 * days only. Beyond these it goes on as on the last seven; null where nobody came on them.
 */
export const daysUntil = (unitsByDay: ReadonlyArray<number>, units: number): number | null => {
  let met = 0
  for (const [day, count] of unitsByDay.entries()) {
    met += count
    if (met >= units) return day + 1
  }
  const last = unitsByDay.slice(-recent)
  const pace = last.reduce((sum, count) => sum + count, 0) / Math.max(1, last.length)
  return pace === 0 ? null : unitsByDay.length + Math.ceil((units - met) / pace)
}

/**
 * Whole days until the smallest of these groups has `unitsPerGroup` exposed units, if they go on coming as fast as in the `elapsed` ms since
 * the first exposure. 0 once it has them; null while no number is wanted, nobody has come, less than a day has passed, or where no whole
 * number is that large.
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
  return countOrNull(Math.ceil((unitsPerGroup - smallest) / (smallest / (elapsed / dayMillis))))
}

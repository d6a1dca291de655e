import { dayMillis } from "../Durations.ts"

/** Markers of one environment that a damaged file no longer holds, or values that were taken from markers which stay. */
export interface Loss {
  readonly environmentId: number
  /** The arguments, properties or other parts that markers have lost; empty: the markers themselves are gone. */
  readonly parts: ReadonlyArray<string>
  /** Null: of several types, or it is not known of which. */
  readonly type: string | null
  /** Epoch milliseconds of the first and the last of them, or bounds of these; null where nothing is known. */
  readonly from: number | null
  readonly to: number | null
  readonly markers: number
  /** False: there may be fewer, because retention or an erasure has removed some of them before. */
  readonly isExact: boolean
}

/** What became of one table. */
export interface SalvagedTable {
  readonly name: string
  readonly rows: number
  /** Pages that could not be read, which held a number of rows that is not known. */
  readonly lostPages: number
  readonly lostRows: number
}

/** What a repair has found, kept and lost. */
export interface SalvageReport {
  readonly environments: ReadonlyArray<{ readonly environmentId: number; readonly markers: number }>
  readonly losses: ReadonlyArray<Loss>
  readonly metadata: ReadonlyArray<SalvagedTable>
  readonly events: ReadonlyArray<SalvagedTable>
  /** What else is lost, a sentence each. */
  readonly notes: ReadonlyArray<string>
  /** Files without checksums of their pages, as they are after a restore: what was changed in them without a trace is nowhere told as lost. */
  readonly withoutSums: ReadonlyArray<string>
}

export const isWhole = ({ lostPages, lostRows }: SalvagedTable): boolean => lostPages + lostRows === 0

/** Whether everything that the damaged folder held, as far as its files tell, is in the new one. */
export const isLossless = ({ losses, metadata, events, notes }: SalvageReport): boolean =>
  losses.length === 0 && notes.length === 0 && metadata.every(isWhole) && events.every(isWhole)

/** How many markers of each type were counted on each UTC day (numbered since 1970). */
export type DayCounts = ReadonlyMap<string, ReadonlyMap<number, number>>

const countOn = (counts: DayCounts, type: string, day: number): number => counts.get(type)?.get(day) ?? 0

/** The markers that are counted in `before` and not in `after`: types and days in order. */
export const missingByDay = (
  before: DayCounts,
  after: DayCounts
): ReadonlyArray<{ readonly type: string; readonly day: number; readonly markers: number }> =>
  [...before]
    .flatMap(([type, days]) =>
      [...days].map(([day, markers]) => ({ type, day, markers: markers - countOn(after, type, day) }))
    )
    .filter(({ markers }) => markers > 0)
    .toSorted((a, b) => (a.type === b.type ? a.day - b.day : a.type < b.type ? -1 : 1))

const totalOf = (counts: DayCounts): number =>
  [...counts.values()].reduce((sum, days) => [...days.values()].reduce((all, count) => all + count, sum), 0)

/** What is known of an environment before and after. */
interface Account {
  readonly environmentId: number
  /** The highest sequence that was ever given, as far as that is known. */
  readonly highest: number
  /** The first sequence that was not sealed, as the file said it. */
  readonly unsealed: number
  readonly before: DayCounts
  readonly after: DayCounts
  /** Markers that are in the new file. */
  readonly kept: number
  readonly keptSealed: number
  /** Whether retention or an erasure has removed markers. */
  readonly isThinned: boolean
}

/**
 * The markers of an environment that are gone. Where its catalogue is whole and nothing was ever removed, the catalogue tells them by type
 * and day; else the segments that were lost do, and what no segment tells of is a number alone.
 */
export const goneFrom = (account: Account, fromSegments: ReadonlyArray<Loss>): ReadonlyArray<Loss> => {
  const { environmentId, highest, unsealed, before, after, kept, keptSealed, isThinned } = account
  const isComplete = !isThinned && totalOf(before) === unsealed - 1
  const sealed: ReadonlyArray<Loss> = isComplete
    ? missingByDay(before, after).map(({ type, day, markers }) => ({
        environmentId,
        parts: [],
        type,
        from: day * dayMillis,
        to: (day + 1) * dayMillis - 1,
        markers,
        isExact: true
      }))
    : fromSegments
  const told = isComplete ? unsealed - 1 - keptSealed : fromSegments.reduce((sum, { markers }) => sum + markers, 0)
  const rest = highest - kept - told
  if (rest <= 0) return sealed
  return [...sealed, { environmentId, parts: [], type: null, from: null, to: null, markers: rest, isExact: !isThinned }]
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)

const time = (instant: number): string => new Date(instant).toISOString()

const spanOf = ({ from, to }: Loss): string => {
  if (from === null && to === null) return "at times that are not known"
  if (from === null || to === null) return from === null ? `until ${time(to ?? 0)}` : `from ${time(from)} on`
  return from === to ? `of ${time(from)}` : `between ${time(from)} and ${time(to)}`
}

/** What an operator has to know of a file that nothing but its contents speaks for. */
export const describeUnseen = (file: string): string =>
  `${file} has no checksums of its pages, as after a restore: what was changed without a trace is kept as it is`

/** A loss as a line for the operator. */
export const describeLoss = (loss: Loss): string => {
  const { environmentId, parts, type, markers, isExact } = loss
  const kind = type === null ? "of types that are not known" : `of type ${type}`
  const which = `${isExact ? "" : "up to "}${counted(markers, "marker", "markers")} ${kind} ${spanOf(loss)}`
  return parts.length === 0
    ? `Environment ${environmentId}: ${which} are lost`
    : `Environment ${environmentId}: ${which} stay without what they held as ${parts.join(", ")}`
}

/** A table of which something is lost, as a line for the operator. */
export const describeTable = (file: string, { name, rows, lostPages, lostRows }: SalvagedTable): string => {
  const lost = [
    ...(lostPages > 0 ? [`${counted(lostPages, "page", "pages")} of it cannot be read`] : []),
    ...(lostRows > 0
      ? [`${counted(lostRows, "row of it is", "rows of it are")} not whole, or of what is lost elsewhere`]
      : [])
  ]
  return `${file}: ${name} keeps ${counted(rows, "row", "rows")}; ${lost.join(" and ")}`
}

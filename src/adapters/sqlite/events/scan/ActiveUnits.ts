import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { Filter } from "../../../../domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../../domain/analytics/filter/Selector.ts"
import { hourMillis } from "../../../../domain/Durations.ts"
import type { Activity } from "../file/Activity.ts"
import { select, Wanted } from "../read/Selection.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { addUnits, noUnits, onlyFirst, type UnitBits } from "./UnitBits.ts"

/** Each range cut to the other; those outside become empty. */
export const clipped = (ranges: ReadonlyArray<TimeSpan>, { from, to }: TimeSpan): ReadonlyArray<TimeSpan> =>
  ranges.map((range) => ({ from: Math.max(range.from, from), to: Math.max(range.from, from, Math.min(range.to, to)) }))

const isAnyMarker = ({ types }: Activity, { types: wanted, filter }: Selector, all: Filter): boolean => {
  const selected = new Set(wanted)
  return filter.conditions.length === 0 && all.conditions.length === 0 && types.every((type) => selected.has(type))
}

const addBlock = (
  block: RowBlock,
  wanted: Wanted,
  ranges: ReadonlyArray<TimeSpan>,
  sets: ReadonlyArray<UnitBits>,
  { control, membership }: Snapshot
): void => {
  const hull = {
    from: ranges.reduce((least, { from }) => Math.min(least, from), Infinity),
    to: ranges.reduce((most, { to }) => Math.max(most, to), -Infinity)
  }
  const selection = select(block, wanted, hull, membership)
  if (selection === null) return
  control.advance(block.rows)
  addUnits([selection], ranges, sets)
}

/**
 * The end of the hour in which a range ends, if no sealed marker lies between the two, as with ranges that end now. Otherwise the end
 * itself, which stored hours cannot answer.
 */
const wholeHour = (to: number, sealed: ReadonlyArray<RowBlock>): number => {
  const end = Number.isFinite(to) ? Math.ceil(to / hourMillis) * hourMillis : to
  return sealed.some(({ firstTimestamp, lastTimestamp }) => lastTimestamp >= to && firstTimestamp < end) ? to : end
}

/**
 * The units with a marker in each range, from the activity stored at sealing, plus a scan of what it does not cover
 * (tail, retention edge). Null when activity cannot answer: a filter or a choice of types applies, or a range begins within
 * an hour, or ends within one that has later markers.
 */
export const activeUnits = (
  snapshot: Snapshot,
  selector: Selector,
  filter: Filter,
  ranges: ReadonlyArray<TimeSpan>
): ReadonlyArray<UnitBits> | null => {
  const { environment } = snapshot
  const activity = environment.activity()
  if (activity === null || !isAnyMarker(activity, selector, filter)) return null
  const { completeFrom } = activity
  const sets = ranges.map(() => noUnits(environment.units))
  const hourly = (to: number): number => (to % hourMillis === 0 ? to : wholeHour(to, environment.sealed))
  for (const [index, { from, to }] of ranges.entries())
    if (!activity.unite({ from: Math.max(from, completeFrom), to: hourly(to) }, sets[index]!)) return null
  const wanted = new Wanted(selector.types, [])
  for (const block of environment.tail) addBlock(block, wanted, ranges, sets, snapshot)
  const before = ranges.map(({ from, to }) => ({ from, to: Math.min(to, completeFrom) }))
  for (const block of environment.sealed)
    if (block.firstTimestamp < completeFrom) addBlock(block, wanted, before, sets, snapshot)
  return sets
}

/**
 * The units whose very first marker is in each range. Ranges must follow each other without a gap; null as for
 * `activeUnits`.
 */
export const newUnits = (
  snapshot: Snapshot,
  selector: Selector,
  filter: Filter,
  ranges: ReadonlyArray<TimeSpan>
): ReadonlyArray<UnitBits> | null => {
  const [first] = ranges
  if (first === undefined) return null
  const sets = activeUnits(snapshot, selector, filter, [{ from: -Infinity, to: first.from }, ...ranges])
  if (sets === null) return null
  onlyFirst(sets)
  return sets.slice(1)
}

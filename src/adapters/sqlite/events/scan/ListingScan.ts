import type { StoredEvent } from "../../../../domain/analytics/markers/Event.ts"
import type { ListingAnswer, ListingPlan } from "../../../../domain/analytics/question/Question.ts"
import { type Selection, select, selectOfUnit, Wanted } from "../read/Selection.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { leavesOut } from "../read/BlocksOfUnit.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { eventsOf } from "../file/StoredSegments.ts"

interface Found {
  readonly block: RowBlock
  readonly row: number
  readonly time: number
  readonly sequence: number
}

const newestFirst = (a: Found, b: Found): number => b.time - a.time || b.sequence - a.sequence

/** One block's newest rows that the page may list, at most `limit`, newest first. */
const newest = (selection: Selection, plan: ListingPlan, asOf: number, limit: number): Array<Found> => {
  const { block, rows, from, to } = selection
  const picked = rows?.subarray(from, to)
  const [times, sequences] =
    picked === undefined ? [block.times(), block.sequences()] : [block.timesAt(picked), block.sequencesAt(picked)]
  const found: Array<Found> = []
  const { after } = plan
  for (let place = to - 1; place >= from && found.length < limit; place--) {
    const row = rows === null ? place : rows[place]!
    const at = rows === null ? place : place - from
    const [time, sequence] = [times[at]!, sequences[at]!]
    if (sequence > asOf) continue
    if (after !== null && (time > after.timestamp || (time === after.timestamp && sequence >= after.sequence))) continue
    found.push({ block, row, time, sequence })
  }
  return found
}

const eventsAt = (found: ReadonlyArray<Found>, snapshot: Snapshot): ReadonlyArray<StoredEvent> => {
  const names = snapshot.environment.names(found.map(({ sequence }) => sequence))
  const events = new Map<number, StoredEvent>()
  for (const block of new Set(found.map((row) => row.block))) {
    const rows = found.filter((row) => row.block === block).map(({ row }) => row)
    for (const event of eventsOf(block, rows, names)) events.set(event.sequence, event)
  }
  return found.map(({ sequence }) => events.get(sequence)!)
}

/**
 * Lists markers, newest first. Blocks are visited from the newest on, and only until the rest cannot hold newer rows.
 */
export const scanListing = (plan: ListingPlan, snapshot: Snapshot): ListingAnswer => {
  const { environment, control } = snapshot
  const asOf = plan.after?.asOf ?? environment.highestSequence
  const unit = plan.unitId === null ? null : environment.unitId(plan.unitId)
  if (unit === undefined) return { items: [], next: null }
  const to = plan.after === null ? plan.range.to : Math.min(plan.range.to, plan.after.timestamp + 1)
  const range = { from: plan.range.from, to }
  const wanted = new Wanted(plan.types, [plan.filter])
  const isLeftOut = unit === null ? () => false : leavesOut(snapshot, unit)
  let found: Array<Found> = []
  for (const block of environment.blocks.toSorted((a, b) => b.lastTimestamp - a.lastTimestamp)) {
    const last = found[plan.limit]
    if (last !== undefined && block.lastTimestamp < last.time) break
    if (isLeftOut(block)) continue
    const selection =
      unit === null
        ? select(block, wanted, range, snapshot.membership)
        : selectOfUnit(block, unit, wanted, range, snapshot.membership)
    control.advance(block.rows)
    if (selection === null) continue
    const own = newest(selection, plan, asOf, plan.limit + 1)
    found = [...found, ...own].sort(newestFirst).slice(0, plan.limit + 1)
  }
  const shown = found.slice(0, plan.limit)
  const last = shown.at(-1)
  const items = eventsAt(shown, snapshot)
  if (found.length <= plan.limit || last === undefined) return { items, next: null }
  return { items, next: { timestamp: last.time, sequence: last.sequence, asOf } }
}

import type { Range } from "../../../../domain/analytics/time/Buckets.ts"
import type { StoredEvent } from "../../../../domain/analytics/markers/Event.ts"
import { everything } from "../../../../domain/analytics/filter/Filter.ts"
import {
  type GroupedCells,
  retentionAnswer,
  retentionRows,
  unitCells
} from "../../../../domain/analytics/retention/Retention.ts"
import type { RetentionAnswer, RetentionPlan } from "../../../../domain/analytics/retention/RetentionPlan.ts"
import { whole } from "../../../../domain/analytics/filter/Breakdown.ts"
import { returnRange } from "../../../../domain/analytics/retention/RetentionCells.ts"
import { activeUnits, newUnits } from "./ActiveUnits.ts"
import { firstRows } from "./FirstRows.ts"
import { PartialEvents } from "./PartialEvents.ts"
import { RetentionBits } from "./RetentionBits.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { addUnits, noUnits, type UnitBits } from "./UnitBits.ts"
import { type Mark, UnitRows } from "./UnitRows.ts"

const always: Range = { from: -Infinity, to: Infinity }
const bit = { start: 1, return: 2 } as const
const typeOf = ["other", "start", "return", "both"] as const

const hull = ({ periods: { boundaries } }: RetentionPlan): Range => ({
  from: boundaries[0]!,
  to: boundaries[boundaries.length - 1]!
})

const startsOf = (plan: RetentionPlan, snapshot: Snapshot): Array<Selection> =>
  snapshot.selectBy(plan.start, plan.filter, plan.startMode === "firstTime" ? always : hull(plan))

const setsOf = (selections: ReadonlyArray<Selection>, ranges: ReadonlyArray<Range>, units: number) => {
  const sets = ranges.map(() => noUnits(units))
  addUnits(selections, ranges, sets)
  return sets
}

const startSets = (plan: RetentionPlan, snapshot: Snapshot, ranges: ReadonlyArray<Range>): ReadonlyArray<UnitBits> => {
  const { units } = snapshot.environment
  const known =
    plan.startMode === "firstTime"
      ? newUnits(snapshot, plan.start, plan.filter, ranges)
      : activeUnits(snapshot, plan.start, plan.filter, ranges)
  if (known !== null) return known
  const begun = startsOf(plan, snapshot)
  return setsOf(plan.startMode === "firstTime" ? firstRows(begun, units, hull(plan)) : begun, ranges, units)
}

/** Answers calendar periods without groups from bitmaps: one bit for each unit and period. */
const scanPeriods = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer => {
  const { boundaries } = plan.periods
  snapshot.control.selections(2)
  const ranges = boundaries.slice(1).map((to, period) => ({ from: boundaries[period]!, to }))
  const returns =
    activeUnits(snapshot, plan.return, plan.filter, ranges) ??
    setsOf(snapshot.selectBy(plan.return, plan.filter, hull(plan)), ranges, snapshot.environment.units)
  const bits = new RetentionBits(startSets(plan, snapshot, ranges), returns)
  const { sizes, counts } = bits.count(plan)
  return { series: [{ group: whole, rows: retentionRows(plan, sizes, counts) }] }
}

const marksOf = (plan: RetentionPlan, snapshot: Snapshot): Array<Mark> => {
  const marks: Array<Mark> = []
  snapshot.control.selections(2)
  for (const selection of startsOf(plan, snapshot)) marks.push({ selection, bits: bit.start, others: 0 })
  for (const selection of snapshot.selectBy(plan.return, plan.filter, returnRange(plan)))
    marks.push({ selection, bits: bit.return, others: 0 })
  if (plan.breakdowns.some(({ source }) => source === "property"))
    for (const selection of snapshot.selectAll(null, [], always)) marks.push({ selection, bits: 0, others: 0 })
  return marks
}

/** Answers every other retention question unit by unit, through the domain's pure function. */
const scanUnits = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer => {
  const rows = new UnitRows(marksOf(plan, snapshot), snapshot.environment.units, { sequences: true, rows: true })
  const events = new PartialEvents(rows, plan.breakdowns)
  const cellsOf = unitCells({
    ...plan,
    start: { types: ["start", "both"], filter: everything },
    return: { types: ["return", "both"], filter: everything },
    filter: everything
  })
  const results: Array<GroupedCells> = []
  rows.each((unit, track) => {
    const unitId = snapshot.environment.unitName(unit) ?? ""
    const own = events
      .of(unitId, track)
      .map((event, at): StoredEvent => Object.assign(event, { type: typeOf[track.steps[at]!] }))
    for (const cells of cellsOf(unitId, own)) results.push(cells)
  }, snapshot.control)
  return retentionAnswer(plan, results)
}

/** Answers a retention question by scanning columns. Equals the domain's pure function over the same markers. */
export const scanRetention = (plan: RetentionPlan, snapshot: Snapshot): RetentionAnswer =>
  plan.window === "calendar" && plan.minimumOccurrences === 1 && plan.breakdowns.length === 0
    ? scanPeriods(plan, snapshot)
    : scanUnits(plan, snapshot)

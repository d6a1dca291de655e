import { groupTest } from "../../../../domain/analytics/filter/ChosenGroup.ts"
import type { Measure } from "../../../../domain/analytics/insight/InsightPlan.ts"
import {
  countedArgument,
  countsSessions,
  insightSpan,
  type InsightUnitsPlan,
  readsSessions,
  unitValue
} from "../../../../domain/analytics/insight/InsightUnits.ts"
import { noUnits, type UnitList } from "../../../../domain/analytics/question/UnitList.ts"
import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import { Places, type Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import type { RowGroups } from "./Grid.ts"
import { Grouper } from "./Grouper.ts"
import { selectionsOf, shownGroups } from "./InsightScan.ts"
import { UnitTally } from "../read/UnitTally.ts"

const within = (selection: Selection, { from, to }: TimeSpan): Selection => {
  const places = new Places(selection)
  const first = places.at(from)
  return { ...selection, from: first, to: Math.max(first, places.at(to)) }
}

/** The rows that the chosen number counts, apart from those without the number or session that its measure reads. */
const chosenRows = (plan: InsightUnitsPlan, snapshot: Snapshot): ReadonlyArray<Selection> => {
  const asked = plan.insight
  const metric = asked.metrics[plan.metric]
  if (metric === undefined) return []
  const span = insightSpan(plan, metric.measure)
  const selections = selectionsOf(asked, metric, snapshot).map((selection) => within(selection, span))
  if (asked.breakdowns.length === 0) return selections
  const grouper = new Grouper(asked.breakdowns, snapshot)
  const groups = selections.map((selection) => grouper.groupsOf(selection))
  const isChosen = groupTest(plan.group, () => shownGroups(asked, snapshot))
  const chosen = Uint8Array.from(grouper.groups, (values) => (isChosen(values) ? 1 : 0))
  return selections.map((selection, at) => ofGroups(selection, groups[at]!, chosen))
}

const ofGroups = (
  { block, rows, from, to }: Selection,
  { values, table }: RowGroups,
  chosen: Uint8Array
): Selection => {
  const kept = new Uint32Array(Math.max(0, to - from))
  let count = 0
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const group = table === null ? values[row]! : table[values[row]!]!
    if (group < 0 || chosen[group] === 0) continue
    kept[count++] = row
  }
  return { block, rows: kept, from: 0, to: count }
}

/** The numbers of the measure's argument, by row; null when the measure reads none. */
const numbersOf = (measure: Measure, { block }: Selection): Float64Array | null =>
  "argument" in measure ? numbersColumn(block.column(columnName.argument(measure.argument)), block.rows) : null

/** Calls `take` for each row that counts. */
const eachCounted = (
  measure: Measure,
  selection: Selection,
  take: (row: number, number: number, session: number) => void
): void => {
  const { block, rows, from, to } = selection
  const numbers = numbersOf(measure, selection)
  const needsNumber = countedArgument(measure) !== null
  const sessions = readsSessions(measure) ? block.sessions() : null
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const number = numbers === null ? NaN : numbers[row]!
    const session = sessions === null ? 0 : sessions[row]!
    if ((needsNumber && Number.isNaN(number)) || (countsSessions(measure) && session === 0)) continue
    take(row, number, session)
  }
}

/** What the units of one page hold, gathered in a second pass over the same rows. */
const gathered = (measure: Measure, selections: ReadonlyArray<Selection>, units: ReadonlySet<number>) => {
  const numbers = new Map([...units].map((unit) => [unit, new Array<number>()] as const))
  const sessions = new Map([...units].map((unit) => [unit, new Set<number>()] as const))
  for (const selection of selections) {
    const ids = selection.block.units()
    eachCounted(measure, selection, (row, number, session) => {
      const unit = ids[row]!
      if (!Number.isNaN(number)) numbers.get(unit)?.push(number)
      if (session !== 0) sessions.get(unit)?.add(session)
    })
  }
  return { numbers, sessions }
}

/** The units behind one number of an insight. Equals the domain's pure function over the same markers. */
export const scanInsightUnits = (plan: InsightUnitsPlan, snapshot: Snapshot): UnitList => {
  const metric = plan.insight.metrics[plan.metric]
  if (metric === undefined) return noUnits
  const { measure } = metric
  const selections = chosenRows(plan, snapshot)
  const totals = new UnitTally(snapshot.environment)
  for (const selection of selections) {
    const [ids, times] = [selection.block.units(), selection.block.times()]
    eachCounted(measure, selection, (row) => totals.add(ids[row]!, times[row]!))
  }
  const { total, units } = totals.page(plan)
  const isGathered = plan.values && ("argument" in measure || readsSessions(measure))
  const found = isGathered ? gathered(measure, selections, new Set(units.map(({ unit }) => unit))) : null
  const valueOf = (unit: number): number | null =>
    plan.values
      ? unitValue(measure, {
          markers: totals.counts[unit]!,
          sessions: found?.sessions.get(unit)?.size ?? 0,
          numbers: found?.numbers.get(unit) ?? []
        })
      : null
  return {
    units: units.map(({ unit, name }) => ({ unitId: name, value: valueOf(unit), lastAt: totals.last[unit]! })),
    total
  }
}

import type { FunnelPlan } from "../../../../domain/analytics/funnel/FunnelPlan.ts"
import { ExactTotals } from "../../../../domain/experiments/results/ExactTotals.ts"
import { IntervalTotals } from "../../../../domain/experiments/results/IntervalTotals.ts"
import { Roster } from "../../../../domain/experiments/results/Roster.ts"
import type {
  Amount,
  AmountMetric,
  FunnelMetric,
  ScorecardAnswer,
  ScorecardPlan
} from "../../../../domain/experiments/results/ScorecardPlan.ts"
import { isCounted } from "../../../../domain/experiments/results/UnitOutcome.ts"
import { columnName } from "../format/ColumnName.ts"
import { type Exposed, scanExposures } from "./ScorecardExposures.ts"
import { funnelRun, trackFunnel } from "../../../../domain/analytics/funnel/TrackFunnel.ts"
import { funnelMarks } from "./funnel/FunnelScan.ts"
import { GroupedTracks } from "../read/GroupedTracks.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import type { Selection } from "../read/Selection.ts"
import { ServerRowBlock } from "./ServerRowBlock.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import type { UnitTrack } from "../read/GatheredRows.ts"
import { type RowNumber, UnitRows } from "../read/UnitRows.ts"

type Add = (cell: number, values: ArrayLike<number>, hasPrior: boolean) => void

/** A unit's total of one amount after its exposure, and in the period before it. */
interface UnitAmounts {
  readonly after: Totals
  readonly before: Totals
}

/** The total of a unit. */
type Totals = Pick<ExactTotals, "total">

interface Scanned {
  readonly plan: ScorecardPlan
  readonly exposed: Exposed
  readonly snapshot: Snapshot
  /** Attributes the rows to the experiment's units: players as they are, or the servers that sent the rows. */
  readonly owned: (selection: Selection) => Selection
}

const ownership = ({ unitType }: ScorecardPlan, { environment }: Snapshot): Scanned["owned"] => {
  if (unitType === "user") return (selection) => selection
  const known = new Map<RowBlock, ServerRowBlock>()
  return (selection) => {
    const block = known.get(selection.block) ?? new ServerRowBlock(selection.block, environment)
    known.set(selection.block, block)
    return { ...selection, block }
  }
}

const addUp = (
  { block, rows, from, to }: Selection,
  { argument }: Amount,
  take: (unit: number, time: number, value: number) => void
): void => {
  const values = argument === null ? null : numbersColumn(block.column(columnName.argument(argument)), block.rows)
  const [times, ids] = [block.times(), block.units()]
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const value = values === null ? 1 : values[row]!
    if (!Number.isNaN(value)) take(ids[row]!, times[row]!, value)
  }
}

const scanAmount = (
  amount: Amount,
  { window, interval }: AmountMetric,
  { plan, exposed, snapshot, owned }: Scanned,
  hasPrior: Uint8Array
): UnitAmounts => {
  const { at, cells, first } = exposed
  const [whole, before] = [new ExactTotals(cells.length), new ExactTotals(cells.length)]
  const after = interval === undefined ? null : new IntervalTotals(interval)
  const range = { from: first - plan.priorLength, to: plan.range.to }
  for (const selection of snapshot.selectBy(amount.selector, amount.filter, range))
    addUp(owned(selection), amount, (unit, time, value) => {
      if (cells[unit]! < 0) return
      const since = time - at[unit]!
      if (since >= window.from && since < window.to) {
        if (after === null) whole.add(unit, value)
        else after.add(unit, since - window.from, value)
      }
      if (since >= 0 || since < -plan.priorLength) return
      before.add(unit, value)
      hasPrior[unit] = 1
    })
  return { after: after ?? whole, before }
}

const scanAmounts = (metric: AmountMetric, scanned: Scanned, add: Add): void => {
  const { plan, exposed } = scanned
  const { at, cells } = exposed
  const { window, atLeast } = metric
  const hasPrior = new Uint8Array(cells.length)
  const amounts = metric.amounts.map((amount) => scanAmount(amount, metric, scanned, hasPrior))
  const totals = [...amounts.map(({ after }) => after), ...amounts.map(({ before }) => before)]
  const values = new Float64Array(totals.length)
  for (let unit = 1; unit < cells.length; unit++) {
    if (cells[unit]! < 0 || !isCounted(window, at[unit]!, plan.asOf)) continue
    for (let index = 0; index < totals.length; index++) {
      const total = totals[index]!.total(unit)
      values[index] = atLeast === null ? total : total >= atLeast ? 1 : 0
    }
    add(cells[unit]!, values, hasPrior[unit] === 1)
  }
}

/** The part of a unit's track from its first exposure on. */
const since = (track: UnitTrack, exposedAt: number): UnitTrack => {
  let first = 0
  while (first < track.length && track.times[first]! < exposedAt) first++
  return {
    length: track.length - first,
    times: track.times.subarray(first),
    sequences: track.sequences.subarray(first),
    steps: track.steps.subarray(first),
    exclusions: track.exclusions.subarray(first),
    numbers: track.numbers.map((each) => each.subarray(first))
  }
}

/** How many steps the track of a unit has reached, whose rows have been numbered so. */
const reachedOf = (
  plan: FunnelPlan,
  rows: UnitRows,
  snapshot: Snapshot
): { readonly numberings: ReadonlyArray<RowNumber>; reached(track: UnitTrack): number } => {
  if (plan.holdConstant.length === 0) {
    const run = funnelRun(plan)
    return { numberings: [], reached: (track) => run(track, -Infinity, Infinity).reached }
  }
  const run = trackFunnel(plan)
  const tracks = new GroupedTracks(rows, [], plan.holdConstant, snapshot)
  return { numberings: tracks.numberings, reached: (track) => run(tracks.of(track)).reached }
}

const scanConversions = ({ funnel }: FunnelMetric, { plan, exposed, snapshot, owned }: Scanned, add: Add): void => {
  const { at, cells, first } = exposed
  const asked: FunnelPlan = { ...funnel, range: { from: first, to: plan.range.to }, overTime: null, breakdowns: [] }
  const marks = funnelMarks(asked, snapshot, asked.range).map((mark) => ({ ...mark, selection: owned(mark.selection) }))
  const rows = new UnitRows(marks, cells.length, { sequences: true }, snapshot.memory)
  const { numberings, reached } = reachedOf(asked, rows, snapshot)
  const isConverted = new Uint8Array(cells.length)
  rows.each(
    (unit, track) => {
      if (cells[unit]! >= 0 && reached(since(track, at[unit]!)) === funnel.steps.length) isConverted[unit] = 1
    },
    null,
    numberings
  )
  for (let unit = 1; unit < cells.length; unit++) if (cells[unit]! >= 0) add(cells[unit]!, [isConverted[unit]!], false)
}

/** Answers an experiment's scorecard by scanning columns. Equals the domain's pure function over the same markers. */
export const scanScorecard = (plan: ScorecardPlan, snapshot: Snapshot): ScorecardAnswer => {
  const roster = new Roster(plan)
  const exposed = scanExposures(plan, snapshot, roster)
  const scanned: Scanned = { plan, snapshot, exposed, owned: ownership(plan, snapshot) }
  return roster.answer((metric, add) => {
    if (exposed.first === Infinity) return
    if (metric.type === "funnel") scanConversions(metric, scanned, add)
    else scanAmounts(metric, scanned, add)
  })
}

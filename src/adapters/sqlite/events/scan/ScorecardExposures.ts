import type { Roster } from "../../../../domain/experiments/results/Roster.ts"
import { exposureType } from "../../../../domain/analytics/filter/Memberships.ts"
import type { ScorecardPlan } from "../../../../domain/experiments/results/ScorecardPlan.ts"
import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"

/** The units of an experiment, by unit number. */
export interface Exposed {
  /** First exposure (epoch ms). */
  readonly at: Float64Array
  /** The unit's cell in the roster; -1 for units that do not count. */
  readonly cells: Int32Array
  /** The earliest first exposure (epoch ms); Infinity when nobody was exposed. */
  readonly first: number
}

/** Collects first exposures. Among exposures of one unit the earliest counts; exposure to several groups is flagged. */
class Exposures {
  readonly at: Float64Array
  readonly groups: Int16Array
  readonly isMultiple: Uint8Array
  private readonly sequences: Float64Array
  private readonly plan: ScorecardPlan
  private readonly ordinals: ReadonlyMap<number, number>

  constructor(plan: ScorecardPlan, units: number) {
    this.plan = plan
    this.ordinals = new Map(plan.groupIds.map((id, ordinal) => [id, ordinal]))
    this.at = new Float64Array(units)
    this.sequences = new Float64Array(units)
    this.groups = new Int16Array(units).fill(-1)
    this.isMultiple = new Uint8Array(units)
  }

  take({ block, rows, from, to }: Selection): void {
    const experiments = numbersColumn(block.column(columnName.argument("experimentId")), block.rows)
    const groups = numbersColumn(block.column(columnName.argument("groupId")), block.rows)
    const [times, sequences, ids] = [block.times(), block.sequences(), block.units()]
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const group = experiments[row] === this.plan.experimentId ? this.ordinals.get(groups[row]!) : undefined
      const unit = ids[row]!
      if (group !== undefined && unit !== 0) this.expose(unit, group, times[row]!, sequences[row]!)
    }
  }

  /** Takes markers that bring their units into the first group, whatever they are. */
  takeEntries({ block, rows, from, to }: Selection): void {
    const [times, sequences, ids] = [block.times(), block.sequences(), block.units()]
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const unit = ids[row]!
      if (unit !== 0) this.expose(unit, 0, times[row]!, sequences[row]!)
    }
  }

  private expose(unit: number, group: number, time: number, sequence: number): void {
    const { at, sequences, groups, isMultiple } = this
    const known = groups[unit]!
    if (known >= 0 && known !== group) isMultiple[unit] = 1
    if (known >= 0 && (time > at[unit]! || (time === at[unit]! && sequence > sequences[unit]!))) return
    at[unit] = time
    sequences[unit] = sequence
    groups[unit] = group
  }
}

export const scanExposures = (plan: ScorecardPlan, snapshot: Snapshot, roster: Roster): Exposed => {
  const { units } = snapshot.environment
  const exposures = new Exposures(plan, units)
  if (plan.entry === undefined) {
    for (const selection of snapshot.selectAll([exposureType], [], { from: -Infinity, to: plan.range.to }))
      exposures.take(selection)
  } else {
    for (const selection of snapshot.selectAll(null, [plan.entry], plan.range)) exposures.takeEntries(selection)
  }
  const { at, groups, isMultiple } = exposures
  const cells = new Int32Array(units).fill(-1)
  let first = Infinity
  for (let unit = 1; unit < units; unit++) {
    if (groups[unit]! < 0) continue
    cells[unit] = roster.enrol(at[unit]!, groups[unit]!, isMultiple[unit] === 1)
    if (cells[unit]! >= 0 && at[unit]! < first) first = at[unit]!
  }
  return { at, cells, first }
}

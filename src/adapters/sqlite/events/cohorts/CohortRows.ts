import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import { unfiltered } from "../../../../domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../../domain/analytics/filter/Selector.ts"
import type { PlannedWindow } from "../../../../domain/cohorts/CohortPlan.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import type { RowMark } from "../read/MarkedRows.ts"
import { UnitRows } from "../read/UnitRows.ts"

export const always: TimeSpan = { from: -Infinity, to: Infinity }

/**
 * The rows that a cohort's conditions look at. Unit 0 (nobody) may be among them; `scanCohort` clears it at the end.
 */
export class CohortRows {
  readonly snapshot: Snapshot
  private seen: Float64Array | null = null

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot
  }

  get units(): number {
    return this.snapshot.environment.units
  }

  /** The selected rows, whatever their time. */
  all(selector: Selector): Array<Selection> {
    return this.snapshot.selectBy(selector, unfiltered, always)
  }

  /** The selected rows in the window, which may begin at each unit's own first marker. */
  selected(selector: Selector, window: PlannedWindow): Array<Selection> {
    if (window.since === "epoch") return this.snapshot.selectBy(selector, unfiltered, window)
    return this.all(selector).flatMap((selection) => this.within(selection, window))
  }

  /** The marked rows, to be visited unit by unit. */
  byUnit(marks: ReadonlyArray<RowMark>): UnitRows {
    return new UnitRows(marks, this.units, { sequences: false }, this.snapshot.memory)
  }

  /** A test of whether a marker of the unit at the instant (epoch ms) lies in the window. */
  inside({ since, from, to }: PlannedWindow): (unit: number, time: number) => boolean {
    if (since === "epoch") return (_, time) => time >= from && time < to
    const origins = this.firstSeen()
    return (unit, time) => time - origins[unit]! >= from && time - origins[unit]! < to
  }

  /** The time (epoch ms) of each unit's first marker; Infinity where it has none. */
  firstSeen(): Float64Array {
    if (this.seen !== null) return this.seen
    const seen = new Float64Array(this.units).fill(Infinity)
    for (const block of this.snapshot.environment.blocks) {
      this.snapshot.control.advance(block.rows)
      const [units, times] = [block.units(), block.times()]
      for (let row = 0; row < block.rows; row++) if (times[row]! < seen[units[row]!]!) seen[units[row]!] = times[row]!
    }
    this.seen = seen
    return seen
  }

  private within({ block, rows, from, to }: Selection, window: PlannedWindow): ReadonlyArray<Selection> {
    const isInside = this.inside(window)
    const [units, times] = [block.units(), block.times()]
    const kept = new Uint32Array(to - from)
    let count = 0
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      if (isInside(units[row]!, times[row]!)) kept[count++] = row
    }
    return count === 0 ? [] : [{ block, rows: kept, from: 0, to: count }]
  }
}

/** Calls `take` with the unit and the row of each selected row. */
export const eachRow = ({ block, rows, from, to }: Selection, take: (unit: number, row: number) => void): void => {
  const units = block.units()
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    take(units[row]!, row)
  }
}

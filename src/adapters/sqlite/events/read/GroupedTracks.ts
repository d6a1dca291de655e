import type { Dimension, GroupValues } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { GroupedTrack } from "../../../../domain/analytics/funnel/TrackFunnel.ts"
import type { UnitTrack } from "./GatheredRows.ts"
import { RowGrouping } from "./RowGrouping.ts"
import type { Snapshot } from "./Snapshot.ts"
import type { RowNumber, UnitRows } from "./UnitRows.ts"

/** Gives the rows of units the numbers of their groups, and of the values that are held constant. */
export class GroupedTracks {
  private readonly breakdowns: RowGrouping | null
  private readonly holdConstant: RowGrouping | null
  /** As many as the longest track has rows. */
  private zeros = new Int32Array(64)

  constructor(
    rows: UnitRows,
    breakdowns: ReadonlyArray<Dimension>,
    holdConstant: ReadonlyArray<Dimension>,
    snapshot: Snapshot
  ) {
    const grouping = (dimensions: ReadonlyArray<Dimension>) =>
      dimensions.length === 0 ? null : new RowGrouping(dimensions, "ofRows", rows.blocks, snapshot)
    this.breakdowns = grouping(breakdowns)
    this.holdConstant = grouping(holdConstant)
  }

  /** The values that the number of a group stands for. */
  valuesOf(group: number): GroupValues {
    return this.breakdowns?.groups[group] ?? []
  }

  /** What the tracks that `of` is asked about are to be numbered by. */
  get numberings(): ReadonlyArray<RowNumber> {
    const { breakdowns, holdConstant } = this
    const byGroup: RowNumber = (unit, block, row) => breakdowns?.of(unit, block, row) ?? 0
    const byHeld: RowNumber = (unit, block, row) => holdConstant?.ofWhole(unit, block, row) ?? 0
    return [...(breakdowns === null ? [] : [byGroup]), ...(holdConstant === null ? [] : [byHeld])]
  }

  /** The unit's track with these numbers. The next one overwrites it. */
  of({ length, times, steps, exclusions, numbers }: UnitTrack): GroupedTrack {
    const { breakdowns, holdConstant } = this
    if (this.zeros.length < length) this.zeros = new Int32Array(length * 2)
    const groups = breakdowns === null ? this.zeros : numbers[0]!
    const held = holdConstant === null ? this.zeros : numbers[numbers.length - 1]!
    return { length, times, steps, exclusions, groups, held }
  }
}

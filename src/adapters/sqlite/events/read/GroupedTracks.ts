import type { Dimension, GroupValues } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { GroupedTrack } from "../../../../domain/analytics/funnel/TrackFunnel.ts"
import type { UnitTrack } from "./GatheredRows.ts"
import { RowGrouping } from "./RowGrouping.ts"
import type { Snapshot } from "./Snapshot.ts"
import type { UnitRows } from "./UnitRows.ts"

/** Gives the rows of units the numbers of their groups, and of the values that are held constant. */
export class GroupedTracks {
  private readonly breakdowns: RowGrouping
  private readonly holdConstant: RowGrouping | null
  private groups = new Uint32Array(64)
  private held = new Int32Array(64)

  constructor(
    rows: UnitRows,
    breakdowns: ReadonlyArray<Dimension>,
    holdConstant: ReadonlyArray<Dimension>,
    snapshot: Snapshot
  ) {
    this.breakdowns = new RowGrouping(breakdowns, "ofRows", rows.blocks, snapshot)
    this.holdConstant =
      holdConstant.length === 0 ? null : new RowGrouping(holdConstant, "ofRows", rows.blocks, snapshot)
  }

  /** What the numbers of groups stand for. */
  get values(): ReadonlyArray<GroupValues> {
    return this.breakdowns.groups
  }

  /** The unit's track with these numbers. The next one overwrites it. */
  of(unit: number, track: UnitTrack): GroupedTrack {
    const { length, times, steps, exclusions, blocks, rows } = track
    if (this.groups.length < length) {
      this.groups = new Uint32Array(length * 2)
      this.held = new Int32Array(length * 2)
    }
    const { groups, held, breakdowns, holdConstant } = this
    for (let at = 0; at < length; at++) {
      groups[at] = breakdowns.of(unit, blocks[at]!, rows[at]!)
      held[at] = holdConstant === null ? 0 : holdConstant.ofWhole(unit, blocks[at]!, rows[at]!)
    }
    return { length, times, steps, exclusions, groups, held }
  }
}

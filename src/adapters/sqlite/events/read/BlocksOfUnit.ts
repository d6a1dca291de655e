import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "./Snapshot.ts"

/**
 * Tells whether a block cannot hold markers of a unit, and counts its rows as done where it cannot. The hours in which units were active answer it
 * for segments, of which otherwise the units of all rows would have to be read; they take a twentieth of those bytes.
 */
export const leavesOut = ({ environment, control }: Snapshot, unit: number): ((block: RowBlock) => boolean) => {
  // A unit without a number in the dictionary has markers in the tail alone.
  const isStored = unit < environment.firstUnstored
  const activity = isStored ? environment.activity() : null
  const sealed = new Set(environment.sealed)
  const wasActive = activity?.ofUnit(unit)
  const mayHold = (block: RowBlock): boolean =>
    !sealed.has(block) || (isStored && (wasActive?.(block.firstTimestamp, block.lastTimestamp) ?? true))
  return (block) => {
    if (mayHold(block)) return false
    control.did(block.rows)
    return true
  }
}

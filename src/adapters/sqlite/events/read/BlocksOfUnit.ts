import type { RowBlock } from "../file/RowBlock.ts"
import type { Environment } from "./Snapshot.ts"

/**
 * Tells whether a block may hold markers of a unit. The hours in which units were active answer it for segments, of which otherwise the units
 * of all rows would have to be read; they take a twentieth of those bytes.
 */
export const mayHold = (environment: Environment, unit: number): ((block: RowBlock) => boolean) => {
  // A unit without a number in the dictionary has markers in the tail alone.
  const isStored = unit < environment.firstUnstored
  const activity = isStored ? environment.activity() : null
  const sealed = new Set(environment.sealed)
  const wasActive = activity?.ofUnit(unit)
  return (block) => {
    if (!sealed.has(block)) return true
    return isStored && (wasActive?.(block.firstTimestamp, block.lastTimestamp) ?? true)
  }
}

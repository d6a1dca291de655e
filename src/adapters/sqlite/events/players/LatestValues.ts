import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { isProfileValue } from "../../../../domain/analytics/markers/Profile.ts"
import { type Column, valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "../read/Snapshot.ts"

interface Latest {
  readonly time: number
  readonly sequence: number
  readonly value: Value
}

/** Takes the latest value that the block has of each unit that `places` numbers from 1. */
const addBlock = (block: RowBlock, column: Column, places: Uint32Array, latest: Array<Latest | undefined>): void => {
  const [units, times, sequences] = [block.units(), block.times(), block.sequences()]
  const isDone = new Uint8Array(latest.length)
  for (let row = block.rows - 1; row >= 0; row--) {
    const at = places[units[row]!]! - 1
    if (at < 0 || isDone[at] === 1) continue
    const value = valueAt(column, row)
    if (!isProfileValue(value)) continue
    isDone[at] = 1
    const [time, sequence] = [times[row]!, sequences[row]!]
    const known = latest[at]
    if (known === undefined || time > known.time || (time === known.time && sequence > known.sequence))
      latest[at] = { time, sequence, value }
  }
}

/**
 * The latest value of a property for each of the units (numbers), in their order. Blocks are visited from the newest on,
 * and only until no value can be newer than those found.
 */
export const latestValues = (
  name: string,
  units: ReadonlyArray<number>,
  { environment, control }: Snapshot
): ReadonlyArray<Value | undefined> => {
  const places = new Uint32Array(environment.units)
  for (const [at, unit] of units.entries()) places[unit] = at + 1
  const latest: Array<Latest | undefined> = units.map(() => undefined)
  for (const block of environment.blocks.toSorted((a, b) => b.lastTimestamp - a.lastTimestamp)) {
    if (latest.every((found) => found !== undefined && found.time > block.lastTimestamp)) break
    const column = block.column(columnName.property(name))
    if (column === undefined) continue
    addBlock(block, column, places, latest)
    control.advance(block.rows)
  }
  return latest.map((found) => found?.value)
}

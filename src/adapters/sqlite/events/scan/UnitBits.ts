import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import { onesIn } from "../bytes/BitStream.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { type Run, runsOf } from "./Grid.ts"
import type { Selection } from "../read/Selection.ts"

/** A set of units: one bit for each unit number. */
export type UnitBits = Uint32Array

export const noUnits = (units: number): UnitBits => new Uint32Array((units + 31) >>> 5)

export const countUnits = (words: UnitBits): number => {
  let count = 0
  for (let at = 0; at < words.length; at++) count += onesIn(words[at]!)
  return count
}

export const countCommon = (a: UnitBits, b: UnitBits): number => {
  let count = 0
  for (let at = 0; at < a.length; at++) {
    const word = a[at]! & b[at]!
    if (word !== 0) count += onesIn(word)
  }
  return count
}

/** Calls `take` with each unit of the set, ascending. */
export const eachUnitOf = (words: UnitBits, take: (unit: number) => void): void => {
  for (let at = 0; at < words.length; at++)
    for (let word = words[at]!; word !== 0; word &= word - 1) take(32 * at + 31 - Math.clz32(word & -word))
}

/** Adds the units of another set. */
export const unite = (into: UnitBits, words: UnitBits): void => {
  const length = Math.min(into.length, words.length)
  for (let at = 0; at < length; at++) into[at]! |= words[at]!
}

/** Removes from each set the units that an earlier set has. */
export const onlyFirst = (sets: ReadonlyArray<UnitBits>): void => {
  const seen = new Uint32Array(sets[0]?.length ?? 0)
  for (const words of sets)
    for (let at = 0; at < words.length; at++) {
      const fresh = words[at]! & ~seen[at]!
      seen[at]! |= fresh
      words[at] = fresh
    }
}

/**
 * Blocks keep a set if it is made of at least this many rows for each of its words: then it takes at most half the memory of their
 * numbers.
 */
const rowsPerKeptWord = 2

const setOf = (ids: Uint32Array, from: number, to: number): UnitBits => {
  let most = 0
  for (let row = from; row < to; row++) if (ids[row]! > most) most = ids[row]!
  const words = noUnits(most + 1)
  for (let row = from; row < to; row++) words[ids[row]! >>> 5]! |= 1 << (ids[row]! & 31)
  return words
}

/** Adds the units of the run to the set, and unit 0 with them. A sealed block keeps those of a stretch of its rows. */
export const addRun = (block: RowBlock, { rows, from, to }: Run, words: UnitBits): void => {
  if (rows === null && to - from >= rowsPerKeptWord * words.length)
    return unite(
      words,
      block.derived(`units ${from} ${to}`, () => setOf(block.units(), from, to))
    )
  const ids = block.units()
  for (let place = from; place < to; place++) {
    const unit = ids[rows === null ? place : rows[place]!]!
    words[unit >>> 5]! |= 1 << (unit & 31)
  }
}

/** Adds the units of the selected rows to the set of the range that each row lies in. */
export const addUnits = (
  selections: ReadonlyArray<Selection>,
  ranges: ReadonlyArray<TimeSpan>,
  sets: ReadonlyArray<UnitBits>
): void => {
  for (const [index, runs] of runsOf({ selections, groups: [] }, ranges, null).entries()) {
    const words = sets[index]!
    for (const run of runs) addRun(selections[run.at]!.block, run, words)
    if (words.length > 0) words[0]! &= ~1
  }
}

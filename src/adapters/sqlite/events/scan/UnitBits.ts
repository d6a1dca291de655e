import type { Range } from "../../../../domain/analytics/time/Buckets.ts"
import { runsOf } from "./Grid.ts"
import type { Selection } from "../read/Selection.ts"

/** A set of units: one bit for each unit number. */
export type UnitBits = Uint32Array

export const noUnits = (units: number): UnitBits => new Uint32Array((units + 31) >>> 5)

/** Population count of one 32-bit word. */
const ones = (word: number): number => {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export const countUnits = (words: UnitBits): number => {
  let count = 0
  for (let at = 0; at < words.length; at++) count += ones(words[at]!)
  return count
}

export const countCommon = (a: UnitBits, b: UnitBits): number => {
  let count = 0
  for (let at = 0; at < a.length; at++) {
    const word = a[at]! & b[at]!
    if (word !== 0) count += ones(word)
  }
  return count
}

export const unite = (into: UnitBits, words: UnitBits): void => {
  for (let at = 0; at < into.length; at++) into[at]! |= words[at]!
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

/** Adds the units of the selected rows to the set of the range that each row lies in. */
export const addUnits = (
  selections: ReadonlyArray<Selection>,
  ranges: ReadonlyArray<Range>,
  sets: ReadonlyArray<UnitBits>
): void => {
  for (const [index, runs] of runsOf({ selections, groups: [] }, ranges, null).entries()) {
    const words = sets[index]!
    for (const { rows, from, to, at } of runs) {
      const ids = selections[at]!.block.units()
      for (let place = from; place < to; place++) {
        const unit = ids[rows === null ? place : rows[place]!]!
        words[unit >>> 5]! |= 1 << (unit & 31)
      }
    }
    if (words.length > 0) words[0]! &= ~1
  }
}

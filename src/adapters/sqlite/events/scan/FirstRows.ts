import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { Selection } from "../read/Selection.ts"

/** Of the selected rows, each unit's earliest (ties by order of receipt) if it lies in the range. */
export const firstRows = (selections: ReadonlyArray<Selection>, units: number, range: TimeSpan): Array<Selection> => {
  const firstTime = new Float64Array(units).fill(Infinity)
  const firstSequence = new Float64Array(units)
  for (const { block, rows, from, to } of selections) {
    const [times, ids, sequences] = [block.times(), block.units(), block.sequences()]
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const unit = ids[row]!
      const time = times[row]!
      if (unit === 0 || time > firstTime[unit]!) continue
      if (time === firstTime[unit]! && sequences[row]! > firstSequence[unit]!) continue
      firstTime[unit] = time
      firstSequence[unit] = sequences[row]!
    }
  }
  return selections.flatMap(({ block, rows, from, to }): Array<Selection> => {
    const [times, ids, sequences] = [block.times(), block.units(), block.sequences()]
    const kept: Array<number> = []
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const time = times[row]!
      if (time < range.from || time >= range.to || ids[row] === 0) continue
      if (firstTime[ids[row]!] === time && firstSequence[ids[row]!] === sequences[row]) kept.push(row)
    }
    return kept.length === 0 ? [] : [{ block, rows: Uint32Array.from(kept), from: 0, to: kept.length }]
  })
}

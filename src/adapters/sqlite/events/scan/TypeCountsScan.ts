import type { TypeCounts, TypeCountsPlan } from "../../../../domain/analytics/markers/TypeCounts.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "../read/Snapshot.ts"

type Counts = Map<string, Float64Array>

const countsOf = (counts: Counts, name: string, width: number): Float64Array => {
  const known = counts.get(name)
  if (known !== undefined) return known
  const fresh = new Float64Array(width)
  counts.set(name, fresh)
  return fresh
}

/** Rows of several types: each is looked at, by its code. */
const countMixed = (block: RowBlock, rows: ReadonlyArray<number>, counts: Counts): void => {
  const width = rows.length - 1
  const column = block.column(columnName.type)
  const byCode = new Map<number, Float64Array>()
  for (let bucket = 0; bucket < width; bucket++) {
    for (let row = rows[bucket]!; row < rows[bucket + 1]!; row++) {
      const code = column?.type === "codes" ? column.codes[row]! : 0
      let own = byCode.get(code)
      if (own === undefined) {
        own = countsOf(counts, column === undefined ? "" : String(valueAt(column, row)), width)
        byCode.set(code, own)
      }
      own[bucket]!++
    }
  }
}

/**
 * The number of markers of each type between the boundaries. A segment of one type answers from its index of times, where the
 * boundaries begin quarter hours, as those of local days do; only rows of types that share a segment are looked at.
 */
export const scanTypeCounts = (
  { boundaries }: TypeCountsPlan,
  { environment, control }: Snapshot
): ReadonlyArray<TypeCounts> => {
  const counts: Counts = new Map()
  const [first, last] = [boundaries[0]!, boundaries[boundaries.length - 1]!]
  for (const block of environment.blocks) {
    if (block.lastTimestamp < first || block.firstTimestamp >= last) {
      control.did(block.rows)
      continue
    }
    const rows = boundaries.map((boundary) => block.rowAt(boundary))
    if (block.type === null) {
      countMixed(block, rows, counts)
      control.advance(block.rows)
    } else {
      const own = countsOf(counts, block.type, boundaries.length - 1)
      for (let bucket = 0; bucket < own.length; bucket++) own[bucket]! += rows[bucket + 1]! - rows[bucket]!
      control.did(block.rows)
    }
  }
  return [...counts]
    .filter(([, own]) => own.some((count) => count > 0))
    .map(([name, own]) => ({ name, counts: [...own] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

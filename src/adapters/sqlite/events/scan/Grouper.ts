import type { Dimension, GroupValues } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import { groupValue } from "../../../../domain/analytics/filter/Value.ts"
import type { WorkingMemory } from "../file/ColumnCache.ts"
import { type Codes, narrow } from "../format/Column.ts"
import { columnOf } from "../format/ColumnName.ts"
import { DimensionValues, mostValues } from "../read/DimensionValues.ts"
import { selectedCounts } from "./Tally.ts"
import type { RowGroups } from "./Grid.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"

type RowCode = (row: number) => number

/** Numbers a question's groups in the order in which they first appear. */
export class Grouper {
  readonly groups: Array<GroupValues> = []
  private readonly dimensions: ReadonlyArray<Dimension>
  private readonly ranges: ReadonlyArray<TimeSpan>
  private readonly values: ReadonlyArray<DimensionValues>
  private readonly unitCodes: ReadonlyArray<ReadonlyArray<number> | null>
  private readonly known = new Map<number, number>()
  private lastFirst = -1
  private lastSecond = -1
  private lastGroup = -1
  private readonly memory: WorkingMemory
  /** Bytes of the groups of rows so far. */
  private bytes = 0

  /** `ranges` are those that rows will be counted by, ascending. */
  constructor(dimensions: ReadonlyArray<Dimension>, snapshot: Snapshot, ranges: ReadonlyArray<TimeSpan> = []) {
    this.memory = snapshot.memory
    this.dimensions = dimensions
    this.ranges = ranges
    this.values = dimensions.map(() => new DimensionValues())
    this.unitCodes = dimensions.map((dimension, at) =>
      snapshot.unitCodes(dimension, (value) => this.values[at]!.codeOf(value))
    )
  }

  /** The group of each row of the selection. */
  groupsOf(selection: Selection): RowGroups {
    const only = this.dimensions.length === 1 ? this.dictionaryColumn(selection) : null
    if (only !== null) return this.byDictionary(selection, only)
    const found = new Uint32Array(selection.block.rows)
    const [first, second] = this.dimensions.map((_, at) => this.rowCode(selection, at))
    const { rows, from, to } = selection
    if (first !== undefined)
      for (let place = from; place < to; place++) {
        const row = rows === null ? place : rows[place]!
        found[row] = this.groupOf(first(row), second === undefined ? 0 : second(row))
      }
    const values = narrow(found, this.groups.length)
    this.memory.hold("groups", (this.bytes += values.byteLength))
    return { values, table: null, counts: null, column: null }
  }

  private dictionaryColumn({ block }: Selection): Codes | null {
    const [dimension] = this.dimensions
    if (dimension === undefined || this.unitCodes[0] !== null) return null
    const column = block.column(columnOf(dimension))
    return column?.type === "codes" ? column : null
  }

  /**
   * Groups by a single dimension that is dictionary-encoded: each code that occurs is looked up once instead of each
   * row.
   */
  private byDictionary(selection: Selection, { dictionary, codes }: Codes): RowGroups {
    const name = this.dimensions.map(columnOf).join()
    const counts = selectedCounts(
      { block: selection.block, name, codes, size: dictionary.count + 1 },
      selection,
      this.ranges
    )
    const table = new Int32Array(dictionary.count + 1).fill(-1)
    for (let code = 0; code < table.length; code++) {
      if (counts[code] === 0) continue
      const value = code === 0 ? null : groupValue(dictionary.value(code - 1))
      table[code] = this.groupOf(this.values[0]!.codeOf(value), 0)
    }
    return { values: codes, table, counts, column: name }
  }

  private groupOf(first: number, second: number): number {
    if (first === this.lastFirst && second === this.lastSecond) return this.lastGroup
    const key = second * mostValues + first
    let group = this.known.get(key)
    if (group === undefined) {
      group = this.groups.push(this.values.map(({ values }, at) => values[at === 0 ? first : second]!)) - 1
      this.known.set(key, group)
    }
    this.lastFirst = first
    this.lastSecond = second
    this.lastGroup = group
    return group
  }

  private rowCode({ block }: Selection, at: number): RowCode {
    const dimension = this.dimensions[at]!
    const unitCodes = this.unitCodes[at] ?? null
    if (unitCodes !== null) {
      const units = block.units()
      return (row) => unitCodes[units[row]!]!
    }
    return this.values[at]!.codesOf(block.column(columnOf(dimension)))
  }
}

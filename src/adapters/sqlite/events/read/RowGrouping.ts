import type { Dimension, GroupValues } from "../../../../domain/analytics/filter/Breakdown.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { columnOf } from "../format/ColumnName.ts"
import { DimensionValues, mostValues } from "./DimensionValues.ts"
import { outermostCodes } from "./OutermostRows.ts"
import type { Snapshot } from "./Snapshot.ts"

/** The code of the value of a row of the block with this index, which is the unit's; 0 where it has none. */
type CodeOf = (unit: number, block: number, row: number) => number

interface GroupingDimension {
  readonly values: DimensionValues
  readonly codeOf: CodeOf
}

/** The code that a dimension's missing value has. */
const missing = 0

/** By unit number, the code of the latest value that a marker of the unit has of the property. */
const latestCodes = (property: string, snapshot: Snapshot, values: DimensionValues): ArrayLike<number> => {
  const { environment, control } = snapshot
  const all = snapshot.selectAll(null, [], { from: -Infinity, to: Infinity })
  const codes = outermostCodes("last", all, environment.units, ({ block }) => {
    control.did(0)
    const codeOf = values.codesOf(block.column(property))
    return (row) => {
      const code = codeOf(row)
      return code === missing ? -1 : code
    }
  })
  return codes.map((code) => (code === -1 ? missing : code))
}

/** Whose properties count: each row's own, or the latest of its unit, whichever row is asked about. */
type Properties = "ofRows" | "ofUnits"

const groupingDimension = (
  dimension: Dimension,
  properties: Properties,
  blocks: ReadonlyArray<RowBlock>,
  snapshot: Snapshot
): GroupingDimension => {
  const values = new DimensionValues()
  values.codeOf(null)
  const isLatest = dimension.source === "property" && properties === "ofUnits"
  const byUnit =
    snapshot.unitCodes(dimension, (value) => values.codeOf(value)) ??
    (isLatest ? latestCodes(columnOf(dimension), snapshot, values) : null)
  if (byUnit !== null) return { values, codeOf: (unit) => byUnit[unit]! }
  const codes = blocks.map((block) => values.codesOf(block.column(columnOf(dimension))))
  return { values, codeOf: (_, block, row) => codes[block]!(row) }
}

/** Numbers the groups of rows, or of units, in the order in which they are asked about; 0 is that of rows without a value of any dimension. */
export class RowGrouping {
  readonly groups: Array<GroupValues> = []
  private readonly dimensions: ReadonlyArray<GroupingDimension>
  /** By code of the first dimension's value, its number. */
  private readonly first: Array<number> = []
  /** For each other dimension, the numbers of its values together with those before it. */
  private readonly others: ReadonlyArray<Map<number, number>>

  /** `blocks` are those of the rows that will be asked about; none where only units are, and no dimension is an argument. */
  constructor(
    dimensions: ReadonlyArray<Dimension>,
    properties: Properties,
    blocks: ReadonlyArray<RowBlock>,
    snapshot: Snapshot
  ) {
    this.dimensions = dimensions.map((dimension) => groupingDimension(dimension, properties, blocks, snapshot))
    this.others = dimensions.slice(1).map(() => new Map<number, number>())
    this.numberOf(dimensions.map(() => missing))
  }

  /** The number of the group of a row of the block with this index. */
  of(unit: number, block: number, row: number): number {
    const { dimensions } = this
    if (dimensions.length === 1) {
      const code = dimensions[0]!.codeOf(unit, block, row)
      const known = this.first[code]
      return known === undefined ? this.numberOf([code]) : known
    }
    return this.numberOf(dimensions.map(({ codeOf }) => codeOf(unit, block, row)))
  }

  /** The same, and -1 where the row lacks a value of any dimension. */
  ofWhole(unit: number, block: number, row: number): number {
    const isWhole = this.dimensions.every(({ codeOf }) => codeOf(unit, block, row) !== missing)
    return isWhole ? this.of(unit, block, row) : -1
  }

  private numberOf(codes: ReadonlyArray<number>): number {
    const { dimensions, first, others, groups } = this
    let number = codes.length === 0 ? 0 : (first[codes[0]!] ??= codes.length === 1 ? groups.length : codes[0]!)
    for (let at = 1; at < codes.length; at++) {
      const known = others[at - 1]!
      const key = number * mostValues + codes[at]!
      const next = known.get(key) ?? known.size
      if (next === known.size) known.set(key, next)
      number = next
    }
    if (number === groups.length) groups.push(dimensions.map(({ values }, at) => values.values[codes[at]!]!))
    return number
  }
}

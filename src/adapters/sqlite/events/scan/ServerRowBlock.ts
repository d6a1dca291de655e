import { type Column, numbersAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { rowsAmong } from "../file/UnitTable.ts"
import type { Environment } from "../read/Snapshot.ts"

const serversOf = (block: RowBlock, { unitId }: Environment): Uint32Array => {
  const column = block.column(columnName.server)
  const units = new Uint32Array(block.rows)
  if (column === undefined || column.type === "numbers") return units
  const { codes, dictionary } = column
  const unitOf = Uint32Array.from({ length: dictionary.count + 1 }, (_, code) =>
    code === 0 ? 0 : (unitId(String(dictionary.value(code - 1))) ?? 0)
  )
  for (let row = 0; row < units.length; row++) units[row] = unitOf[codes[row]!]!
  return units
}

/**
 * A block whose rows are attributed to the servers that sent them. Rows of servers that are no known unit belong to
 * nobody.
 */
export class ServerRowBlock implements RowBlock {
  readonly rows: number
  readonly type: string | null
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  readonly columnNames: ReadonlyArray<string>
  private readonly block: RowBlock
  private readonly servers: Uint32Array

  constructor(block: RowBlock, environment: Environment) {
    this.rows = block.rows
    this.type = block.type
    this.firstTimestamp = block.firstTimestamp
    this.lastTimestamp = block.lastTimestamp
    this.columnNames = block.columnNames
    this.block = block
    this.servers = serversOf(block, environment)
  }

  times(): Float64Array {
    return this.block.times()
  }

  rowAt(instant: number): number {
    return this.block.rowAt(instant)
  }

  sequences(): Float64Array {
    return this.block.sequences()
  }

  units(): Uint32Array {
    return this.servers
  }

  sessions(): Uint32Array {
    return this.block.sessions()
  }

  column(name: string): Column | undefined {
    return this.block.column(name)
  }

  columnAt(name: string, rows: Uint32Array): Column | undefined {
    return this.block.columnAt(name, rows)
  }

  sessionsAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.sessionsAt(rows)
  }

  timesAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.timesAt(rows)
  }

  sequencesAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.sequencesAt(rows)
  }

  unitsAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.servers, rows)
  }

  rowsOfUnit(unit: number): Array<number> {
    return rowsAmong(this.servers, unit)
  }

  /** Nothing is cached: the rows of the inner block have other units. */
  derived(_key: string, make: () => Uint32Array): Uint32Array {
    return make()
  }

  derivedNumbers(_key: string, make: () => Float64Array): Float64Array {
    return make()
  }
}

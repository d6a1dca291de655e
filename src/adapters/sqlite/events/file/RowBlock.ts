import { type Column, columnAt, numbersAt } from "../format/Column.ts"
import type { ColumnCache } from "./ColumnCache.ts"
import { columnName } from "../format/ColumnName.ts"
import type { SegmentDecoder } from "./SegmentDecoder.ts"
import { hasTimeIndex, type Segment, valueColumns } from "./Segments.ts"
import { rowsAmong, rowsInTable, unitTable } from "./UnitTable.ts"
import { indexedRowAt, isIndexed, rowAt } from "../format/TimeIndex.ts"

/** Columns of more rows than this are not kept: the rows are part of the key. */
const mostKeptRows = 1024

/**
 * Rows that are scanned together, ordered by (timestamp, sequence). Units and sessions are dictionary numbers, 0 for
 * none.
 */
export interface RowBlock {
  readonly rows: number
  /** Null when the rows are of several types; then the column `type` gives the type of each. */
  readonly type: string | null
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  readonly columnNames: ReadonlyArray<string>
  times(): Float64Array
  /** The first row at or after the instant (epoch ms). A time index answers it without decoding the times. */
  rowAt(instant: number): number
  sequences(): Float64Array
  units(): Uint32Array
  sessions(): Uint32Array
  /** Undefined when no row has a value in it. */
  column(name: string): Column | undefined
  /** The column of the given rows only; the other rows are not decoded where that is cheaper. Kept for later questions where rows are few. */
  columnAt(name: string, rows: Uint32Array): Column | undefined
  sessionsAt(rows: Uint32Array): ArrayLike<number>
  timesAt(rows: Uint32Array): ArrayLike<number>
  sequencesAt(rows: Uint32Array): ArrayLike<number>
  unitsAt(rows: Uint32Array): ArrayLike<number>
  /** The rows of one unit, ascending. */
  rowsOfUnit(unit: number): Array<number>
  /**
   * A result of `make` that depends on nothing but the block and `key`, so that a sealed block can cache it for later
   * questions.
   */
  derived(key: string, make: () => Uint32Array): Uint32Array
  derivedNumbers(key: string, make: () => Float64Array): Float64Array
}

/** A segment as a block of rows: each column is decoded when it is first asked for, and cached while there is room. */
export class SealedRowBlock implements RowBlock {
  readonly rows: number
  readonly type: string | null
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  readonly columnNames: ReadonlyArray<string>
  readonly segment: Segment
  private readonly names: ReadonlySet<string>
  private readonly decoder: SegmentDecoder
  private readonly cache: ColumnCache

  constructor(segment: Segment, decoder: SegmentDecoder, cache: ColumnCache) {
    this.rows = segment.rows
    this.type = segment.type
    this.firstTimestamp = segment.firstTimestamp
    this.lastTimestamp = segment.lastTimestamp
    this.columnNames = valueColumns(segment)
    this.names = new Set(this.columnNames)
    this.segment = segment
    this.decoder = decoder
    this.cache = cache
  }

  times(): Float64Array {
    return this.doubles("time", () => this.decoder.times(this.segment))
  }

  rowAt(instant: number): number {
    if (!isIndexed(instant) || !hasTimeIndex(this.segment)) return rowAt(this.times(), instant)
    const index = this.doubles(columnName.quarter, () => this.decoder.timeIndex(this.segment))
    return indexedRowAt(index, instant, this.rows)
  }

  sequences(): Float64Array {
    return this.doubles("sequence", () => this.decoder.sequences(this.segment))
  }

  units(): Uint32Array {
    return this.ids("unit", () => this.decoder.units(this.segment))
  }

  sessions(): Uint32Array {
    return this.ids("session", () => this.decoder.sessions(this.segment))
  }

  column(name: string): Column | undefined {
    return this.names.has(name) ? this.columnOf(name, () => this.decoder.column(this.segment, name)) : undefined
  }

  columnAt(name: string, rows: Uint32Array): Column | undefined {
    if (!this.names.has(name)) return undefined
    const known = this.cache.get(`${this.segment.id} ${name}`)
    if (known !== undefined && "type" in known) return columnAt(known, rows)
    if (rows.length > mostKeptRows) return this.decoder.columnAt(this.segment, name, rows)
    return this.columnOf(`at ${rows.join()} ${name}`, () => this.decoder.columnAt(this.segment, name, rows))
  }

  sessionsAt(rows: Uint32Array): ArrayLike<number> {
    return this.doubles(`at ${rows.join()} session`, () => this.decoder.sessionsAt(this.segment, rows))
  }

  timesAt(rows: Uint32Array): ArrayLike<number> {
    return this.isWhole("time", rows)
      ? numbersAt(this.times(), rows)
      : this.doubles(`at ${rows.join()} time`, () => this.decoder.timesAt(this.segment, rows))
  }

  sequencesAt(rows: Uint32Array): ArrayLike<number> {
    return this.isWhole("sequence", rows)
      ? numbersAt(this.sequences(), rows)
      : this.doubles(`at ${rows.join()} sequence`, () => this.decoder.sequencesAt(this.segment, rows))
  }

  unitsAt(rows: Uint32Array): ArrayLike<number> {
    return this.isWhole("unit", rows)
      ? numbersAt(this.units(), rows)
      : this.doubles(`at ${rows.join()} unit`, () => this.decoder.unitsAt(this.segment, rows))
  }

  /** The first question looks at the unit of every row. The second makes a table, which is kept. */
  rowsOfUnit(unit: number): Array<number> {
    const known = this.cache.get(`${this.segment.id} unit`)
    const units = known instanceof Uint32Array ? known : null
    if (!this.cache.isWantedAgain(`${this.segment.id} rows of units`))
      return units === null ? this.decoder.rowsOfUnit(this.segment, unit) : rowsAmong(units, unit)
    const table = this.derived("rows of units", () => unitTable(units ?? this.decoder.units(this.segment)))
    return table.length === 0 ? rowsAmong(this.units(), unit) : rowsInTable(table, this.rows, unit)
  }

  derived(key: string, make: () => Uint32Array): Uint32Array {
    return this.ids(`derived ${key}`, make)
  }

  derivedNumbers(key: string, make: () => Float64Array): Float64Array {
    return this.doubles(`derived ${key}`, make)
  }

  /** Whether the numbers at these rows are taken from the whole column: it is at hand, or the rows are too many to be a key. */
  private isWhole(name: string, rows: Uint32Array): boolean {
    return rows.length > mostKeptRows || this.cache.get(`${this.segment.id} ${name}`) !== undefined
  }

  private columnOf(name: string, decode: () => Column | undefined): Column | undefined {
    const key = `${this.segment.id} ${name}`
    const known = this.cache.get(key)
    if (known !== undefined && "type" in known) return known
    const column = decode()
    if (column !== undefined) this.cache.set(key, column)
    return column
  }

  private doubles(name: string, decode: () => Float64Array): Float64Array {
    const key = `${this.segment.id} ${name}`
    const known = this.cache.get(key)
    if (known instanceof Float64Array) return known
    const decoded = decode()
    this.cache.set(key, decoded)
    return decoded
  }

  private ids(name: string, decode: () => Uint32Array): Uint32Array {
    const key = `${this.segment.id} ${name}`
    const known = this.cache.get(key)
    if (known instanceof Uint32Array) return known
    const decoded = decode()
    this.cache.set(key, decoded)
    return decoded
  }
}

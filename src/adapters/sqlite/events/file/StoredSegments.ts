import type { StoredEvent } from "../../../../domain/analytics/markers/Event.ts"
import { type Column, valueAt } from "../format/Column.ts"
import { columnName, namedByGame } from "../format/ColumnName.ts"
import type { ColumnCells } from "../format/ColumnCells.ts"
import { SegmentBuilder } from "../format/SegmentBuilder.ts"
import { ended } from "../../../../domain/Ended.ts"
import type { SegmentDecoder } from "./SegmentDecoder.ts"
import { type Segment, valueColumns } from "./Segments.ts"
import type { RowBlock } from "./RowBlock.ts"

/** What tells whether a row is kept when its segment is rewritten. */
export interface RowFacts {
  readonly unit: number
  readonly timestamp: number
  readonly type: string
}

/** Rows of a segment, and where each of them is in the builder that has got them. */
interface TakenRows {
  readonly rows: Array<number>
  readonly places: Array<number>
}

/**
 * Adds the rows of a segment for which `keeps` holds to the builder that `builderFor` chooses by type. Yields after each column: a segment may
 * have 10,000. Where one cannot be read, the builders have what came before it.
 */
export function* addRows(
  decoder: SegmentDecoder,
  segment: Segment,
  builderFor: (type: string) => SegmentBuilder,
  keeps: (row: RowFacts) => boolean = () => true
): Generator<void, void> {
  const times = decoder.times(segment)
  const sequences = decoder.sequences(segment)
  const units = decoder.units(segment)
  const sessions = decoder.sessions(segment)
  const types = decoder.column(segment, columnName.type)
  const taken = new Map<SegmentBuilder, TakenRows>()
  for (let row = 0; row < segment.rows; row++) {
    const type = segment.type ?? String(types === undefined ? "" : valueAt(types, row))
    const timestamp = times[row]!
    if (!keeps({ unit: units[row]!, timestamp, type })) continue
    const builder = builderFor(type)
    const at = builder.add(timestamp, sequences[row]!, units[row]!, sessions[row]!)
    if (builder.type === null) builder.set(columnName.type, at, type)
    const { rows, places } = takenBy(taken, builder)
    rows.push(row)
    places.push(at)
  }
  yield
  for (const name of valueColumns(segment)) {
    const column = name === columnName.type ? undefined : decoder.column(segment, name)
    if (column === undefined) continue
    for (const [builder, rows] of taken) addColumn(builder, name, column, rows)
    yield
  }
}

const takenBy = (taken: Map<SegmentBuilder, TakenRows>, builder: SegmentBuilder): TakenRows => {
  let rows = taken.get(builder)
  if (rows === undefined) taken.set(builder, (rows = { rows: [], places: [] }))
  return rows
}

const addColumn = (builder: SegmentBuilder, name: string, column: Column, { rows, places }: TakenRows): void => {
  let cells: ColumnCells | undefined
  for (let at = 0; at < rows.length; at++) {
    const value = valueAt(column, rows[at]!)
    if (value !== undefined) (cells ??= builder.cells(name)).add(places[at]!, value)
  }
}

/** The rows of a segment by type. */
export const rowsByType = (decoder: SegmentDecoder, segment: Segment): ReadonlyMap<string, SegmentBuilder> => {
  const builders = new Map<string, SegmentBuilder>()
  const builderFor = (type: string) => {
    const builder = builders.get(type) ?? new SegmentBuilder(type)
    builders.set(type, builder)
    return builder
  }
  ended(addRows(decoder, segment, builderFor))
  return builders
}

/** What rows refer to by number or sequence; null or 0 where nothing is known. */
export interface Names {
  unit(id: number): string | null
  session(id: number): string | null
  receivedAt(sequence: number): number
  markerId(sequence: number): string | null
}

type NamedColumns = ReadonlyArray<readonly [name: string, column: Column]>

/** The argument or the property columns, by the names the game gave them, ascending. */
const columnsOf = (columns: ReadonlyMap<string, Column>, source: "argument" | "property"): NamedColumns =>
  [...columns]
    .flatMap(([name, column]) => {
      const named = namedByGame(name)
      return named?.source === source ? [[named.name, column] as const] : []
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))

const valuesAt = (columns: NamedColumns, at: number) =>
  Object.fromEntries(
    columns.flatMap(([name, column]) => {
      const value = valueAt(column, at)
      return value === undefined ? [] : [[name, value] as const]
    })
  )

const axes: ReadonlySet<string> = new Set([columnName.x, columnName.y, columnName.z])

const hasValues = (column: Column | undefined, rows: number): boolean => {
  for (let at = 0; at < rows; at++) if (column !== undefined && valueAt(column, at) !== undefined) return true
  return false
}

/** Makes markers of some rows of a block, decoding for these rows only what no earlier scan has decoded. */
export const eventsOf = (block: RowBlock, rows: ReadonlyArray<number>, names: Names): ReadonlyArray<StoredEvent> => {
  const wanted = Uint32Array.from(rows)
  const [times, sequences, units, sessions] = [
    block.timesAt(wanted),
    block.sequencesAt(wanted),
    block.unitsAt(wanted),
    block.sessionsAt(wanted)
  ]
  const columns = new Map<string, Column>()
  const isPlaced = hasValues(block.columnAt(columnName.x, wanted), rows.length)
  for (const name of block.columnNames) {
    const column = isPlaced || !axes.has(name) ? block.columnAt(name, wanted) : undefined
    if (column !== undefined) columns.set(name, column)
  }
  const textAt = (name: string, at: number): string | null => {
    const column = columns.get(name)
    const value = column === undefined ? undefined : valueAt(column, at)
    return value === undefined ? null : String(value)
  }
  const axis = (name: string, at: number) => Number(valueAt(columns.get(name)!, at))
  const [argumentColumns, propertyColumns] = [columnsOf(columns, "argument"), columnsOf(columns, "property")]
  return rows.map((_, at) => ({
    sequence: sequences[at]!,
    markerId: names.markerId(sequences[at]!),
    type: block.type ?? textAt(columnName.type, at) ?? "",
    unitId: names.unit(units[at]!),
    sessionId: names.session(sessions[at]!),
    serverId: textAt(columnName.server, at),
    timestamp: times[at]!,
    receivedAt: names.receivedAt(sequences[at]!),
    clamped: textAt(columnName.clamped, at) !== null,
    arguments: valuesAt(argumentColumns, at),
    properties: valuesAt(propertyColumns, at),
    position:
      textAt(columnName.x, at) === null
        ? null
        : [axis(columnName.x, at), axis(columnName.y, at), axis(columnName.z, at)]
  }))
}

import { Effect, Layer, Option, Stream } from "effect"
import type { ByteWriter, ParquetWriter, SchemaElement } from "hyparquet-writer"
import type { TableCell, TableColumn, ColumnKind, TableRow } from "../../domain/analytics/table/Table.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { ParquetFiles } from "../../ports/analytics/ParquetFiles.ts"

/** A row group has so many rows, or so many characters of text, whatever comes first: it is encoded in one turn of the event loop. */
const mostRows = 2048
const mostCharacters = 1 << 19

/** Kept by the build in a part of its own, which is loaded with the first file. */
const library = Effect.promise(() => import("hyparquet-writer"))

const types: Readonly<Record<ColumnKind, Omit<SchemaElement, "name">>> = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  // With a `converted_type` of JSON the library would write the text as a JSON string once more.
  json: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "JSON" } },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  instant: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" }
}

const schemaOf = (columns: ReadonlyArray<TableColumn>): Array<SchemaElement> => [
  { name: "root", num_children: columns.length },
  ...columns.map(({ name, kind }): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...types[kind] }))
]

const valueOf = (kind: ColumnKind, cell: TableCell) => {
  if (typeof cell === "number" && (kind === "integer" || kind === "instant")) return BigInt(cell)
  return cell
}

const charactersOf = (row: TableRow): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === "string" ? cell.length : 0), 0)

/** Gathers rows until they fill a row group. */
const rowGroups = <E, R>(
  groups: Stream.Stream<ReadonlyArray<TableRow>, E, R>
): Stream.Stream<ReadonlyArray<TableRow>, E, R> =>
  Stream.suspend(() => {
    let rows: Array<TableRow> = []
    let characters = 0
    const take = () => {
      const taken = rows
      rows = []
      characters = 0
      return taken
    }
    return groups.pipe(
      Stream.filterMap((group) => {
        for (const row of group) {
          rows.push(row)
          characters += charactersOf(row)
        }
        return rows.length >= mostRows || characters >= mostCharacters ? Option.some(take()) : Option.none()
      }),
      Stream.concat(Stream.suspend(() => (rows.length === 0 ? Stream.empty : Stream.succeed(take()))))
    )
  })

/** What was written since the last time. */
const written = (bytes: ByteWriter): Uint8Array => {
  const copy = bytes.getBytes().slice()
  bytes.index = 0
  return copy
}

const writeGroup = (
  file: ParquetWriter,
  bytes: ByteWriter,
  columns: ReadonlyArray<TableColumn>,
  rows: ReadonlyArray<TableRow>
) =>
  Effect.gen(function* () {
    yield* nextTurn
    const columnData = columns.map(({ name, kind }, at) => ({
      name,
      data: rows.map((row) => valueOf(kind, row[at] ?? null))
    }))
    // A writer of bytes has nothing to wait for.
    void file.write({ columnData, rowGroupSize: rows.length })
    return written(bytes)
  })

const write = <E, R>(
  columns: ReadonlyArray<TableColumn>,
  groups: Stream.Stream<ReadonlyArray<TableRow>, E, R>
): Stream.Stream<Uint8Array, E, R> =>
  Stream.unwrap(
    Effect.map(library, ({ ByteWriter, ParquetWriter }) => {
      const bytes = new ByteWriter()
      const file = new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: "gamekeeper" })
      const end = Effect.sync(() => {
        void file.finish()
        return written(bytes)
      })
      return rowGroups(groups).pipe(
        Stream.mapEffect((rows) => writeGroup(file, bytes, columns, rows)),
        Stream.concat(Stream.fromEffect(end))
      )
    })
  )

export const ParquetFilesNode = Layer.succeed(ParquetFiles, { write })

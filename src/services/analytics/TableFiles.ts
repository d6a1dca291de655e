import { Effect, Option, Stream } from "effect"
import { csvHeading, csvRows } from "../../domain/analytics/table/Csv.ts"
import { ndjsonRows } from "../../domain/analytics/table/Ndjson.ts"
import type { TableColumn, TableRow, Table } from "../../domain/analytics/table/Table.ts"
import { type TableFormat, tableFormats } from "../../domain/analytics/table/TableFormat.ts"
import { ParquetFiles } from "../../ports/analytics/ParquetFiles.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"

/** Rows that are written in one turn of the event loop. */
const atOnce = 1000

const groupsOf = (rows: ReadonlyArray<TableRow>): Stream.Stream<ReadonlyArray<TableRow>> =>
  Stream.unfold(0, (from) =>
    from >= rows.length ? Option.none() : Option.some([rows.slice(from, from + atOnce), from + atOnce])
  )

/** Writes tables of any size in the formats that spreadsheets, notebooks and warehouses read. */
export class TableFiles extends Effect.Service<TableFiles>()("services/analytics/TableFiles", {
  effect: Effect.map(ParquetFiles, (parquet) => {
    /** The bytes of a file with all rows, written while the groups come. */
    const write = <E, R>(
      format: TableFormat,
      columns: ReadonlyArray<TableColumn>,
      groups: Stream.Stream<ReadonlyArray<TableRow>, E, R>
    ): Stream.Stream<Uint8Array, E, R> => {
      if (format === "parquet") return parquet.write(columns, groups)
      const textOf = format === "csv" ? csvRows : ndjsonRows
      const texts = Stream.mapEffect(groups, (rows) => Effect.as(nextTurn, textOf(columns, rows)))
      return Stream.encodeText(format === "csv" ? Stream.concat(Stream.succeed(csvHeading(columns)), texts) : texts)
    }

    const writeTable = (format: TableFormat, { columns, rows }: Table) => write(format, columns, groupsOf(rows))

    return { write, writeTable, contentType: (format: TableFormat) => tableFormats[format] } as const
  })
}) {}

import { Context, type Stream } from "effect"
import type { TableColumn, TableRow } from "../../domain/analytics/table/Table.ts"

/** Writes tables as Apache Parquet, whose values stand by columns: what DuckDB, pandas and warehouses read fastest. */
export class ParquetFiles extends Context.Tag("ports/analytics/ParquetFiles")<
  ParquetFiles,
  {
    /**
     * The bytes of a file with the rows, in their order, whatever the groups they come in. Integers are 64 bits, instants timestamps in
     * milliseconds of UTC, JSON has the logical type JSON. Memory is bounded by a row group, not by the file. A group with a cell that
     * does not fit its column is a defect.
     */
    readonly write: <E, R>(
      columns: ReadonlyArray<TableColumn>,
      groups: Stream.Stream<ReadonlyArray<TableRow>, E, R>
    ) => Stream.Stream<Uint8Array, E, R>
  }
>() {}

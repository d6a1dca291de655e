import { Effect, Predicate, Stream } from "effect"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { type ImportSource, unusable } from "./ImportSource.ts"

/** A value as JSON would have it: instants in ISO 8601, long integers as numbers where these are exact. */
const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (Predicate.isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Predicate.isUint8Array(value)) return null
  if (Array.isArray(value)) return value.map(plain)
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

const rowsAtOnce = 1000

/** The rows of a Parquet file, of which one row group at a time is in memory; `read` hears how many bytes each had. */
export const parquetRows = (
  { name, path }: Pick<ImportSource, "name" | "path">,
  read: (bytes: number) => Effect.Effect<void>
) => {
  const invalid = unusable(`${name} is not a valid Parquet file`)
  return Stream.unwrap(
    Effect.gen(function* () {
      const file = yield* Effect.tryPromise({ try: () => asyncBufferFromFile(path), catch: invalid })
      const metadata = yield* Effect.tryPromise({ try: () => parquetMetadataAsync(file), catch: invalid })
      let rowEnd = 0
      const groups = metadata.row_groups.map((group) => {
        const rowStart = rowEnd
        rowEnd += Number(group.num_rows)
        return { rowStart, rowEnd, bytes: Number(group.total_compressed_size ?? group.total_byte_size) }
      })
      return Stream.fromIterable(groups).pipe(
        Stream.mapEffect(({ bytes, ...range }) =>
          Effect.tryPromise({
            try: () => parquetReadObjects({ file, metadata, compressors, ...range }),
            catch: invalid
          }).pipe(Effect.tap(read(bytes)))
        ),
        Stream.flattenIterables,
        // What is made of the rows takes more memory than they do: it is made of some at a time.
        Stream.rechunk(rowsAtOnce),
        Stream.map((row) => plain(row))
      )
    })
  )
}

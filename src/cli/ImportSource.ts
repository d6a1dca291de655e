import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { parse } from "csv-parse"
import { Chunk, Data, Effect, Option, Predicate, Sink, Stream } from "effect"
import { createBrotliDecompress, createGunzip } from "node:zlib"
import { type CsvForm, type CsvRow, type LooseCells, quotedCsv } from "../domain/ingest/CsvMapping.ts"
import { faultAtEnd, mostQuotedBytes, nothingSeen, seeQuotes } from "../domain/ingest/CsvQuotes.ts"
import { encodingFault } from "../domain/ingest/Encoding.ts"
import { unreadable } from "./Unreadable.ts"

/** The file cannot be imported; `message` is one line for the operator. */
export class SourceUnusable extends Data.TaggedError("SourceUnusable")<{ readonly message: string }> {}

type Bytes<R> = Stream.Stream<Uint8Array, SourceUnusable, R>

export interface ImportSource {
  readonly name: string
  /** Of the file; empty for what is no file of its own. */
  readonly path: string
  /** In bytes; unknown for standard input. */
  readonly size: Option.Option<number>
  readonly kind: "text" | "gzip" | "brotli" | "zip" | "parquet"
  readonly bytes: Bytes<FileSystem.FileSystem>
}

export const unusable = (message: string) => () => new SourceUnusable({ message })

/** Why a file or folder that a person has named cannot be read. */
export const cannotRead = (file: string) =>
  Effect.map(
    unreadable(file),
    (said) => (error: PlatformError) => new SourceUnusable({ message: `Cannot read ${said(error)}` })
  )

/** What a file is by its first four bytes. Brotli has none of its own, so that its name decides. */
const kindOf = (start: ReadonlyArray<number>, name: string): ImportSource["kind"] => {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip"
  const text = String.fromCharCode(...start)
  if (text === "PK\u0003\u0004" || text === "PK\u0005\u0006") return "zip"
  if (text === "PAR1") return "parquet"
  return name.endsWith(".br") ? "brotli" : "text"
}

const openFile = Effect.fnUntraced(function* (file: string, gzip: boolean) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const cannot = yield* cannotRead(file)
  const info = yield* Effect.mapError(files.stat(file), cannot)
  const start = yield* files.stream(file, { bytesToRead: 4 }).pipe(Stream.runCollect, Effect.mapError(cannot))
  const name = path.basename(file)
  const source: ImportSource = {
    name,
    path: file,
    size: Option.some(Number(info.size)),
    kind: gzip
      ? "gzip"
      : kindOf(
          Chunk.toReadonlyArray(start).flatMap((bytes) => [...bytes]),
          name
        ),
    bytes: files.stream(file, { chunkSize: 256 * 1024 }).pipe(Stream.mapError(cannot))
  }
  return source
})

/** Node says of packed bytes that stop before their end that there is no more where more should be. */
const packedFault = (name: string, way: string) => (error: unknown) =>
  new SourceUnusable({
    message:
      Predicate.hasProperty(error, "code") && error.code === "Z_BUF_ERROR"
        ? `${name} is cut off: its ${way} stops before its end, so a part of the file is missing`
        : `${name} is not valid ${way}`
  })

const inflate = <R>({
  bytes,
  kind,
  name
}: Pick<ImportSource, "kind" | "name"> & { readonly bytes: Bytes<R> }): Bytes<R> => {
  if (kind === "gzip") return NodeStream.pipeThroughDuplex(bytes, createGunzip, packedFault(name, "gzip"))
  if (kind === "brotli") return NodeStream.pipeThroughDuplex(bytes, createBrotliDecompress, packedFault(name, "Brotli"))
  return bytes
}

export const nameOf = ({ name }: Pick<ImportSource, "name">): string => (name === "-" ? "Standard input" : name)

/** What a source holds when it is unpacked. Bytes that cannot be text are refused by the first of them. */
export const unpacked = (source: ImportSource) =>
  Stream.suspend(() => {
    let isFirst = true
    return Stream.tap(inflate(source), (bytes) => {
      const fault = isFirst ? encodingFault(bytes) : undefined
      isFirst = false
      return fault === undefined ? Effect.void : new SourceUnusable({ message: `${nameOf(source)} ${fault}` })
    })
  })

/** The first pieces of a stream, of four bytes at least where it has them. */
const firstPieces = Sink.fold<ReadonlyArray<Uint8Array>, Uint8Array>(
  [],
  (pieces) => pieces.reduce((sum, { length }) => sum + length, 0) < 4,
  (pieces, piece) => [...pieces, piece]
)

const isOnlyInFiles = (kind: ImportSource["kind"]) => kind === "zip" || kind === "parquet"

/** What comes through standard input, which nobody can look at twice: what it is by its first bytes is seen as it comes. */
export const standardInput = <R>(bytes: Bytes<R>, isGzip: boolean) =>
  Stream.peel(bytes, firstPieces).pipe(
    Effect.map(([pieces, rest]) => {
      const start = pieces.flatMap((piece) => [...piece.subarray(0, 4)])
      const kind = isGzip ? "gzip" : kindOf(start, "")
      const whole = Stream.concat(Stream.fromIterable(pieces), rest)
      return isOnlyInFiles(kind)
        ? Stream.fail(
            new SourceUnusable({
              message: `Standard input is a ${kind} file, which cannot be read as it comes: give the file in place of -`
            })
          )
        : inflate({ bytes: whole, kind, name: "Standard input" })
    }),
    Stream.unwrapScoped
  )

/** Opens a file, or standard input for `-`, and sees from its first bytes what it is. */
export const openSource = (file: string, gzip: boolean) =>
  file === "-"
    ? Effect.succeed<ImportSource>({
        name: "-",
        path: "",
        size: Option.none(),
        kind: "text",
        bytes: standardInput(NodeStream.stdin.pipe(Stream.mapError(unusable("Standard input cannot be read"))), gzip)
      })
    : openFile(file, gzip)

/** Most bytes that a row may have, so that no file without ends of lines is kept in memory as a whole. */
export const mostRowBytes = 2 * mostQuotedBytes

export const rowMebibytes = mostRowBytes / 1024 / 1024

const faultOf = (error: unknown): string => {
  if (!Predicate.hasProperty(error, "lines") || !Predicate.hasProperty(error, "code")) return ""
  return error.code === "CSV_MAX_RECORD_SIZE"
    ? `: a row has more than ${rowMebibytes} MiB, up to line ${String(error.lines)}`
    : `: line ${String(error.lines)}`
}

/** The bytes as they are, until a quote makes unreadable what stands behind it: that would become one cell. */
const untilBadQuote = (source: ImportSource) =>
  Stream.suspend(() => {
    let seen = nothingSeen
    const refused = (fault: string) => new SourceUnusable({ message: `${nameOf(source)} is not valid CSV: ${fault}` })
    const look = (bytes: Uint8Array) =>
      Effect.map(Effect.mapError(seeQuotes(seen, bytes), refused), (next) => {
        seen = next
        return bytes
      })
    const end = Stream.suspend(() => {
      const fault = faultAtEnd(seen)
      return fault === undefined ? Stream.empty : Stream.fail(refused(fault))
    })
    return Stream.concat(Stream.mapEffect(unpacked(source), look), end)
  })

const parserOf =
  ({ hasQuotes }: CsvForm) =>
  () =>
    parse({
      bom: true,
      ...(hasQuotes ? {} : { quote: null }),
      relax_column_count: true,
      skip_empty_lines: true,
      // The parser would take the end of the first line for that of all, and make one row of others, or leave a carriage return in the last cell.
      record_delimiter: ["\r\n", "\n", "\r"],
      max_record_size: mostRowBytes
    })

/** Looks at the names of the columns before any row. */
type SeeColumns = (columns: ReadonlyArray<string>) => Effect.Effect<void, SourceUnusable>

/** The first line names the columns of all others. */
const byColumns =
  (seeColumns: SeeColumns, { rowOf }: CsvForm) =>
  <E, R>(
    lines: Stream.Stream<ReadonlyArray<string>, E, R>
  ): Stream.Stream<CsvRow | LooseCells, E | SourceUnusable, R> =>
    Stream.suspend(() => {
      let columns: ReadonlyArray<string> | undefined
      const rows = (chunk: Chunk.Chunk<ReadonlyArray<string>>, names: ReadonlyArray<string>) =>
        Chunk.map(chunk, (cells) => rowOf(names, cells))
      return Stream.mapChunksEffect(lines, (chunk) => {
        if (columns !== undefined) return Effect.succeed(rows(chunk, columns))
        const names = Option.getOrElse(Chunk.head(chunk), () => [])
        if (!Chunk.isEmpty(chunk)) columns = names
        return Effect.as(seeColumns(names), rows(Chunk.drop(chunk, 1), names))
      })
    })

/** The rows of a CSV file whose first line names the columns. */
export const csvRows = (source: ImportSource, form: CsvForm = quotedCsv, seeColumns: SeeColumns = () => Effect.void) =>
  Stream.suspend(() => {
    // A parser whose input fails is only told that it ends, and complains of that or is content with it.
    let failure: SourceUnusable | undefined
    const noted = (error: SourceUnusable) =>
      Stream.suspend(() => {
        failure = error
        return Stream.empty
      })
    const bytes = form.hasQuotes ? untilBadQuote(source) : unpacked(source)
    const rows = bytes.pipe(
      Stream.catchAll(noted),
      NodeStream.pipeThroughDuplex<SourceUnusable, ReadonlyArray<string>>(
        parserOf(form),
        (error) => failure ?? new SourceUnusable({ message: `${nameOf(source)} is not valid CSV${faultOf(error)}` })
      ),
      byColumns(seeColumns, form)
    )
    return Stream.concat(
      rows,
      Stream.suspend(() => (failure === undefined ? Stream.empty : Stream.fail(failure)))
    )
  })

import { FileSystem, Path } from "@effect/platform"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { parse } from "csv-parse"
import { Chunk, Data, Effect, Option, Stream } from "effect"
import { createBrotliDecompress, createGunzip } from "node:zlib"
import type { Row } from "../domain/ingest/CsvMapping.ts"

/** The file cannot be imported; `message` is one line for the operator. */
export class SourceUnusable extends Data.TaggedError("SourceUnusable")<{ readonly message: string }> {}

export interface Source {
  readonly name: string
  /** Of the file; empty for what is no file of its own. */
  readonly path: string
  /** In bytes; unknown for standard input. */
  readonly size: Option.Option<number>
  readonly kind: "text" | "gzip" | "brotli" | "zip" | "parquet"
  readonly bytes: Stream.Stream<Uint8Array, SourceUnusable, FileSystem.FileSystem>
}

export const unusable = (message: string) => () => new SourceUnusable({ message })

const standardInput = (isGzip: boolean): Source => ({
  name: "-",
  path: "",
  size: Option.none(),
  kind: isGzip ? "gzip" : "text",
  bytes: NodeStream.stdin.pipe(Stream.mapError(unusable("Standard input cannot be read")))
})

/** What a file is by its first four bytes. Brotli has none of its own, so that its name decides. */
const kindOf = (start: ReadonlyArray<number>, name: string): Source["kind"] => {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip"
  const text = String.fromCharCode(...start)
  if (text === "PK\u0003\u0004" || text === "PK\u0005\u0006") return "zip"
  if (text === "PAR1") return "parquet"
  return name.endsWith(".br") ? "brotli" : "text"
}

const openFile = Effect.fnUntraced(function* (file: string, gzip: boolean) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const cannot = unusable(`Cannot read ${file}`)
  const info = yield* Effect.mapError(files.stat(file), cannot)
  const start = yield* files.stream(file, { bytesToRead: 4 }).pipe(Stream.runCollect, Effect.mapError(cannot))
  const name = path.basename(file)
  const source: Source = {
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

/** Opens a file, or standard input for `-`, and sees from its first bytes what it is. */
export const openSource = (file: string, gzip: boolean) =>
  file === "-" ? Effect.succeed(standardInput(gzip)) : openFile(file, gzip)

const inflate = ({ bytes, kind, name }: Source) => {
  if (kind === "gzip") return NodeStream.pipeThroughDuplex(bytes, createGunzip, unusable(`${name} is not valid gzip`))
  if (kind === "brotli") {
    return NodeStream.pipeThroughDuplex(bytes, createBrotliDecompress, unusable(`${name} is not valid Brotli`))
  }
  return bytes
}

/** The lines of a source that are not empty. */
export const linesOf = (source: Source) =>
  inflate(source).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== "")
  )

const parseJson = Option.liftThrowable((line: string): unknown => JSON.parse(line))

/** The JSON in a line; the line itself where it holds none. */
export const parsedLine = (line: string): unknown => Option.getOrElse(parseJson(line), () => line)

/** The rows of a CSV file whose first line names the columns. */
export const csvRows = (source: Source) =>
  inflate(source).pipe(
    NodeStream.pipeThroughDuplex<SourceUnusable, Row>(
      () => parse({ columns: true, bom: true, relax_column_count: true, skip_empty_lines: true }),
      unusable(`${source.name} is not valid CSV`)
    )
  )

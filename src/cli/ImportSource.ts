import { FileSystem, Path } from "@effect/platform"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { parse } from "csv-parse"
import { Data, Effect, Option, Stream } from "effect"
import { createGunzip } from "node:zlib"
import type { CsvMapping, Row } from "../domain/ingest/CsvMapping.ts"
import { markersOf, missingColumns } from "../domain/ingest/CsvMapping.ts"
import type { ImportRecord } from "../services/ingest/Imports.ts"

/** The file cannot be imported; `message` is one line for the operator. */
export class SourceUnusable extends Data.TaggedError("SourceUnusable")<{ readonly message: string }> {}

export interface Source {
  readonly name: string
  /** In bytes; unknown for standard input. */
  readonly size: Option.Option<number>
  readonly isGzip: boolean
  readonly bytes: Stream.Stream<Uint8Array, SourceUnusable, FileSystem.FileSystem>
}

const unusable = (message: string) => () => new SourceUnusable({ message })

const standardInput = (isGzip: boolean): Source => ({
  name: "-",
  size: Option.none(),
  isGzip,
  bytes: NodeStream.stdin.pipe(Stream.mapError(unusable("Standard input cannot be read")))
})

const openFile = Effect.fnUntraced(function* (file: string, gzip: boolean) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const cannot = unusable(`Cannot read ${file}`)
  const info = yield* Effect.mapError(files.stat(file), cannot)
  const start = yield* files.stream(file, { bytesToRead: 2 }).pipe(Stream.runHead, Effect.mapError(cannot))
  const isGzip = Option.exists(start, ([first, second]) => first === 0x1f && second === 0x8b)
  const source: Source = {
    name: path.basename(file),
    size: Option.some(Number(info.size)),
    isGzip: gzip || isGzip,
    bytes: files.stream(file, { chunkSize: 256 * 1024 }).pipe(Stream.mapError(cannot))
  }
  return source
})

/** Opens a file, or standard input for `-`, and sees from its first bytes whether it is gzip. */
export const openSource = (file: string, gzip: boolean) =>
  file === "-" ? Effect.succeed(standardInput(gzip)) : openFile(file, gzip)

const inflate = ({ bytes, isGzip, name }: Source) =>
  isGzip ? bytes.pipe(NodeStream.pipeThroughDuplex(createGunzip, unusable(`${name} is not valid gzip`))) : bytes

const parsed = (line: string): unknown => Option.getOrElse(parseJson(line), () => line)
const parseJson = Option.liftThrowable((line: string): unknown => JSON.parse(line))

/** One marker a line. A line that is no JSON is a record of one marker that will be rejected. */
export const ndjsonRecords = (source: Source) =>
  inflate(source).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.zipWithIndex,
    Stream.map(([line, index]): ImportRecord => ({ name: `${source.name} ${index} ${line}`, markers: [parsed(line)] }))
  )

/** One row a line, made into markers by the mapping. */
export const csvRecords = (source: Source, mapping: CsvMapping, now: number) =>
  inflate(source).pipe(
    NodeStream.pipeThroughDuplex<SourceUnusable, Row>(
      () => parse({ columns: true, bom: true, relax_column_count: true, skip_empty_lines: true }),
      unusable(`${source.name} is not valid CSV`)
    ),
    Stream.zipWithIndex,
    Stream.mapEffect(([row, index]) => {
      const missing = index === 0 ? missingColumns(mapping, Object.keys(row)) : []
      return missing.length > 0
        ? Effect.fail(new SourceUnusable({ message: `${source.name} has no column ${missing.join(", ")}` }))
        : Effect.succeed<ImportRecord>({
            name: `${source.name} ${index} ${Object.values(row).join("\t")}`,
            markers: markersOf(mapping, row, now)
          })
    })
  )

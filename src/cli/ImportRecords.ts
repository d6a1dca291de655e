import type { FileSystem } from "@effect/platform"
import { Chunk, Effect, Option, Stream } from "effect"
import { isObject } from "../domain/ingest/Collector.ts"
import { writtenWhere } from "../domain/ingest/ExactJson.ts"
import type { CsvMapping } from "../domain/ingest/CsvMapping.ts"
import { isLoose, markersOf, missingColumns, quotedCsv } from "../domain/ingest/CsvMapping.ts"
import { exportDialects } from "../domain/ingest/exports/Dialects.ts"
import type { ExportDialect } from "../domain/ingest/exports/ExportDialect.ts"
import type { ExportMapping, ExportOrigin } from "../domain/ingest/exports/ExportMapping.ts"
import { asSent, markerJson, receiptOf } from "../domain/ingest/exports/OwnExport.ts"
import { mappedMarker, samePlayerOf } from "../domain/ingest/exports/MappedMarker.ts"
import { ofPlayer, type PlayerIds } from "../domain/ingest/exports/PlayerIds.ts"
import type { ImportRecord } from "../services/ingest/Imports.ts"
import { csvRows, type ImportSource, SourceUnusable } from "./ImportSource.ts"
import { linesOf, parsedLine } from "./SourceLines.ts"

/** Hears how many bytes of a file were read. */
export type Read = (bytes: number) => Effect.Effect<void>

const counted = (source: ImportSource, read: Read): ImportSource => ({
  ...source,
  bytes: Stream.tap(source.bytes, ({ length }) => read(length))
})

const needsFrom = ({ kind, name }: ImportSource) =>
  kind === "zip" || kind === "parquet"
    ? new SourceUnusable({
        message: `${name} is a ${kind} file: say by --from of which product it is an export; one of Gamekeeper is taken back as NDJSON (gamekeeper export --format ndjson)`
      })
    : Effect.void

/** Names and values between commas, semicolons or tabs: what begins as an object or a list is a marker that was cut off. */
const isRow = (line: string): boolean => /^(?![{[])[^,;\t]*[,;\t]/.test(line) && typeof parsedLine(line) === "string"

/** The byte order mark of UTF-16, which Windows PowerShell writes with `>`, read as UTF-8. */
const isUtf16 = (line: string): boolean => line.startsWith("\ufffd\ufffd")

/** Looks at the first line of a source for what is wrong with all of it, and refuses the source where something is. */
const needs =
  (faultOfFirst: (line: string) => string | null) =>
  ({ name }: ImportSource, lines: Chunk.Chunk<readonly [line: string, index: number]>) =>
    Option.match(Chunk.head(lines), {
      onSome: ([line, index]) => {
        const fault = index > 0 ? null : isUtf16(line) ? "is UTF-16: save it as UTF-8" : faultOfFirst(line)
        return fault === null
          ? Effect.void
          : new SourceUnusable({ message: `${name === "-" ? "Standard input" : name} ${fault}` })
      },
      onNone: () => Effect.void
    })

const needsMapping = needs((line) =>
  isRow(line) ? "looks like CSV: give --mapping, which says what markers a row gives" : null
)

/** A line as it stands, for who reads what was refused, where the value of it does not say all. */
const asWritten = (line: string): { readonly written?: string } => {
  const written = writtenWhere(line)
  return written === undefined ? {} : { written }
}

const recordOf =
  ({ name }: ImportSource) =>
  ([line, index]: readonly [line: string, index: number]): ImportRecord => {
    const content = Option.getOrElse(markerJson(line), () => line)
    return {
      name: `${name} ${index} ${line}`,
      markers: [asSent(content)],
      read: { file: name, record: index + 1, content, ...asWritten(line) }
    }
  }

/** Most records of one instant that are kept in memory to be put in order. */
const mostOfInstant = 100_000

/**
 * Exports of ours begin with what came last, so that of several markers of one instant the latest would become the earliest: a player would have
 * the properties that were there before. Records of one instant go by the order in which they were received.
 */
const inOrderOfReceipt = <E, R>(records: Stream.Stream<ImportRecord, E, R>) =>
  Stream.suspend(() => {
    let held: Array<readonly [sequence: number, record: ImportRecord]> = []
    let instant: string | undefined
    const ordered = () => held.toSorted(([a], [b]) => a - b).map(([_, record]) => record)
    const next = (chunk: Chunk.Chunk<ImportRecord>) => {
      const ready: Array<ImportRecord> = []
      for (const record of chunk) {
        const receipt = receiptOf(record.read.content)
        if (receipt === undefined || receipt.timestamp !== instant || held.length === mostOfInstant) {
          for (const each of ordered()) ready.push(each)
          held = []
        }
        instant = receipt?.timestamp
        held.push([receipt?.sequence ?? 0, record])
      }
      return Chunk.unsafeFromArray(ready)
    }
    const rest = Stream.suspend(() => Stream.fromIterable(ordered()))
    return Stream.concat(Stream.mapChunks(records, next), rest)
  })

/** One marker a line. A line that is no JSON is a record of one marker that will be rejected; a first one that is a row is refused. */
export const ndjsonRecords = (source: ImportSource, read: Read) =>
  Stream.fromEffect(needsFrom(source)).pipe(
    Stream.flatMap(() => linesOf(counted(source, read))),
    Stream.zipWithIndex,
    Stream.mapChunksEffect((lines) => Effect.as(needsMapping(source, lines), Chunk.map(lines, recordOf(source)))),
    inOrderOfReceipt
  )

const needsColumns =
  ({ name }: ImportSource, mapping: CsvMapping) =>
  (columns: ReadonlyArray<string>) => {
    const missing = missingColumns(mapping, columns)
    return missing.length > 0
      ? new SourceUnusable({ message: `${name} has no column ${missing.join(", ")}` })
      : Effect.void
  }

/** One row a line, made into markers by the mapping. Cells that are no row are a record of one marker that will be rejected. */
export const csvRecords = (source: ImportSource, mapping: CsvMapping, now: number, read: Read) =>
  Stream.fromEffect(needsFrom(source)).pipe(
    Stream.flatMap(() => csvRows(counted(source, read), quotedCsv, needsColumns(source, mapping))),
    Stream.zipWithIndex,
    Stream.map(([row, index]): ImportRecord => ({
      name: `${source.name} ${index} ${Object.values(row).join("\t")}`,
      markers: isLoose(row) ? [row] : markersOf(mapping, row, now),
      read: { file: source.name, record: index + 1, content: row }
    }))
  )

type Events = Stream.Stream<ImportRecord["read"], SourceUnusable, FileSystem.FileSystem>

type Content = Pick<ImportRecord["read"], "content" | "written">

const numbered = <R>(file: string, contents: Stream.Stream<Content, SourceUnusable, R>) =>
  contents.pipe(
    Stream.zipWithIndex,
    Stream.map(([content, index]) => ({ file, record: index + 1, ...content }))
  )

const contentOf = (content: unknown): Content => ({ content })

/** A line that opens a list or an object and ends: the value goes on in the next ones, and none of them is an event. */
const opening = /^\s*[[{]\s*$/

const needsOneLine = needs((line) =>
  opening.test(line)
    ? "is JSON over several lines, and each line should be one event, or one list of events: jq -c . writes it so"
    : null
)

/** The events in a line; one that is all of it as it stands there. */
const eventsInLine = (line: string, { eventsIn }: ExportDialect): ReadonlyArray<Content> => {
  const value = parsedLine(line)
  const events = eventsIn(value)
  return events[0] === value ? [{ content: value, ...asWritten(line) }] : events.map(contentOf)
}

const eventLines = (source: ImportSource, origin: ExportOrigin) =>
  linesOf(source).pipe(
    Stream.zipWithIndex,
    Stream.mapChunksEffect((lines) =>
      Effect.as(
        needsOneLine(source, lines),
        Chunk.unsafeFromArray(
          Chunk.toReadonlyArray(lines).flatMap(([line]) => eventsInLine(line, exportDialects[origin]))
        )
      )
    )
  )

const eventsOf = (source: ImportSource, origin: ExportOrigin, read: Read): Events => {
  if (!exportDialects[origin].hasEvents(source.name)) return Stream.empty
  if (source.kind === "zip") {
    return Stream.unwrap(
      Effect.map(
        Effect.promise(() => import("./ZipEntries.ts")),
        ({ zipEntries }) => Stream.flatMap(zipEntries(source), (entry) => eventsOf(entry, origin, read))
      )
    )
  }
  if (source.kind === "parquet") {
    return Stream.unwrap(
      Effect.map(
        Effect.promise(() => import("./ParquetRows.ts")),
        ({ parquetRows }) => numbered(source.name, Stream.map(parquetRows(source, read), contentOf))
      )
    )
  }
  const known = counted(source, read)
  const isCsv = /\.csv(\.(gz|br))?$/i.test(source.name)
  const rows = () => Stream.map(csvRows(known, exportDialects[origin].csv), contentOf)
  return numbered(source.name, isCsv ? rows() : eventLines(known, origin))
}

/** The events of an export, each made into a marker by the mapping, of the player that its id is. What is no object is a record that will be rejected. */
export const exportRecords = (
  source: ImportSource,
  origin: ExportOrigin,
  mapping: ExportMapping,
  players: PlayerIds,
  read: Read
) =>
  Stream.map(eventsOf(source, origin, read), (event): ImportRecord => {
    if (!isObject(event.content)) return { name: "", markers: [event.content], read: event }
    const mapped = mappedMarker(origin, mapping, event.content)
    return mapped._tag === "LeftOut"
      ? { name: "", markers: [], read: event }
      : { name: mapped.name, markers: [ofPlayer(mapped.marker, players)], read: event }
  })

/** What the events of an export say of ids that are one player. */
export const samePlayers = (source: ImportSource, origin: ExportOrigin, mapping: ExportMapping, read: Read) =>
  Stream.filterMap(eventsOf(source, origin, read), ({ content }) =>
    isObject(content) ? Option.fromNullable(samePlayerOf(origin, mapping, content)) : Option.none()
  )

/** Whether a record that the mapping leaves out says that two ids are one player. */
export const isOfTwoIds = ({ markers, read }: ImportRecord, origin: ExportOrigin, mapping: ExportMapping): boolean =>
  markers.length === 0 && isObject(read.content) && samePlayerOf(origin, mapping, read.content) !== undefined

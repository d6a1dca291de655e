import { FileSystem } from "@effect/platform"
import { Chunk, Console, Effect, Option, Stream } from "effect"
import { createHash } from "node:crypto"
import { quoted } from "../domain/analytics/table/Csv.ts"
import { type CsvRow, isLoose, type LooseCells, quotedCsv } from "../domain/ingest/CsvMapping.ts"
import { type ExportMapping, type ExportOrigin } from "../domain/ingest/exports/ExportMapping.ts"
import { foundPlayers, type PlayerIds, playerIds, type SamePlayer } from "../domain/ingest/exports/PlayerIds.ts"
import { counted } from "../domain/Counted.ts"
import { ImportRefused, isThere } from "./ImportMapping.ts"
import { nameWhole } from "../remote/LastingFile.ts"
import { samePlayers } from "./ImportRecords.ts"
import { csvRows, type ImportSource, openSource, SourceUnusable } from "./ImportSource.ts"

const columns = ["from", "to"]

const needsColumns = (file: string) => (there: ReadonlyArray<string>) => {
  const missing = columns.filter((name) => !there.includes(name))
  return missing.length === 0
    ? Effect.void
    : new SourceUnusable({
        message: `${file} has no column ${missing.join(", ")}: it names ids in from, and players in to`
      })
}

const pairOf = (row: CsvRow | LooseCells): readonly [from: string, to: string] | undefined => {
  const [from = "", to = ""] = isLoose(row) ? [] : [row["from"], row["to"]]
  return from === "" || to === "" ? undefined : [from, to]
}

/** The players that a file names, and a text that tells them from those of another file. */
export const readPlayers = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isNone(named)) return { players: playerIds([]), identity: "" }
  const source = yield* openSource(named.value, false)
  if (source.kind === "zip" || source.kind === "parquet") {
    return yield* new ImportRefused({ message: `${source.name} is a ${source.kind} file: --players takes CSV` })
  }
  const rows = Stream.zipWithIndex(csvRows(source, quotedCsv, needsColumns(source.name)))
  const pairs = Stream.mapEffect(rows, ([row, index]) => {
    const pair = pairOf(row)
    return pair === undefined
      ? new ImportRefused({ message: `${source.name}: row ${index + 1} has not one id in from and one in to` })
      : Effect.succeed(pair)
  })
  const found = Chunk.toReadonlyArray(yield* Stream.runCollect(pairs))
  const hash = createHash("sha256")
  for (const pair of found) hash.update(JSON.stringify(pair))
  return { players: playerIds(found), identity: hash.digest("hex") }
})

/** Ids as they are: an apostrophe before one that a spreadsheet would calculate would make another player of it. */
const lineOf = (cells: ReadonlyArray<string>): string => `${cells.map(quoted).join(",")}\n`

/** The lines of the file, in pieces: a text of all of them may be longer than any text can be. */
const written = (players: PlayerIds) =>
  Stream.concat(Stream.make(columns), Stream.fromIterable(players)).pipe(
    Stream.map(lineOf),
    Stream.grouped(10_000),
    Stream.map((lines) => Chunk.join(lines, "")),
    Stream.encodeText
  )

/** Of what is said of an id, only the first counts, and the first that holds by force. */
const firstOfEach = () => {
  const first = new Map<string, SamePlayer>()
  const see = (same: SamePlayer): void => {
    const key = `${same.isForced} ${same.from}`
    const before = first.get(key)
    if (before === undefined || same.at < before.at) first.set(key, same)
  }
  return { see, all: () => first.values() }
}

/**
 * Writes which ids the events of an export say are one player into a file that must not be there before. It gets its name when it is whole: one that
 * was killed leaves a part beside, which the next one writes anew.
 */
export const findPlayers = Effect.fnUntraced(function* (
  sources: ReadonlyArray<ImportSource>,
  origin: ExportOrigin,
  mapping: ExportMapping,
  file: string
) {
  const files = yield* FileSystem.FileSystem
  const part = `${file}.part`
  // Before the export is read, which may take hours.
  if (yield* files.exists(file)) return yield* isThere(file)
  yield* files.writeFileString(part, "")
  const said = Stream.flatMap(Stream.fromIterable(sources), (source) =>
    samePlayers(source, origin, mapping, () => Effect.void)
  )
  const found = Effect.gen(function* () {
    const { see, all } = firstOfEach()
    yield* Stream.runForEachChunk(said, (chunk) =>
      Effect.sync(() => {
        for (const same of chunk) see(same)
      })
    )
    const players = foundPlayers(all())
    yield* Stream.run(written(players), files.sink(part))
    yield* nameWhole(part, file)
    return players
  })
  const players = yield* Effect.onError(found, () => Effect.ignore(files.remove(part)))
  yield* Console.log(`${counted(players.size, "id")} of ${counted(new Set(players.values()).size, "player")}: ${file}`)
})

import { Chunk, Clock, Console, Effect, Option, Ref, Stream } from "effect"
import type { Configuration } from "../app/Config.ts"
import type { ExportOrigin } from "../domain/ingest/exports/ExportMapping.ts"
import type { ImportSummary } from "../domain/ingest/ImportSummary.ts"
import type { ImportProgress } from "../services/ingest/Imports.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { counted } from "../domain/Counted.ts"
import { filesOf } from "./ImportFiles.ts"
import { csvMapping, exportMapping, ImportRefused } from "./ImportMapping.ts"
import { csvRecords, exportRecords, isOfTwoIds, ndjsonRecords, type Read } from "./ImportRecords.ts"
import { openSource, type ImportSource, type SourceUnusable } from "./ImportSource.ts"
import { loaded } from "./Loaded.ts"
import { findPlayers, readPlayers } from "./PlayersFile.ts"
import { progressBar } from "./ProgressBar.ts"
import { refusedRecords } from "./RefusedRecords.ts"
import { Resumption } from "./Resumption.ts"

/** What the command was given. */
export interface ImportWish extends Configuration {
  readonly files: ReadonlyArray<string>
  readonly environment: Option.Option<string>
  readonly from: Option.Option<ExportOrigin>
  readonly mapping: Option.Option<string>
  readonly printMapping: boolean
  readonly players: Option.Option<string>
  readonly findPlayers: Option.Option<string>
  readonly rejected: Option.Option<string>
  readonly gzip: boolean
}

const twoIdsText = (count: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        `${count} of them say that two ids are one player, and each id was imported as a player:`,
        "--find-players FILE writes which they are, and --players FILE imports them as one (docs/import.md)"
      ]

/** How the records of a source are read, and rules that tell this way of reading from others, for the note of an import that goes on. */
const reading = Effect.fnUntraced(function* (
  from: Option.Option<ExportOrigin>,
  file: Option.Option<string>,
  playersFile: Option.Option<string>
) {
  if (Option.isSome(from)) {
    const mapping = yield* exportMapping(from.value, file)
    const { players, identity } = yield* readPlayers(playersFile)
    const said = yield* Ref.make(0)
    const records = (source: ImportSource, read: Read) =>
      exportRecords(source, from.value, mapping, players, read).pipe(
        Stream.mapChunksEffect((chunk) => {
          const count = Chunk.filter(chunk, (record) => isOfTwoIds(record, from.value, mapping)).length
          return Effect.as(
            Ref.update(said, (sum) => sum + count),
            chunk
          )
        })
      )
    const advice = Option.isSome(playersFile) ? Effect.succeed([]) : Effect.map(Ref.get(said), twoIdsText)
    return { records, identity: `${from.value} ${JSON.stringify(mapping)}${identity}`, advice }
  }
  if (Option.isNone(file)) return { records: ndjsonRecords, identity: "", advice: Effect.succeed([]) }
  const mapping = yield* csvMapping(file.value)
  const now = yield* Clock.currentTimeMillis
  return {
    records: (source: ImportSource, read: Read) => csvRecords(source, mapping, now, read),
    identity: JSON.stringify(mapping),
    advice: Effect.succeed([])
  }
})

const clampedText = (count: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        `${counted(count, "imported marker")} had a timestamp in the future, and got the instant of this import in its place:`,
        "a clock was wrong, or the file has microseconds where milliseconds should be (docs/import.md)"
      ]

const report = ({ records, leftOut, imported, clamped, duplicates, stale, rejected, reasons }: ImportSummary) =>
  [
    `${counted(records, "record")}: ${counted(imported, "marker")} imported, ${counted(duplicates, "duplicate")}, ${stale} stale, ${rejected} rejected`,
    ...Object.entries(reasons).map(([code, count]) => `  ${code}: ${count}`),
    ...clampedText(clamped),
    ...(leftOut === 0 ? [] : [`${counted(leftOut, "record")} left out by the mapping`])
  ].join("\n")

const stoppedText = (summary: ImportSummary): string =>
  [
    `Up to where the import had to stop: ${report(summary)}`,
    "With the file put right, or got anew, the same command imports the rest: what is stored already is a duplicate"
  ].join("\n")

/** Whether every marker was rejected: nothing came of the import. */
const isLost = ({ imported, duplicates, stale, rejected }: ImportSummary): boolean =>
  rejected > 0 && imported + duplicates + stale === 0

const lostText = (file: Option.Option<string>): string =>
  Option.match(file, {
    onNone: () => "Every record was rejected: --rejected FILE gets each of them with the reason",
    onSome: (name) => `Every record was rejected: ${name} has each of them with the reason`
  })

const sizeOf = (sources: ReadonlyArray<ImportSource>): number | undefined =>
  Option.getOrUndefined(
    Option.map(Option.all(sources.map(({ size }) => size)), (sizes) => sizes.reduce((a, b) => a + b, 0))
  )

/** Imports the files. */
export const runImport = Effect.fnUntraced(function* ({ files, environment, from, gzip, ...given }: ImportWish) {
  const { mapping, printMapping, rejected, players, findPlayers: playersTo, ...configuration } = given
  const ofExports = [
    ...(printMapping ? ["--print-mapping"] : []),
    ...(Option.isSome(players) ? ["--players"] : []),
    ...(Option.isSome(playersTo) ? ["--find-players"] : [])
  ]
  if (Option.isNone(from) && ofExports.length > 0) {
    return yield* new ImportRefused({ message: `${ofExports.join(" and ")} needs --from` })
  }
  if (Option.isSome(from) && printMapping) {
    return yield* Console.log(JSON.stringify(yield* exportMapping(from.value, mapping), null, 2))
  }
  if (Option.isSome(from) && Option.isSome(playersTo) && files.length > 0) {
    const sources = yield* Effect.forEach(yield* filesOf(files), (file) => openSource(file, gzip))
    return yield* findPlayers(sources, from.value, yield* exportMapping(from.value, mapping), playersTo.value)
  }
  const missing = [
    ...(files.length === 0 ? ["a file"] : []),
    ...(Option.isNone(environment) && Option.isNone(playersTo) ? ["--environment"] : [])
  ]
  if (Option.isNone(environment) || missing.length > 0) {
    return yield* new ImportRefused({ message: `The import needs ${missing.join(" and ")}` })
  }
  const way = yield* reading(from, mapping, players)
  const found = yield* filesOf(files)
  const sources = yield* Effect.forEach(found, (file) => openSource(file, gzip))
  yield* ifStopped(
    found.includes("-")
      ? "what was stored stays, and the rest of the input was not imported"
      : "what was stored stays, and the same command goes on from there"
  )
  const { Imports, Offline } = yield* loaded(() => import("../app/commands/Offline.ts"))
  const { eventFileIn, isNewFolder } = yield* loaded(() => import("../app/commands/DataFiles.ts"))
  if (yield* isNewFolder(configuration)) {
    const message = `There is no data folder ${configuration.data}: --data names that of the server, which has to be started once`
    return yield* new ImportRefused({ message })
  }
  const bar = yield* progressBar(sizeOf(sources))
  const load = Effect.gen(function* () {
    const imports = yield* Imports
    const id = yield* imports.environmentCalled(environment.value)
    const file = yield* eventFileIn(configuration.data)
    const store = Effect.map(imports.highestSequence(id), (highestSequence) => ({ file, highestSequence }))
    const rules = `${way.identity}\n${yield* imports.limits(id)}`
    const resumption = yield* Resumption(configuration.data, found, id, rules, yield* store)
    const { summary: start, isStale } = yield* resumption.load
    if (isStale) yield* Console.error("What an import of these files had stored is not there any more: it begins anew")
    if (start.records > 0)
      yield* Console.error(`Going on after ${counted(start.records, "record")} of an import that was cut short`)
    const writeRefused = yield* refusedRecords(rejected, start.records > 0)
    const bytes = yield* Ref.make(0)
    const failure = yield* Ref.make(Option.none<SourceUnusable>())
    const records = Stream.flatMap(Stream.fromIterable(sources), (source) =>
      way.records(source, (count) => Ref.update(bytes, (sum) => sum + count))
    ).pipe(
      // What was read before is stored, and told.
      Stream.catchAll((error) => Stream.execute(Ref.set(failure, Option.some(error))))
    )
    const after = Effect.fnUntraced(function* ({ summary, refused }: ImportProgress) {
      yield* writeRefused(refused)
      yield* resumption.save(summary, yield* store)
      yield* bar.show(yield* Ref.get(bytes), summary.records)
      return summary
    })
    const summary = yield* imports.run(id, records, start).pipe(
      Stream.mapEffect(after),
      Stream.runFold(start, (_, reached) => reached)
    )
    const stopped = yield* Ref.get(failure)
    if (Option.isNone(stopped)) yield* resumption.clear
    return { summary, stopped }
  })
  const { summary, stopped } = yield* load.pipe(Effect.provide(Offline(configuration)), Effect.ensuring(bar.finish))
  if (Option.isSome(stopped)) {
    if (summary.records > 0) yield* Console.log(stoppedText(summary))
    return yield* stopped.value
  }
  yield* Console.log([report(summary), ...(yield* way.advice)].join("\n"))
  if (isLost(summary)) return yield* new ImportRefused({ message: lostText(rejected) })
})

import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Clock, Console, Data, Effect, Either, Option, Ref, Schema, Stream } from "effect"
import { options } from "../app/Config.ts"
import { Offline } from "../app/Serve.ts"
import { CsvMapping } from "../domain/ingest/CsvMapping.ts"
import { EnvironmentId } from "../domain/Ids.ts"
import type { ImportSummary } from "../services/ingest/Imports.ts"
import { Imports } from "../services/ingest/Imports.ts"
import { Resumption } from "./Resumption.ts"
import type { Source } from "./ImportSource.ts"
import { csvRecords, ndjsonRecords, openSource } from "./ImportSource.ts"
import { progressBar } from "./ProgressBar.ts"

class ImportRefused extends Data.TaggedError("ImportRefused")<{ readonly message: string }> {}

const parameters = {
  file: Args.text({ name: "file" }).pipe(
    Args.withDescription("NDJSON (one marker a line) or CSV, plain or gzip; - for standard input")
  ),
  environment: Options.integer("environment").pipe(
    Options.withSchema(EnvironmentId),
    Options.withDescription("Id of the environment that takes the markers")
  ),
  mapping: Options.text("mapping").pipe(
    Options.optional,
    Options.withDescription("JSON file that says how a CSV row becomes markers; its presence makes the file a CSV")
  ),
  gzip: Options.boolean("gzip").pipe(Options.withDescription("Standard input is gzip; files are recognized"))
}

const readMapping = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const refused = (reason: string) => new ImportRefused({ message: `The mapping ${file} ${reason}` })
  const text = yield* Effect.mapError(files.readFileString(file), () => refused("cannot be read"))
  const decoded = Schema.decodeUnknownEither(Schema.parseJson(CsvMapping))(text)
  return yield* Either.mapLeft(decoded, (error) => refused(`is not valid: ${error.message}`))
})

const recordsOf = Effect.fnUntraced(function* (source: Source, mapping: Option.Option<string>) {
  if (Option.isNone(mapping)) return ndjsonRecords(source)
  return csvRecords(source, yield* readMapping(mapping.value), yield* Clock.currentTimeMillis)
})

const report = ({ records, imported, duplicates, stale, rejected, reasons }: ImportSummary) =>
  [
    `${records} records: ${imported} markers imported, ${duplicates} duplicates, ${stale} stale, ${rejected} rejected`,
    ...Object.entries(reasons).map(([code, count]) => `  ${code}: ${count}`)
  ].join("\n")

export const ImportCommand = Command.make(
  "import",
  { ...options, ...parameters },
  Effect.fnUntraced(function* ({ file, environment, mapping, gzip, ...configuration }) {
    const source = yield* openSource(file, gzip)
    const resumption = yield* Resumption(
      configuration.data,
      file,
      environment,
      Option.getOrElse(mapping, () => "")
    )
    const start = yield* resumption.load
    if (start.records > 0)
      yield* Console.error(`Going on after ${start.records} records of an import that was cut short`)
    const read = yield* Ref.make(0)
    const counted = {
      ...source,
      bytes: Stream.tap(source.bytes, (chunk) => Ref.update(read, (sum) => sum + chunk.length))
    }
    const bar = yield* progressBar(Option.getOrUndefined(source.size))
    const records = yield* recordsOf(counted, mapping)
    const after = (summary: ImportSummary) =>
      Effect.flatMap(Ref.get(read), (bytes) =>
        Effect.as(Effect.zipRight(resumption.save(summary), bar.show(bytes, summary.records)), summary)
      )
    const summary = yield* Stream.unwrap(
      Effect.map(Imports, (imports) => imports.run(environment, records, start))
    ).pipe(
      Stream.mapEffect(after),
      Stream.runFold(start, (_, summary) => summary),
      Effect.provide(Offline(configuration)),
      Effect.ensuring(bar.finish)
    )
    yield* resumption.clear
    yield* Console.log(report(summary))
  })
).pipe(
  Command.withDescription(
    "Load markers from a file into an environment; a repeat of the same file stores nothing twice"
  )
)

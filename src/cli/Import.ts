import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { options } from "../app/Config.ts"
import { exportOrigins } from "../domain/ingest/exports/ExportMapping.ts"
import { loaded } from "./Loaded.ts"

const parameters = {
  files: Args.text({ name: "file" }).pipe(
    Args.withDescription("Files or folders: NDJSON (one marker a line), CSV, or an export; - for standard input"),
    Args.repeated
  ),
  environment: Options.text("environment").pipe(
    Options.optional,
    Options.withDescription("Id, alias or name of the environment that takes the markers")
  ),
  from: Options.choice("from", exportOrigins).pipe(
    Options.optional,
    Options.withDescription("The files are an export of this product")
  ),
  mapping: Options.text("mapping").pipe(
    Options.optional,
    Options.withDescription(
      "JSON file: changes to the mapping of --from, or without it how a CSV row becomes markers; the files then are CSV"
    )
  ),
  printMapping: Options.boolean("print-mapping").pipe(
    Options.withDescription("Print the mapping of --from, with the changes of --mapping, and import nothing")
  ),
  players: Options.text("players").pipe(
    Options.optional,
    Options.withDescription("CSV with the columns from and to: ids of the export, and the player whose each is")
  ),
  findPlayers: Options.text("find-players").pipe(
    Options.optional,
    Options.withDescription("Write which ids the export says are one player to this file, and import nothing")
  ),
  rejected: Options.text("rejected").pipe(
    Options.optional,
    Options.withDescription("File that gets each rejected record as a line of JSON, with the reason")
  ),
  gzip: Options.boolean("gzip").pipe(Options.withDescription("The input is gzip; needless, since gzip is recognized"))
}

export const ImportCommand = Command.make("import", { ...parameters, ...options }, (wish) =>
  Effect.flatMap(
    loaded(() => import("./ImportRun.ts")),
    ({ runImport }) => runImport(wish)
  )
).pipe(
  Command.withDescription(
    "Load markers from files, or from exports of other products, into an environment; a repeat stores nothing twice"
  )
)

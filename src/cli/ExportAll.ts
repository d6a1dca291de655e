import { Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { options } from "../app/Config.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { counted } from "../domain/Counted.ts"
import { loaded } from "./Loaded.ts"

export const ExportAllCommand = Command.make(
  "export-all",
  {
    data: options.data,
    retentionDays: options.retentionDays,
    s3Endpoint: options.s3Endpoint,
    s3Region: options.s3Region,
    environments: Options.text("environments").pipe(
      Options.withDefault(""),
      Options.withDescription("Ids or aliases of environments, separated by commas; default: all")
    ),
    to: Options.text("to").pipe(Options.withDescription("Folder, or s3://bucket/prefix, of the Parquet files")),
    fresh: Options.boolean("fresh").pipe(
      Options.withDescription("Write every day again, also those whose number of markers has not changed")
    )
  },
  Effect.fnUntraced(function* ({ data, to, environments, retentionDays, fresh, ...settings }) {
    yield* ifStopped("days that are written stay, and a repeat goes on after them")
    const { exportServer } = yield* loaded(() => import("../app/commands/ServerExport.ts"))
    const words = environments.split(",").map((word) => word.trim())
    const wish = { data, to, retentionDays, isFresh: fresh, environments: words.filter((word) => word !== "") }
    const { written, kept, ...seen } = yield* exportServer(wish, settings)
    yield* Console.log(
      `${to} holds the markers of ${counted(seen.environments, "environment")}: ${counted(written, "day")} written, ${kept} as they were`
    )
  })
).pipe(
  Command.withDescription(
    "Write the markers of all environments of a data folder as Parquet, also while a server uses it"
  )
)

import { Command } from "@effect/cli"
import { Effect } from "effect"
import { options } from "../app/Config.ts"
import { loaded } from "./Loaded.ts"

export const DemoCommand = Command.make("demo", options, (configuration) =>
  Effect.flatMap(
    loaded(() => import("../app/commands/OfflineDemo.ts")),
    ({ playOffline }) => playOffline(configuration)
  )
).pipe(Command.withDescription("Play a demo studio into the data folder, then stop"))

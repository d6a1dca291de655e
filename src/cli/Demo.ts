import { Command } from "@effect/cli"
import { Effect } from "effect"
import { options } from "../app/Config.ts"
import { announceDemo } from "../app/DemoStudio.ts"
import { OfflineDemo } from "../app/Serve.ts"
import { Demo } from "../services/demo/Demo.ts"

export const DemoCommand = Command.make("demo", options, (configuration) =>
  announceDemo.pipe(
    Effect.zipRight(Effect.flatMap(Demo, (demo) => demo.goOn())),
    Effect.provide(OfflineDemo(configuration))
  )
).pipe(Command.withDescription("Play a demo studio into the data folder, then stop"))

import { Command } from "@effect/cli"
import { Console, Effect, Layer } from "effect"
import { options } from "../app/Config.ts"
import { Offline } from "../app/Serve.ts"

export const MigrateCommand = Command.make("migrate", options, (configuration) =>
  Layer.build(Offline(configuration)).pipe(
    Effect.scoped,
    Effect.zipRight(Console.log(`The data folder ${configuration.data} is up to date`))
  )
).pipe(Command.withDescription("Bring the data folder up to this version, then stop"))

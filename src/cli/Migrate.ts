import { Command } from "@effect/cli"
import { Console, Effect, Layer } from "effect"
import { isOnCluster } from "../app/Addresses.ts"
import { type Configuration, options } from "../app/Config.ts"
import { Offline } from "../app/Serve.ts"

const outcome = (configuration: Configuration) =>
  Effect.map(isOnCluster(configuration), (isShared) =>
    isShared
      ? "The databases of --metadata and --events are up to date"
      : `The data folder ${configuration.data} is up to date`
  )

export const MigrateCommand = Command.make("migrate", options, (configuration) =>
  Layer.build(Offline(configuration)).pipe(
    Effect.scoped,
    Effect.zipRight(outcome(configuration)),
    Effect.flatMap(Console.log)
  )
).pipe(Command.withDescription("Bring the data folder, or the databases in its place, up to this version, then stop"))

import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Layer } from "effect"
import { isOnCluster } from "../app/Addresses.ts"
import { type Configuration, options } from "../app/Config.ts"
import type { Brought } from "../app/migration/Migration.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { loaded } from "./Loaded.ts"
import { progressBar } from "./ProgressBar.ts"
import { counted } from "../domain/Counted.ts"

class TargetMissing extends Data.TaggedError("TargetMissing")<{ readonly message: string }> {}

const parameters = {
  ...options,
  to: Options.boolean("to").pipe(
    Options.withDescription(
      "Bring the data folder of --data into the empty databases of --metadata and --events; repeat it where it was cut off"
    )
  )
}

const outcome = (configuration: Configuration, isNew: boolean) =>
  Effect.map(isOnCluster(configuration), (isShared) => {
    if (isShared) return "The databases of --metadata and --events are up to date"
    return isNew
      ? `There was no data folder ${configuration.data}: an empty one was made, of this version`
      : `The data folder ${configuration.data} is up to date`
  })

const upToDate = Effect.fnUntraced(function* (configuration: Configuration) {
  const { isNewFolder } = yield* loaded(() => import("../app/commands/DataFiles.ts"))
  const isNew = yield* isNewFolder(configuration)
  const { Offline } = yield* loaded(() => import("../app/commands/Offline.ts"))
  yield* Effect.scoped(Layer.build(Offline(configuration)))
  yield* Console.log(yield* outcome(configuration, isNew))
})

const next = (data: string) => [
  "What to do next:",
  "1. Start the servers with the same --metadata and --events, and the settings that this folder had.",
  "2. Sign in and look around, and ask gamekeeper doctor with the same two options.",
  `3. Start no server over ${data} again: what it took would be missing in the databases. Keep the folder as a backup until you trust them.`
]

const report = (data: string, { wasDone, rows, markers, leftBehind }: Brought) => [
  wasDone
    ? `The folder ${data} was brought into these databases before: nothing was changed`
    : `Brought and compared: ${counted(rows, "row")} of metadata and ${counted(markers, "marker")}. The folder ${data} is as it was`,
  ...(leftBehind === 0
    ? []
    : [`Markers of ${leftBehind} environments that were removed or set aside stayed behind in the folder`]),
  ...next(data)
]

const bring = (configuration: Configuration) =>
  Effect.gen(function* () {
    if (!(yield* isOnCluster(configuration)))
      return yield* new TargetMissing({
        message: "--to needs --metadata and --events, the databases that the data folder is brought into"
      })
    const bar = yield* progressBar(100)
    const { bringFolder } = yield* loaded(() => import("../app/migration/Migration.ts"))
    const brought = yield* bringFolder(configuration, {
      begins: (part) => Effect.zipRight(bar.finish, Console.error(part)),
      reached: (done, total) => bar.show(total === 0 ? 100 : (100 * done) / total, done)
    }).pipe(Effect.ensuring(bar.finish))
    yield* Console.log(report(configuration.data, brought).join("\n"))
  })

export const MigrateCommand = Command.make("migrate", parameters, ({ to, ...configuration }) =>
  Effect.if(Effect.as(ifStopped("what was done stays, and a repeat goes on from there"), to), {
    onTrue: () => bring(configuration),
    onFalse: () => upToDate(configuration)
  })
).pipe(
  Command.withDescription(
    "Bring the data folder, or the databases in its place, up to this version, then stop; --to: bring the folder into databases"
  )
)

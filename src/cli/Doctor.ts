import { Command, Options } from "@effect/cli"
import { Console, Data, Effect } from "effect"
import { isOnCluster } from "../app/Addresses.ts"
import { options } from "../app/Config.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { printFindings } from "./Findings.ts"
import { loaded } from "./Loaded.ts"

class Unhealthy extends Data.TaggedError("Unhealthy")<{ readonly message: string }> {}

class OnlyForFolder extends Data.TaggedError("OnlyForFolder")<{ readonly message: string }> {}

class NothingDone extends Data.TaggedError("NothingDone")<{ readonly message: string }> {}

class OneAtATime extends Data.TaggedError("OneAtATime")<{ readonly message: string }> {}

const parameters = {
  data: options.data,
  metadata: options.metadata,
  events: options.events,
  retentionDays: options.retentionDays,
  deep: Options.boolean("deep").pipe(
    Options.withDescription("Also check every stored marker, and that none is kept past retention")
  ),
  accept: Options.boolean("accept").pipe(
    Options.withDescription(
      "Go on with the files as they are: accept what was lost, and start a file whose partner is missing without it"
    )
  ),
  deleteSetAside: Options.boolean("delete-set-aside").pipe(
    Options.withDescription("Delete the data that starts have set aside, for ever; the server has to be stopped")
  )
}

export const DoctorCommand = Command.make(
  "doctor",
  parameters,
  Effect.fnUntraced(function* ({ deep, accept, deleteSetAside: isDeletion, ...stores }) {
    const { data } = stores
    if ((yield* isOnCluster(stores)) && (accept || isDeletion)) {
      const option = accept ? "--accept" : "--delete-set-aside"
      return yield* new OnlyForFolder({
        message: `${option} is for a data folder, and --metadata and --events name databases: nothing was changed`
      })
    }
    const modes = Object.entries({ "--deep": deep, "--accept": accept, "--delete-set-aside": isDeletion })
    const chosen = modes.filter(([, isChosen]) => isChosen).map(([name]) => name)
    if (chosen.length > 1)
      return yield* new OneAtATime({ message: `Give one of ${chosen.join(" and ")} at a time: nothing was done` })
    const { acceptFiles, diagnose, obstacles } = yield* loaded(() => import("../app/commands/DataFiles.ts"))
    if (isDeletion || accept) {
      const [obstacle] = yield* obstacles(data)
      if (obstacle !== undefined) return yield* new NothingDone({ message: `${obstacle.text}. Nothing was done` })
    }
    if (isDeletion) {
      const { deleteSetAside } = yield* loaded(() => import("../app/commands/Offline.ts"))
      return yield* Console.log(yield* deleteSetAside(data))
    }
    if (accept) return yield* Console.log(yield* acceptFiles(data))
    yield* ifStopped("not everything was looked at, so nothing is known")
    const failure = yield* Effect.flatMap(diagnose(stores, deep), printFindings)
    if (failure !== null) return yield* new Unhealthy({ message: failure })
  })
).pipe(Command.withDescription("Check the data folder, or the databases in its place, in plain words"))

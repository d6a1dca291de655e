import type { Effect } from "effect"
import { Context } from "effect"
import type { EnvironmentId } from "../domain/Ids.ts"
import type { RunningExperiment } from "../domain/delivery/Descriptor.ts"
export class ExperimentRepo extends Context.Tag("ports/ExperimentRepo")<
  ExperimentRepo,
  {
    readonly open: (id: EnvironmentId) => Effect.Effect<ReadonlyArray<RunningExperiment>>
  }
>() {}

import { Effect } from "effect"
import type { RolloutChange, RolloutRecord } from "../../../schema/experiments/Rollout.ts"
import type { ExperimentId } from "../../domain/Ids.ts"
import { demandSame } from "./DemandSame.ts"
import { commandOf } from "./ExperimentRequest.ts"
import type { ApplicationWhere } from "../Where.ts"
import { rolloutOf } from "./ExperimentView.ts"
import { ExperimentWrite } from "./ExperimentWrite.ts"
import { Policy } from "../access/Policy.ts"

/** The share of units that experiments enrol, its plan and its past. */
export class Rollouts extends Effect.Service<Rollouts>()("services/experiments/Rollouts", {
  effect: Effect.gen(function* () {
    const policy = yield* Policy
    const writing = yield* ExperimentWrite

    const get = Effect.fnUntraced(function* ({ applicationId, environmentId }: ApplicationWhere, id: ExperimentId) {
      const { environment } = yield* policy.environment("experiments:read", applicationId, environmentId)
      const { progress } = yield* writing.found(environment.id, id)
      return rolloutOf(progress.rollout) satisfies RolloutRecord
    })

    const change = Effect.fnUntraced(function* (
      { applicationId, environmentId }: ApplicationWhere,
      id: ExperimentId,
      request: RolloutChange
    ) {
      const { environment } = yield* policy.environment("experiments:write", applicationId, environmentId)
      const { progress } = yield* writing.edit(environment.id, id, (present, now) =>
        demandSame(present, request.basedOn).pipe(
          // What goes wrong is paused whatever there is no room for.
          Effect.zipRight(request.action === "pause" ? Effect.void : writing.demandRoomToChange(present)),
          Effect.zipRight(writing.commanded(present, { type: "rollout", command: commandOf(request) }, now))
        )
      )
      return rolloutOf(progress.rollout) satisfies RolloutRecord
    })

    return { get, change } as const
  })
}) {}

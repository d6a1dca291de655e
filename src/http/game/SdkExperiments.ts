import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { SdkExperiments } from "../../services/game/SdkExperiments.ts"
import { BulkAssignments, written } from "./BulkAssignments.ts"
import { toResponse } from "./PlainRequest.ts"
import { polled } from "./Polled.ts"
import { Replay } from "./Replay.ts"

export const SdkExperimentsHttp = HttpApiBuilder.group(Api, "sdkExperiments", (handlers) =>
  Effect.gen(function* () {
    const experiments = yield* SdkExperiments
    const replay = yield* Replay
    const assignments = yield* BulkAssignments
    return handlers
      .handle("active", ({ request, headers, urlParams }) =>
        Effect.map(experiments.active({ version: 2, headers }, urlParams["unit-type"]), (answer) => {
          replay.allow(request, answer.validity)
          return polled(answer, { hash: urlParams.hash, ifNoneMatch: headers["if-none-match"] })
        })
      )
      .handle("assign", ({ request, headers, payload }) =>
        Effect.map(experiments.assign({ version: 2, headers }, payload), ({ bytes, scope }) => {
          assignments.allow(request, scope)
          return toResponse(written(bytes))
        })
      )
  })
)

import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../schema/Api.ts"
import { SdkExperiments } from "../services/SdkExperiments.ts"
import { polled } from "./Polled.ts"
import { Replay } from "./Replay.ts"

export const SdkExperimentsHttp = HttpApiBuilder.group(Api, "sdkExperiments", (handlers) =>
  Effect.gen(function* () {
    const experiments = yield* SdkExperiments
    const replay = yield* Replay
    return handlers
      .handle("active", ({ request, headers, urlParams }) =>
        Effect.map(experiments.active({ version: 2, headers }, urlParams["unit-type"]), (answer) => {
          replay.allow(request, answer)
          return polled(answer, { hash: urlParams.hash, ifNoneMatch: headers["if-none-match"] })
        })
      )
      .handle("assign", ({ headers, payload }) => experiments.assign({ version: 2, headers }, payload))
  })
)

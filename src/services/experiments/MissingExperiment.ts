import { Effect, Option } from "effect"
import { ExperimentIsDraft, ExperimentNotFound } from "../../../schema/experiments/ExperimentErrors.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import type { ExperimentDraftRepo } from "../../ports/experiments/ExperimentDraftRepo.ts"

export const experimentNotFound = (id: ExperimentId) =>
  new ExperimentNotFound({ message: `Experiment ${id} does not exist in this environment` })

/** Says why no experiment of the environment has the id, started or planned to start: there is none, or it is a draft. */
export const missingExperiment = Effect.fnUntraced(function* (
  drafts: ExperimentDraftRepo["Type"],
  environmentId: EnvironmentId,
  id: ExperimentId
) {
  const draft = yield* drafts.find(environmentId, id)
  return yield* Option.isSome(draft)
    ? Effect.fail(new ExperimentIsDraft({ message: `Experiment ${id} is a draft: start it first` }))
    : Effect.fail(experimentNotFound(id))
})

import { Effect, Schema } from "effect"
import { type ExperimentPlan, StoredExperimentPlan } from "../../../schema/experiments/ExperimentRecord.ts"
import type { ExperimentDraft } from "../../domain/experiments/ExperimentDraft.ts"
import { isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { type Changing, ExperimentCheck, noLoss } from "./ExperimentCheck.ts"
import { everyone, groupsOf } from "./ExperimentRequest.ts"
import { draftRecordOf, recordOf, type Surroundings } from "./ExperimentView.ts"
import { StoredMetrics } from "./ExperimentWrite.ts"

/** The plan of a draft as it is stored. */
export const StoredPlan = Schema.parseJson(StoredExperimentPlan)

/** What a draft plans; every stored one can be read. */
export const planIn = ({ plan }: ExperimentDraft) => Effect.orDie(Schema.decode(StoredPlan)(plan))

interface Targeted extends Changing {
  readonly cohortIds: ReadonlyArray<CohortId>
}

interface Planned {
  readonly draft: ExperimentDraft
  readonly plan: ExperimentPlan
}

type Around = Omit<Surroundings, "metrics">

const nothingAround: Around = { ...noLoss, cohortComputations: [] }

/** Experiments and drafts as the API shows them: with what they target and change, as that is now. */
export class ExperimentRecords extends Effect.Service<ExperimentRecords>()("services/experiments/ExperimentRecords", {
  effect: Effect.gen(function* () {
    const { losses } = yield* ExperimentCheck
    const cohorts = yield* CohortRepo

    const surroundings = Effect.fnUntraced(function* (environmentId: EnvironmentId, all: ReadonlyArray<Targeted>) {
      const isTargeted = all.some(({ cohortIds }) => cohortIds.length > 0)
      const known = isTargeted ? yield* cohorts.outlines(environmentId) : []
      const lost = yield* losses(all)
      return all.map(({ cohortIds }, index) => ({
        ...(lost[index] ?? noLoss),
        cohortComputations: known
          .filter(({ id }) => cohortIds.includes(id))
          .map(({ id, status, error }) => ({ cohortId: id, status, error }))
      }))
    })

    const recorded = (experiment: StoredExperiment, around: Around | undefined) =>
      Effect.map(Effect.orDie(Schema.decode(StoredMetrics)(experiment.metrics)), (metrics) =>
        recordOf(experiment, { ...(around ?? nothingAround), metrics })
      )

    const changedBy = (experiment: StoredExperiment): Targeted => ({
      ...experiment,
      cohortIds: experiment.targeting.cohortIds,
      hasEnded: !isOpen(experiment)
    })

    /** Records of settled experiments of the environment, in their order, each made in a turn of the event loop of its own. */
    const of = Effect.fnUntraced(function* (environmentId: EnvironmentId, all: ReadonlyArray<StoredExperiment>) {
      const around = yield* surroundings(environmentId, all.map(changedBy))
      return yield* Effect.forEach(all, (each, index) => Effect.zipRight(nextTurn, recorded(each, around[index])))
    })

    /** The record of a settled experiment. */
    const one = Effect.fnUntraced(function* (experiment: StoredExperiment) {
      const [around] = yield* surroundings(experiment.environmentId, [changedBy(experiment)])
      return yield* recorded(experiment, around)
    })

    const plannedBy = ({ draft, plan }: Planned): Targeted => ({
      environmentId: draft.environmentId,
      baseConfigurationId: plan.baseConfigurationId,
      groups: groupsOf(plan, draft),
      cohortIds: (plan.targeting ?? everyone).cohortIds,
      hasEnded: false
    })

    const draftRecorded = ({ draft, plan }: Planned, around: Around | undefined) =>
      draftRecordOf(draft, plan, { ...(around ?? nothingAround), metrics: plan.metrics })

    const read = (draft: ExperimentDraft) => Effect.map(planIn(draft), (plan) => ({ draft, plan }))

    /** Records of drafts of the environment, made likewise. */
    const ofDrafts = Effect.fnUntraced(function* (environmentId: EnvironmentId, all: ReadonlyArray<ExperimentDraft>) {
      const planned = yield* Effect.forEach(all, (draft) => Effect.zipRight(nextTurn, read(draft)))
      const around = yield* surroundings(environmentId, planned.map(plannedBy))
      return planned.map((each, index) => draftRecorded(each, around[index]))
    })

    /** The record of a draft. */
    const oneDraft = Effect.fnUntraced(function* (draft: ExperimentDraft) {
      const planned = yield* read(draft)
      const [around] = yield* surroundings(draft.environmentId, [plannedBy(planned)])
      return draftRecorded(planned, around)
    })

    return { of, ofDrafts, one, oneDraft } as const
  })
}) {}

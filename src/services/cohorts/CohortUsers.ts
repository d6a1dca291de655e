import { Clock, Effect, Option, Schema } from "effect"
import type { CohortUsage } from "../../../schema/cohorts/CohortUsage.ts"
import { cohortsNamed } from "../../domain/cohorts/CohortUse.ts"
import { at, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { CohortId, EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"

type Using = CohortUsage["experiments"]

const shown = (experiments: ReadonlyArray<StoredExperiment>, now: number): Using =>
  experiments.map((each) => ({ id: each.id, name: each.name, status: at(each, now).progress.status }))

const parse = Schema.decode(Schema.parseJson())

/** The cohorts that are named in what is stored as JSON, found in a turn of the event loop of its own: it may be long. */
export const namedIn = (stored: string): Effect.Effect<ReadonlySet<unknown>> =>
  Effect.zipRight(
    nextTurn,
    Effect.map(Effect.orDie(parse(stored)), (query) => cohortsNamed(query))
  )

/** What cohorts and the experiments of an environment have to do with each other. */
export class CohortUsers extends Effect.Service<CohortUsers>()("services/cohorts/CohortUsers", {
  effect: Effect.gen(function* () {
    const experiments = yield* ExperimentRepo

    const targetingIn = (all: ReadonlyArray<StoredExperiment>, id: CohortId, now: number): Using =>
      shown(
        all.filter((each) => each.targeting.cohortIds.includes(id)),
        now
      )

    /** Finds the experiments that use a cohort, in any status, among those that the environment has now. */
    const finder = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const now = yield* Clock.currentTimeMillis
      const all = yield* experiments.list(environmentId)
      const named = yield* Effect.forEach(all, (each) => namedIn(each.metrics))
      return (id: CohortId) => {
        const measuring = all.filter((_, index) => named[index]?.has(id))
        return { experiments: targetingIn(all, id, now), metricExperiments: shown(measuring, now) }
      }
    })

    /** Experiments that target the cohort, in any status. */
    const targeting = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: CohortId) {
      const now = yield* Clock.currentTimeMillis
      return targetingIn(yield* experiments.list(environmentId), id, now)
    })

    /** The groups of an experiment of the environment; none where it has no such experiment. */
    const groups = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ExperimentId) {
      const found = yield* experiments.find(environmentId, id)
      return Option.map(found, (experiment) => experiment.groups.map((group) => group.id))
    })

    return { finder, targeting, groups } as const
  })
}) {}

import { Clock, DateTime, Effect, Either, Encoding, Schema } from "effect"
import type { ExperimentPlan } from "../../../schema/experiments/ExperimentRecord.ts"
import { ExperimentInvalid } from "../../../schema/experiments/ExperimentErrors.ts"
import { currentVersion } from "../../domain/experiments/Hash.ts"
import { create as begin } from "../../domain/experiments/Lifecycle.ts"
import { at, isOpen, type StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { ExperimentRepo, type NewIds } from "../../ports/experiments/ExperimentRepo.ts"
import { ExperimentCheck } from "./ExperimentCheck.ts"
import { problemsOf, repeatedNames } from "./ExperimentProblems.ts"
import { groupsOf, planOf, refusals, targetingOf } from "./ExperimentRequest.ts"
import { StoredMetrics } from "./ExperimentWrite.ts"

/** Random bytes that make the units of each experiment fall apart in their own way. */
const seedBytes = 12

const invalid = (message: string) => Effect.fail(new ExperimentInvalid({ message }))

export type Scope = Pick<StoredExperiment, "applicationId" | "environmentId" | "createdBy">

/** Makes experiments of plans, whether these were just sent or had been drafts. */
export class ExperimentMaker extends Effect.Service<ExperimentMaker>()("services/experiments/ExperimentMaker", {
  effect: Effect.gen(function* () {
    const { checkMetrics, metricProblems, checkGroups, checkLocks, checkCohorts } = yield* ExperimentCheck
    const experiments = yield* ExperimentRepo
    const secrets = yield* Secrets

    const planned = Effect.fnUntraced(function* (scope: Scope, plan: ExperimentPlan, ids: NewIds | null) {
      const now = yield* Clock.currentTimeMillis
      const { groups, metrics, description = null, hypothesis = null, exclusionLayer = null } = plan
      const problems = problemsOf(plan, now)
      if (problems.length > 0) {
        const others = [...repeatedNames(groups), ...(yield* metricProblems(scope, metrics, now))]
        return yield* invalid([...problems, ...others].join("; "))
      }
      const targeting = targetingOf(plan)
      if (Either.isLeft(targeting)) return yield* invalid(targeting.left)
      const own = ids ?? (yield* experiments.newIds(groups.length))
      const progress = begin(planOf(plan, own.groupIds, now))
      if (Either.isLeft(progress)) return yield* invalid(refusals[progress.left])
      const scheduled: StoredExperiment = {
        ...scope,
        id: own.id,
        revision: 1,
        name: plan.name,
        description,
        hypothesis,
        unitType: plan.unitType,
        assignmentMode: plan.assignmentMode,
        baseConfigurationId: plan.baseConfigurationId,
        autoAssignment: plan.autoAssignment,
        permanentEnrollment: plan.permanentEnrollment,
        exclusionLayer,
        holdoutPercent: plan.holdoutPercent,
        assignedBefore: [],
        events: [],
        seed: Encoding.encodeHex(yield* secrets.bytes(seedBytes)),
        hashVersion: currentVersion,
        groups: groupsOf(plan, own),
        targeting: targeting.right,
        metrics: yield* Effect.orDie(Schema.encode(StoredMetrics)(metrics)),
        progress: progress.right,
        createdAt: DateTime.unsafeMake(now),
        updatedAt: DateTime.unsafeMake(now)
      }
      return at(scheduled, now)
    })

    /**
     * The experiment of a plan, checked beside everything else in its environment. Without `ids` it gets new ones. In the transaction that
     * writes it, its cohorts are to be demanded again: cohorts are deleted without a note for `CheckedWrites`.
     */
    const make = Effect.fnUntraced(function* (scope: Scope, plan: ExperimentPlan, ids: NewIds | null) {
      const experiment = yield* planned(scope, plan, ids)
      yield* checkMetrics(scope, plan.metrics, yield* Clock.currentTimeMillis)
      yield* checkCohorts(experiment)
      yield* checkGroups(experiment)
      if (isOpen(experiment)) yield* checkLocks(experiment)
      return experiment
    })

    return { make, demandCohorts: checkCohorts } as const
  })
}) {}

import { Effect, Either, Option } from "effect"
import { ReferenceInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import { PathLocked } from "../../../schema/configuration/ConfigurationErrors.ts"
import { ExperimentInvalid } from "../../../schema/experiments/ExperimentErrors.ts"
import type { ExperimentMetrics } from "../../../schema/experiments/ExperimentMetric.ts"
import type { ExperimentRecord } from "../../../schema/experiments/ExperimentRecord.ts"
import { ReferenceList, rewrittenMetric } from "../../domain/analytics/question/References.ts"
import { lostPaths } from "../../domain/configuration/Changeset.ts"
import type { Document } from "../../domain/configuration/Document.ts"
import { pathText } from "../../domain/configuration/PathText.ts"
import { changesetFlaw } from "../../domain/configuration/Soundness.ts"
import { conflict } from "../../domain/experiments/PathLock.ts"
import { lockOf, type StoredExperiment, type StoredGroup } from "../../domain/experiments/StoredExperiment.ts"
import type { ConfigurationId, EnvironmentId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { ConfigurationCheck } from "../configuration/ConfigurationCheck.ts"
import { repeatedIds, repeatedNames } from "./ExperimentProblems.ts"
import { MetricPlans } from "./MetricPlans.ts"
import { PathLocks } from "../configuration/PathLocks.ts"
import { References } from "../analytics/References.ts"
import { namedMetrics } from "./ResultsView.ts"

const invalid = (message: string) => Effect.fail(new ExperimentInvalid({ message }))

/** What the groups of an experiment change that the base no longer has. */
export type Loss = Pick<ExperimentRecord, "degraded" | "missingPaths">

export const noLoss: Loss = { degraded: false, missingPaths: [] }

/** What a group changes in the base, as of an experiment that may have ended. */
export interface Changing extends Pick<StoredExperiment, "environmentId" | "baseConfigurationId"> {
  readonly groups: ReadonlyArray<Pick<StoredGroup, "id" | "changeset">>
  readonly hasEnded: boolean
}

type Place = Pick<StoredExperiment, "applicationId" | "environmentId">

/** A base that is gone has lost every path. */
const lossOf = (document: Document | null, groups: Changing["groups"]): Loss => {
  const missingPaths = groups.flatMap(({ id, changeset }) =>
    lostPaths(document ?? {}, changeset).map((path) => ({ groupId: id, path }))
  )
  return { degraded: document === null || missingPaths.length > 0, missingPaths }
}

/** Decides whether an experiment may be as it is, beside everything else in its environment. */
export class ExperimentCheck extends Effect.Service<ExperimentCheck>()("services/experiments/ExperimentCheck", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const configurations = yield* ConfigurationRepo
    const documents = yield* ConfigurationCheck
    const locks = yield* PathLocks
    const plans = yield* MetricPlans
    const references = yield* References

    const base = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ConfigurationId) {
      const found = yield* configurations.find(environmentId, id)
      if (Option.isSome(found)) return found.value
      return yield* Effect.fail(
        new ReferenceInvalid({ message: `There is no configuration ${id} in this environment` })
      )
    })

    /** Metrics as they are asked, what they refer to, and everything that is wrong with them in themselves. */
    const plannedMetrics = Effect.fnUntraced(function* (
      { applicationId }: Pick<Place, "applicationId">,
      metrics: ExperimentMetrics,
      now: number
    ) {
      const requests = namedMetrics(metrics).map(({ request }) => request)
      const problems = [...repeatedIds(requests)]
      const list = new ReferenceList()
      for (const request of requests) {
        const plan = yield* plans.plan(applicationId, request, { now, zone: "UTC", weekStart })
        if (Either.isLeft(plan)) problems.push(`metric ${request.id}: ${plan.left}`)
        else rewrittenMetric(plan.right, list.collecting)
      }
      return { problems, list }
    })

    /** Everything that is wrong with metrics in themselves. `now` in epoch milliseconds. */
    const metricProblems = (place: Pick<Place, "applicationId">, metrics: ExperimentMetrics, now: number) =>
      Effect.map(plannedMetrics(place, metrics, now), ({ problems }) => problems)

    /** Metrics whose ids differ, whose markers and queries can be asked for. `now` in epoch milliseconds. */
    const checkMetrics = Effect.fnUntraced(function* (place: Place, metrics: ExperimentMetrics, now: number) {
      const { problems, list } = yield* plannedMetrics(place, metrics, now)
      if (problems.length > 0) return yield* invalid(problems.join("; "))
      yield* references.demand(place.environmentId, list)
    })

    const checkGroups = Effect.fnUntraced(function* (experiment: StoredExperiment) {
      const { environmentId, groups } = experiment
      const twice = repeatedNames(groups)
      if (twice.length > 0) return yield* invalid(twice.join("; "))
      for (const { name, changeset } of groups) {
        const flaw = changesetFlaw(changeset)
        if (flaw !== null) return yield* invalid(`${pathText(`group ${name}`, flaw.path)}: ${flaw.message}`)
      }
      const check = yield* documents.armCheck(yield* base(environmentId, experiment.baseConfigurationId))
      yield* Effect.forEach(groups, check, { discard: true })
    })

    /** Nobody else holds one of its paths while it may run. */
    const checkLocks = Effect.fnUntraced(function* (experiment: StoredExperiment) {
      const taken = conflict(yield* locks.of(experiment.environmentId), lockOf(experiment))
      if (taken === null) return
      const path = pathText("configuration", taken.path)
      const way = "whoever takes part: end it first, or choose times that do not overlap"
      const message = `Experiment ${taken.experimentId} holds ${path} at the same time, ${way}`
      return yield* Effect.fail(new PathLocked({ message }))
    })

    const checkCohorts = Effect.fnUntraced(function* ({ environmentId, targeting }: StoredExperiment) {
      const list = new ReferenceList()
      for (const id of targeting.cohortIds) list.cohorts.add(id)
      yield* references.demand(environmentId, list)
    })

    const resolvedBase = Effect.fnUntraced(function* (environmentId: EnvironmentId, id: ConfigurationId) {
      const found = yield* configurations.find(environmentId, id)
      return Option.isNone(found) ? null : yield* documents.resolved(found.value)
    })

    /** What groups change that the base no longer has, by experiment; nothing of one that has ended. Experiments on one base have its links resolved once. */
    const losses = Effect.fnUntraced(function* (all: ReadonlyArray<Changing>) {
      const bases = new Map<ConfigurationId, Document | null>()
      const found: Array<Loss> = []
      for (const experiment of all) {
        const { environmentId, baseConfigurationId: id, groups, hasEnded } = experiment
        if (hasEnded) {
          found.push(noLoss)
          continue
        }
        const document = bases.get(id) ?? (yield* resolvedBase(environmentId, id))
        bases.set(id, document)
        yield* nextTurn
        found.push(lossOf(document, groups))
      }
      return found
    })

    return { base, checkMetrics, metricProblems, checkGroups, checkLocks, checkCohorts, losses } as const
  })
}) {}

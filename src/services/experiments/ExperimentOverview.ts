import { Clock, DateTime, Effect, Option } from "effect"
import { CohortNotFound } from "../../../schema/cohorts/CohortErrors.ts"
import type {
  CatalogEntry,
  ContextProperty,
  ExperimentCount,
  GroupCount
} from "../../../schema/experiments/ExperimentCounts.ts"
import type { CohortComputation } from "../../../schema/experiments/ExperimentRecord.ts"
import { at } from "../../domain/experiments/StoredExperiment.ts"
import type { CohortId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { CohortQueue } from "../cohorts/CohortQueue.ts"
import { ContextProperties } from "../game/ContextProperties.ts"
import type { ApplicationWhere } from "../Where.ts"
import { ExperimentWrite } from "./ExperimentWrite.ts"
import { Policy } from "../access/Policy.ts"

/** What is shown of experiments beside themselves: pickers, counts, and the cohorts they wait for. */
export class ExperimentOverview extends Effect.Service<ExperimentOverview>()(
  "services/experiments/ExperimentOverview",
  {
    effect: Effect.gen(function* () {
      const assignments = yield* AssignmentRepo
      const cohorts = yield* CohortRepo
      const experiments = yield* ExperimentRepo
      const policy = yield* Policy
      const properties = yield* ContextProperties
      const queue = yield* CohortQueue
      const writing = yield* ExperimentWrite

      const reading = ({ applicationId, environmentId }: ApplicationWhere) =>
        Effect.map(
          policy.environment("experiments:read", applicationId, environmentId),
          ({ environment }) => environment.id
        )

      const catalog = Effect.fnUntraced(function* (place: ApplicationWhere) {
        const environmentId = yield* reading(place)
        const now = yield* Clock.currentTimeMillis
        return (yield* experiments.list(environmentId)).map((stored) => {
          const { id, name, groups, progress } = at(stored, now)
          return {
            id,
            name,
            status: progress.status,
            groups: groups.map((group) => ({ id: group.id, name: group.name })),
            startsAt: DateTime.unsafeMake(progress.startsAt),
            endsAt: progress.endsAt === null ? null : DateTime.unsafeMake(progress.endsAt)
          }
        }) satisfies ReadonlyArray<CatalogEntry>
      })

      const assignmentCounts = Effect.fnUntraced(function* (place: ApplicationWhere) {
        const environmentId = yield* reading(place)
        const counts = new Map(
          (yield* assignments.counts(environmentId)).map((each) => [each.experimentId, each.count])
        )
        return (yield* experiments.list(environmentId)).map(({ id }) => ({
          experimentId: id,
          count: counts.get(id) ?? 0
        })) satisfies ReadonlyArray<ExperimentCount>
      })

      const groupCounts = Effect.fnUntraced(function* (place: ApplicationWhere, id: ExperimentId) {
        const { groups } = yield* writing.found(yield* reading(place), id)
        const totals = yield* assignments.totals(id)
        return groups.map((group) => {
          const of = (status: "active" | "unenrolled") =>
            totals.find((each) => each.groupId === group.id && each.status === status)?.count ?? 0
          const [active, unenrolled] = [of("active"), of("unenrolled")]
          return { groupId: group.id, count: active + unenrolled, active, unenrolled }
        }) satisfies ReadonlyArray<GroupCount>
      })

      const contextProperties = Effect.fnUntraced(function* (place: ApplicationWhere) {
        return (yield* properties.list(yield* reading(place))) satisfies ReadonlyArray<ContextProperty>
      })

      /** Computes a targeted cohort as soon as possible. */
      const retryCohort = Effect.fnUntraced(function* (
        { applicationId, environmentId }: ApplicationWhere,
        id: ExperimentId,
        cohortId: CohortId
      ) {
        const { environment } = yield* policy.environment("experiments:write", applicationId, environmentId)
        const { targeting } = yield* writing.found(environment.id, id)
        const cohort = yield* cohorts.find(environment.id, cohortId)
        if (Option.isNone(cohort) || !targeting.cohortIds.includes(cohortId)) {
          const message = `Experiment ${id} does not target cohort ${cohortId}`
          return yield* Effect.fail(new CohortNotFound({ message }))
        }
        yield* queue.demand(cohort.value)
        const found = yield* cohorts.find(environment.id, cohortId)
        const { status, error } = Option.getOrElse(found, () => cohort.value)
        return { cohortId, status, error } satisfies CohortComputation
      })

      return { catalog, assignmentCounts, groupCounts, contextProperties, retryCohort } as const
    })
  }
) {}

import { DateTime, Effect } from "effect"
import type { PlayerRecord } from "../../../schema/analytics/Players.ts"
import { groupIn } from "../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { enrolmentLock } from "../experiments/EnrolmentLock.ts"
import { ContextProperties } from "../game/ContextProperties.ts"
import { Exposures } from "../game/Exposures.ts"
import { UnitSights } from "../game/UnitSights.ts"
import { Changes } from "../configuration/Changes.ts"

/** The experiments of a single player. */
export class PlayerAssignments extends Effect.Service<PlayerAssignments>()("services/analytics/PlayerAssignments", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const experiments = yield* ExperimentRepo
    const exposures = yield* Exposures
    const properties = yield* ContextProperties
    const sights = yield* UnitSights
    const changes = yield* Changes
    const transaction = yield* Transaction

    /** Where the unit is assigned, by id of the experiment. */
    const of = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitId: string) {
      const kept = yield* assignments.ofUnits(environmentId, "user", [unitId])
      const all = kept.length === 0 ? [] : yield* experiments.list(environmentId)
      const byId = new Map(all.map((experiment) => [experiment.id, experiment]))
      return kept.flatMap((assignment) => {
        const experiment = byId.get(assignment.experimentId)
        const group = experiment?.groups.find(({ id }) => id === groupIn(assignment))
        if (experiment === undefined || group === undefined) return []
        return [
          {
            experimentId: experiment.id,
            experimentName: experiment.name,
            groupId: group.id,
            groupName: group.name,
            status: assignment.status,
            source: assignment.source,
            assignedAt: DateTime.unsafeMake(assignment.assignedAt)
          }
        ]
      }) satisfies PlayerRecord["assignments"]
    })

    /** Forgets them all, and answers how many there were. */
    const erase = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitId: string) {
      yield* exposures.forget(environmentId, unitId)
      // The lock keeps out whoever sets an assignment by hand: that reads the assignment, stores it again, and would bring back an erased
      // one.
      const count = yield* transaction.run(assignments.eraseUnit(environmentId, unitId), [enrolmentLock(environmentId)])
      yield* properties.forget(environmentId, unitId)
      yield* sights.forget(environmentId, unitId)
      yield* changes.assignmentsChanged(environmentId)
      return count
    })

    return { of, erase } as const
  })
}) {}

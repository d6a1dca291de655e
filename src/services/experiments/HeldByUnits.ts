import { Clock, Effect } from "effect"
import { type Layered, layeredOf } from "../../domain/experiments/Admission.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import { openAt } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId, ExperimentId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"

/** The assignments of units, and the experiments of layers that have not ended. */
export interface HeldByUnits {
  /** For each unit that was asked for, by experiment. */
  readonly held: ReadonlyMap<string, ReadonlyMap<ExperimentId, StoredAssignment>>
  /** Empty where no unit is in any experiment. */
  readonly layered: ReadonlyArray<Layered>
}

/**
 * Reads what decides whether units may enter an experiment of a layer. Both are read from the store, for callers that hold the lock of the
 * environment: another process may just have begun an experiment, and put units into it.
 */
export const makeHeldByUnits = Effect.map(Effect.all([AssignmentRepo, ExperimentRepo]), ([assignments, experiments]) =>
  Effect.fnUntraced(function* (environmentId: EnvironmentId, unitType: UnitType, distinctIds: ReadonlyArray<string>) {
    const held = new Map(distinctIds.map((id) => [id, new Map<ExperimentId, StoredAssignment>()]))
    const found = yield* assignments.ofUnits(environmentId, unitType, [...held.keys()])
    for (const each of found) held.get(each.distinctId)?.set(each.experimentId, each)
    if (found.length === 0) return { held, layered: [] } satisfies HeldByUnits
    const open = openAt(yield* experiments.open(environmentId), yield* Clock.currentTimeMillis)
    return { held, layered: layeredOf(open) } satisfies HeldByUnits
  })
)

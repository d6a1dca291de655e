import type { Running, Wanted } from "../../domain/experiments/Admission.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** Units of one type in an environment. */
export interface EnrolmentPlace {
  readonly environmentId: EnvironmentId
  readonly unitType: UnitType
}

/** Assignments to be stored for the units of one request, decided on the experiments `all`. */
export interface EnrolmentRequest {
  readonly place: EnrolmentPlace
  readonly all: ReadonlyArray<Running>
  readonly wanted: ReadonlyArray<Wanted>
  /** Whether the units are exposed as they enter: then that is stored with their assignments. */
  readonly exposes: boolean
}

/** What is stored for a request, and whether it was stored for it. */
export interface KeptAssignment {
  readonly assignment: StoredAssignment
  readonly isFresh: boolean
}

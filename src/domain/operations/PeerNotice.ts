import type { CohortId, EnvironmentId, ExecutionId } from "../Ids.ts"

/** A change of something that games read. The ids are those of the configurations or experiments that changed. */
export interface ContentNotice {
  readonly kind: "configuration" | "experiments"
  readonly environmentId: EnvironmentId
  /** Counts the changes of the environment, from 1. */
  readonly number: number
  readonly ids: ReadonlyArray<number>
}

/** What a process tells all that share its stores, itself included, because they may hold answers that are no longer true. */
export type PeerNotice =
  | ContentNotice
  /** Keys, projects or environments of any organization. */
  | { readonly kind: "access" }
  /** `assignments`: a person has changed some. `erased`: a unit was erased. `outdated`: its markers are gone. */
  | { readonly kind: "assignments" | "erased" | "outdated"; readonly environmentId: EnvironmentId }
  /** A cohort was made, changed or removed. */
  | { readonly kind: "cohort"; readonly environmentId: EnvironmentId; readonly cohortId: CohortId }
  | { readonly kind: "canceled"; readonly executionId: ExecutionId }

import type { RetentionRule } from "../analytics/markers/RetentionRule.ts"
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
  /** `assignments`: a person has changed some. `outdated`: markers of an erased unit are gone. */
  | { readonly kind: "assignments" | "outdated"; readonly environmentId: EnvironmentId }
  /** A unit, known by its fingerprint, was erased at an instant (epoch ms). */
  | {
      readonly kind: "erased"
      readonly environmentId: EnvironmentId
      readonly fingerprint: string
      readonly erasedAt: number
    }
  /** A cohort was made, changed or removed; then it has no revision. */
  | {
      readonly kind: "cohort"
      readonly environmentId: EnvironmentId
      readonly cohortId: CohortId
      readonly revision: number | null
    }
  /** Markers of the environment are kept by another rule from now on. */
  | { readonly kind: "retention"; readonly environmentId: EnvironmentId; readonly rule: RetentionRule }
  | { readonly kind: "canceled"; readonly executionId: ExecutionId }

import type { DateTime } from "effect"
import type { ApplicationId, EnvironmentId, ExperimentGroupId, ExperimentId, UserId } from "../Ids.ts"

/** An experiment that is planned and not started: it holds no path, and nobody is enrolled in it. */
export interface ExperimentDraft {
  readonly id: ExperimentId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Increases with each write, from 1. */
  readonly revision: number
  /** What is planned as JSON, in the form of the API. */
  readonly plan: string
  /** Of the planned groups, by ordinal; unique across all experiments and drafts. */
  readonly groupIds: ReadonlyArray<ExperimentGroupId>
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

import type { DateTime } from "effect"
import type { ApplicationId, QueryId, UserId } from "../../Ids.ts"

/** A query saved under a name. */
export interface SavedQuery {
  readonly id: QueryId
  readonly applicationId: ApplicationId
  readonly name: string
  readonly description: string | null
  /** Type and specification as JSON, in the form of the API. */
  readonly definition: string
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** Where a list of saved queries continues: after the query with this time and id. */
export type SavedQueryPlace = Pick<SavedQuery, "createdAt" | "id">

import type { DateTime } from "effect"
import type { ApplicationId, QueryId, UserId } from "../../Ids.ts"

/** A query kept by name. */
export interface SavedQuery {
  readonly id: QueryId
  readonly applicationId: ApplicationId
  readonly name: string
  readonly description: string | null
  /** Type and specification, as JSON of the wire. */
  readonly definition: string
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** Where a list of saved queries goes on: after the query made then, with that id. */
export type SavedQueryPlace = Pick<SavedQuery, "createdAt" | "id">

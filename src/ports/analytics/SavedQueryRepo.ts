import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { SavedQuery, SavedQueryPlace } from "../../domain/analytics/question/SavedQuery.ts"
import type { ApplicationId, QueryId } from "../../domain/Ids.ts"

/** Saved queries of projects. */
export class SavedQueryRepo extends Context.Tag("ports/analytics/SavedQueryRepo")<
  SavedQueryRepo,
  {
    readonly insert: (query: SavedQuery) => Effect.Effect<SavedQuery>
    /** Overwrites the query of that id. */
    readonly update: (query: SavedQuery) => Effect.Effect<SavedQuery>
    /** Removes the query with its executions. */
    readonly remove: (applicationId: ApplicationId, id: QueryId) => Effect.Effect<void>
    readonly find: (applicationId: ApplicationId, id: QueryId) => Effect.Effect<Option.Option<SavedQuery>>
    /** At most `limit` queries of the project, oldest first, ties by id; null starts at the first. */
    readonly list: (
      applicationId: ApplicationId,
      after: SavedQueryPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SavedQuery>>
  }
>() {}

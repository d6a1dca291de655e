import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { SavedQuery, SavedQueryPlace, SavedQuerySelection } from "../../domain/analytics/question/SavedQuery.ts"
import type { Size } from "../../domain/Room.ts"
import type { ApplicationId, QueryId, UserId } from "../../domain/Ids.ts"

/** Saved queries of projects, and which of them people have given a star. */
export class SavedQueryRepo extends Context.Tag("ports/analytics/SavedQueryRepo")<
  SavedQueryRepo,
  {
    readonly insert: (query: SavedQuery) => Effect.Effect<SavedQuery>
    /** Overwrites the query of that id. */
    readonly update: (query: SavedQuery) => Effect.Effect<SavedQuery>
    /** Removes the query. Its executions and stars are hidden, and deleted by `RemovedRows.clear`. */
    readonly remove: (applicationId: ApplicationId, id: QueryId) => Effect.Effect<void>
    readonly find: (applicationId: ApplicationId, id: QueryId) => Effect.Effect<Option.Option<SavedQuery>>
    /** At most `limit` selected queries of the project, oldest first, ties by id; null as `after` starts at the first. */
    readonly list: (
      applicationId: ApplicationId,
      selection: SavedQuerySelection,
      after: SavedQueryPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SavedQuery>>
    /** How many queries the project has, and how many characters their definitions and descriptions have together. */
    readonly size: (applicationId: ApplicationId) => Effect.Effect<Size>
    /** Remembers when the query was run last. */
    readonly ran: (id: QueryId, at: DateTime.Utc) => Effect.Effect<void>
    /** Gives the query the person's star, or takes it away; either may be repeated. */
    readonly star: (id: QueryId, userId: UserId, isSet: boolean) => Effect.Effect<void>
    /** Those of the queries that have the person's star. */
    readonly starred: (userId: UserId, ids: ReadonlyArray<QueryId>) => Effect.Effect<ReadonlySet<QueryId>>
  }
>() {}

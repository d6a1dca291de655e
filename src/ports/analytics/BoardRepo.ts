import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Board } from "../../domain/analytics/board/Board.ts"
import type { ApplicationId, BoardId } from "../../domain/Ids.ts"

/** Boards of projects. */
export class BoardRepo extends Context.Tag("ports/analytics/BoardRepo")<
  BoardRepo,
  {
    readonly insert: (board: Board) => Effect.Effect<Board>
    /** Overwrites the board of that id. */
    readonly update: (board: Board) => Effect.Effect<Board>
    readonly remove: (applicationId: ApplicationId, id: BoardId) => Effect.Effect<void>
    readonly find: (applicationId: ApplicationId, id: BoardId) => Effect.Effect<Option.Option<Board>>
    /** All boards of the project, oldest first, ties by id. */
    readonly list: (applicationId: ApplicationId) => Effect.Effect<ReadonlyArray<Board>>
  }
>() {}

import { DateTime, Effect, Layer, Option } from "effect"
import type { Board } from "../../../domain/analytics/board/Board.ts"
import { BoardRepo } from "../../../ports/analytics/BoardRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const byAge = (a: Board, b: Board): number =>
  DateTime.toEpochMillis(a.createdAt) - DateTime.toEpochMillis(b.createdAt) || (a.id < b.id ? -1 : 1)

export const BoardRepoMemory = Layer.effect(
  BoardRepo,
  Effect.map(MemoryDb, ({ access, boards }) =>
    BoardRepo.of({
      insert: (board) => access(() => boards.insert(board)),
      update: (board) => access(() => boards.replace(({ id }) => id === board.id, board)),
      remove: (applicationId, id) =>
        access(() => boards.remove((each) => each.applicationId === applicationId && each.id === id)),
      find: (applicationId, id) =>
        access(() =>
          Option.fromNullable(boards.rows.find((each) => each.applicationId === applicationId && each.id === id))
        ),
      list: (applicationId) =>
        access(() => boards.rows.filter((each) => each.applicationId === applicationId).toSorted(byAge))
    })
  )
)

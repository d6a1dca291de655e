import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { Board } from "../../../src/domain/analytics/board/Board.ts"
import type { ApplicationId } from "../../../src/domain/Ids.ts"
import { BoardId, QueryId, UserId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { BoardRepo } from "../../../src/ports/analytics/BoardRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { addProject } from "../../support/access/Tenants.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const anyText = "Zoë 'O\"Neil' \n%_ 東京 🎮 e\u0301"
const createdAt = DateTime.unsafeMake(1_772_323_199_007)
const nowhere = BoardId.make("00000000-0000-4000-8000-000000000000")
const author = UserId.make("00000000-0000-4000-8000-000000000001")

const addApplication = Effect.map(addProject, ({ id }) => id)

let count = 0

/** Each one's id is less than that of the one before, and all are of one instant. */
const newBoard = (applicationId: ApplicationId, more: Partial<Board> = {}): Board => ({
  id: BoardId.make(`00000000-0000-4000-8000-${String(999_999_999_999 - ++count)}`),
  applicationId,
  name: anyText,
  description: null,
  tiles: [],
  time: null,
  pinned: false,
  createdBy: null,
  createdAt,
  updatedAt: createdAt,
  ...more
})

const full: Partial<Board> = {
  description: anyText,
  tiles: [
    {
      queryId: QueryId.make("00000000-0000-4000-8000-000000000002"),
      x: 11,
      y: 999,
      w: 1,
      h: 24,
      display: "totalBars",
      time: anyText
    }
  ],
  time: anyText,
  pinned: true,
  createdBy: { id: author, email: "ada@studio.test" }
}

for (const [label, store] of everyStore) {
  layer(store)(`boards in ${label}`, (it) => {
    it.effect("gives back what was put in, oldest first, ties by id, in its own project", () =>
      Effect.gen(function* () {
        const boards = yield* BoardRepo
        const [one, other] = [yield* addApplication, yield* addApplication]
        const later = newBoard(one, { createdAt: DateTime.add(createdAt, { millis: 1 }) })
        const [second, first] = [newBoard(one, full), newBoard(one)]
        for (const board of [later, second, first, newBoard(other)])
          assert.deepStrictEqual(yield* boards.insert(board), board)
        assert.deepStrictEqual(yield* boards.list(one), [first, second, later])
        assert.deepStrictEqual(yield* boards.find(one, second.id), Option.some(second))
        assert.deepStrictEqual(yield* boards.find(other, second.id), Option.none())
        assert.deepStrictEqual(yield* boards.find(one, nowhere), Option.none())
      })
    )

    it.effect("changes and removes the one board and no other, and only in its project", () =>
      Effect.gen(function* () {
        const boards = yield* BoardRepo
        const [application, other] = [yield* addApplication, yield* addApplication]
        const [changed, kept] = [newBoard(application), newBoard(application)]
        for (const board of [changed, kept]) yield* boards.insert(board)
        const next = { ...changed, ...full, name: "New" }
        assert.deepStrictEqual(yield* boards.update(next), next)
        assert.deepStrictEqual(yield* boards.list(application), [kept, next])
        yield* boards.remove(other, changed.id)
        assert.strictEqual((yield* boards.list(application)).length, 2)
        yield* boards.remove(application, changed.id)
        assert.deepStrictEqual(yield* boards.list(application), [kept])
      })
    )

    it.effect("goes with its project, and forgets what a failed transaction wrote", () =>
      Effect.gen(function* () {
        const boards = yield* BoardRepo
        const [lost, left] = [yield* addApplication, yield* addApplication]
        const kept = newBoard(left)
        for (const board of [newBoard(lost), kept]) yield* boards.insert(board)
        yield* (yield* ProjectRepo).remove(lost)
        yield* clearRemoved
        assert.deepStrictEqual(yield* boards.list(lost), [])
        const write = Effect.zipRight(boards.update({ ...kept, name: "New" }), Effect.fail("no"))
        yield* Effect.flip((yield* Transaction).run(write))
        assert.deepStrictEqual(yield* boards.list(left), [kept])
      })
    )
  })
}

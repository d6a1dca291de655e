import { DateTime, Effect, Option, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import {
  BoardChanged,
  BoardLimitReached,
  BoardNotFound,
  ReferenceInvalid
} from "../../../schema/analytics/AnalyticsErrors.ts"
import type {
  BoardChange,
  BoardDefinition,
  BoardPage,
  BoardRecord,
  TileDefinition
} from "../../../schema/analytics/Boards.ts"
import { QueryTime } from "../../../schema/analytics/QueryTime.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Board, Tile } from "../../domain/analytics/board/Board.ts"
import { tileProblems, withoutQuery } from "../../domain/analytics/board/Board.ts"
import type { ApplicationId, QueryId } from "../../domain/Ids.ts"
import { BoardId } from "../../domain/Ids.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { BoardRepo } from "../../ports/analytics/BoardRepo.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Policy } from "../access/Policy.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"

const mostBoards = 200

interface Paging {
  readonly limit: number
  readonly cursor?: string | undefined
}

const Time = Schema.NullOr(Schema.parseJson(QueryTime))
const encodeTime = (time: QueryTime | null) => Effect.orDie(Schema.encode(Time)(time))
const decodeTime = (text: string | null) => Effect.orDie(Schema.decode(Time)(text))

const tileOf = (tile: TileDefinition) => Effect.map(encodeTime(tile.time), (time): Tile => ({ ...tile, time }))

const recordOf = Effect.fnUntraced(function* ({ applicationId: _, tiles, time, ...board }: Board) {
  return {
    ...board,
    tiles: yield* Effect.forEach(tiles, (tile) => Effect.map(decodeTime(tile.time), (own) => ({ ...tile, time: own }))),
    time: yield* decodeTime(time)
  } satisfies BoardRecord
})

/** Pages of saved queries. */
export class Boards extends Effect.Service<Boards>()("services/analytics/Boards", {
  effect: Effect.gen(function* () {
    const boards = yield* BoardRepo
    const queries = yield* SavedQueryRepo
    const policy = yield* Policy
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const existing = Effect.fnUntraced(function* (applicationId: ApplicationId, id: BoardId) {
      const found = yield* boards.find(applicationId, id)
      if (Option.isSome(found)) return found.value
      return yield* Effect.fail(new BoardNotFound({ message: `Board ${id} does not exist in this application` }))
    })

    const demandQueries = Effect.fnUntraced(function* (applicationId: ApplicationId, tiles: ReadonlyArray<Tile>) {
      const known = new Set<QueryId>()
      for (const { queryId } of tiles) {
        if (Option.isSome(yield* queries.find(applicationId, queryId))) known.add(queryId)
      }
      const missing = tiles.flatMap(({ queryId }, at) =>
        known.has(queryId) ? [] : [`tiles.${at}.queryId: there is no saved query ${queryId} in this application`]
      )
      if (missing.length > 0) return yield* Effect.fail(new ReferenceInvalid({ message: missing.join("; ") }))
    })

    /** The part of a board that a request says, checked. */
    const checked = Effect.fnUntraced(function* (applicationId: ApplicationId, request: BoardDefinition) {
      const { name, description = null, pinned } = request
      const tiles = yield* Effect.forEach(request.tiles, tileOf)
      const problems = tileProblems(tiles)
      if (problems.length > 0) return yield* Effect.fail(new ValidationFailed({ message: problems.join("; ") }))
      yield* demandQueries(applicationId, tiles)
      return { name, description, tiles, pinned, time: yield* encodeTime(request.time) }
    })

    /** What changes a board beside its own requests: whoever has read it before has to read it again. */
    const rewrite = (board: Board, change: Partial<Board>, now: DateTime.Utc) =>
      boards.update({ ...board, ...change, updatedAt: updateAfter(board, now) })

    /** A project has one pinned board at most: the one that was pinned last. */
    const unpinOthers = Effect.fnUntraced(function* ({ applicationId, id, pinned }: Board, now: DateTime.Utc) {
      if (!pinned) return
      const others = (yield* boards.list(applicationId)).filter((each) => each.pinned && each.id !== id)
      yield* Effect.forEach(others, (each) => rewrite(each, { pinned: false }, now), { discard: true })
    })

    const list = Effect.fnUntraced(function* (applicationId: ApplicationId, { limit, cursor }: Paging) {
      yield* policy.application("analytics:read", applicationId)
      const all = yield* boards.list(applicationId)
      const before = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor)
      if (cursor !== undefined && before < 0) {
        return yield* Effect.fail(
          new ValidationFailed({
            message: "cursor: expected the nextCursor of the page before, whose last board still exists"
          })
        )
      }
      const rest = all.slice(before + 1)
      const items = yield* Effect.forEach(rest.slice(0, limit), recordOf)
      return { items, nextCursor: rest.length > items.length ? (items.at(-1)?.id ?? null) : null } satisfies BoardPage
    })

    const get = Effect.fnUntraced(function* (applicationId: ApplicationId, id: BoardId) {
      yield* policy.application("analytics:read", applicationId)
      return yield* recordOf(yield* existing(applicationId, id))
    })

    const create = Effect.fnUntraced(function* (applicationId: ApplicationId, request: BoardDefinition) {
      // A board that is pinned unpins another one, which is the whole project's.
      if (request.pinned) yield* policy.everyEnvironment("queries:write", applicationId)
      else yield* policy.application("queries:write", applicationId)
      const id = BoardId.make(yield* secrets.uuid)
      const createdAt = yield* DateTime.now
      const createdBy = userOf(yield* Principal)
      const write = Effect.gen(function* () {
        if ((yield* boards.list(applicationId)).length >= mostBoards) {
          const message = `A project has at most ${mostBoards} boards: delete one first`
          return yield* Effect.fail(new BoardLimitReached({ message }))
        }
        const definition = yield* checked(applicationId, request)
        const board = { id, applicationId, ...definition, createdBy, createdAt, updatedAt: createdAt }
        yield* unpinOthers(board, createdAt)
        return yield* boards.insert(board)
      })
      return yield* recordOf(yield* transaction.run(write))
    })

    const update = Effect.fnUntraced(function* (applicationId: ApplicationId, id: BoardId, request: BoardChange) {
      yield* policy.everyEnvironment("queries:write", applicationId)
      const now = yield* DateTime.now
      const write = Effect.gen(function* () {
        const present = yield* existing(applicationId, id)
        yield* demandUnchanged("board", present, request.basedOn, (message) => new BoardChanged({ message }))
        const updatedAt = updateAfter(present, now)
        const board = { ...present, ...(yield* checked(applicationId, request)), updatedAt }
        yield* unpinOthers(board, now)
        return yield* boards.update(board)
      })
      return yield* recordOf(yield* transaction.run(write))
    })

    const remove = Effect.fnUntraced(function* (applicationId: ApplicationId, id: BoardId) {
      yield* policy.everyEnvironment("queries:write", applicationId)
      yield* existing(applicationId, id)
      yield* boards.remove(applicationId, id)
    })

    /** Takes a query that is about to be deleted off every board. Run it in the transaction that deletes the query. */
    const forget = Effect.fnUntraced(function* (applicationId: ApplicationId, queryId: QueryId) {
      const now = yield* DateTime.now
      for (const board of yield* boards.list(applicationId)) {
        const left = withoutQuery(board, queryId)
        if (left !== board) yield* rewrite(left, {}, now)
      }
    })

    return { list, get, create, update, remove, forget } as const
  })
}) {}

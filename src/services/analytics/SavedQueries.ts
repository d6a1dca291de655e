import { DateTime, Duration, Effect, Schema } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { QueryChanged, QueryNotFound, SavedQueryLimitReached } from "../../../schema/analytics/AnalyticsErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import type { ExecuteQuery, QueryResult } from "../../../schema/analytics/Executions.ts"
import { QueryDefinition } from "../../../schema/analytics/SavedQueries.ts"
import type {
  SavedQueryChange,
  SavedQueryDefinition,
  SavedQueryPage,
  SavedQueryRecord,
  SavedQuerySelection
} from "../../../schema/analytics/SavedQueries.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { SavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import {
  charactersOf,
  mayBeSaved,
  mayBecome,
  mostSavedQueries
} from "../../domain/analytics/question/SavedQueryRoom.ts"
import { type ApplicationId, type EnvironmentId, QueryId } from "../../domain/Ids.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Policy } from "../access/Policy.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"
import { Boards } from "./Boards.ts"
import { longPage } from "../LongPage.ts"
import { orWithoutSpace } from "../WithoutSpace.ts"
import { QueryRuns } from "./QueryRuns.ts"
import { Removals } from "../operations/Removals.ts"

const Definition = Schema.parseJson(QueryDefinition)
const encodeDefinition = (definition: QueryDefinition) => Effect.orDie(Schema.encode(Definition)(definition))
export const decodeDefinition = (text: string) => Effect.orDie(Schema.decode(Definition)(text))

const Cursor = Schema.StringFromBase64Url.pipe(
  Schema.compose(Schema.parseJson(Schema.Struct({ createdAt: Schema.DateTimeUtc, id: QueryId })))
)

const recordOf = Effect.fnUntraced(function* (
  { applicationId: _, definition, queryType: _type, ...saved }: SavedQuery,
  starred: boolean
) {
  return { ...saved, starred, ...(yield* decodeDefinition(definition)) } satisfies SavedQueryRecord
})

const full = Effect.fail(
  new SavedQueryLimitReached({
    message: `A project has at most ${mostSavedQueries.count} saved queries, which have at most 16 MiB together: delete some first`
  })
)

/** Runs within this time of the last one that was noted are not noted. */
const notedEvery = Duration.minutes(1)

const isNoted = ({ lastRunAt }: SavedQuery, now: DateTime.Utc): boolean =>
  lastRunAt !== null && DateTime.lessThan(now, DateTime.addDuration(lastRunAt, notedEvery))

const placeOf = (cursor: string | undefined) =>
  cursor === undefined
    ? Effect.succeed(null)
    : Effect.mapError(
        Schema.decode(Cursor)(cursor),
        () => new ValidationFailed({ message: "cursor: expected the nextCursor of the page before" })
      )

/** Queries that a project keeps by name. */
export class SavedQueries extends Effect.Service<SavedQueries>()("services/analytics/SavedQueries", {
  effect: Effect.gen(function* () {
    const queries = yield* SavedQueryRepo
    const secrets = yield* Secrets
    const policy = yield* Policy
    const removals = yield* Removals
    const runs = yield* QueryRuns
    const boards = yield* Boards
    const transaction = yield* Transaction

    /** Asks for no permission: its callers do. */
    const found = Effect.fnUntraced(function* (applicationId: ApplicationId, id: QueryId) {
      const message = `Query ${id} does not exist in application ${applicationId}`
      return yield* Effect.mapError(yield* queries.find(applicationId, id), () => new QueryNotFound({ message }))
    })

    const checkedDefinition = Effect.fnUntraced(function* (
      { name, description = null, listed, ...definition }: SavedQueryDefinition,
      zone: string
    ) {
      yield* runs.check(definition, zone)
      const { queryType } = definition
      return { name, description, listed, queryType, definition: yield* encodeDefinition(definition) }
    })

    /** Those of the queries that have a star of the caller. */
    const starredOf = Effect.fnUntraced(function* (found: ReadonlyArray<SavedQuery>) {
      const user = userOf(yield* Principal)
      const ids = found.map(({ id }) => id)
      return user === null ? new Set<QueryId>() : yield* queries.starred(user.id, ids)
    })

    const recordFor = Effect.fnUntraced(function* (query: SavedQuery) {
      return yield* recordOf(query, (yield* starredOf([query])).has(query.id))
    })

    /** Notes that the query is run. A disk that is full keeps nobody from running it. */
    const noteRun = Effect.fnUntraced(function* (query: SavedQuery) {
      const now = yield* DateTime.now
      if (!isNoted(query, now)) yield* orWithoutSpace(queries.ran(query.id, now), undefined)
    })

    /** Null where nobody can have a star, so that the list is empty. */
    const selectionOf = Effect.fnUntraced(function* ({ search, type, createdBy, starred }: SavedQuerySelection) {
      const user = userOf(yield* Principal)
      const isSet = starred === "true"
      if (isSet && user === null) return null
      return {
        listed: true,
        search: search ?? null,
        queryType: type ?? null,
        createdBy: createdBy ?? null,
        star: starred === undefined || user === null ? null : { userId: user.id, isSet }
      }
    })

    const list = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      { limit, cursor, ...asked }: SavedQuerySelection
    ) {
      yield* policy.application("analytics:read", applicationId)
      const place = yield* placeOf(cursor)
      const selection = yield* selectionOf({ limit, ...asked })
      const { items: shown, isMore } =
        selection === null
          ? { items: [], isMore: false }
          : yield* longPage(
              limit,
              ({ definition }: SavedQuery) => definition.length,
              (after, most) => queries.list(applicationId, selection, after ?? place, most)
            )
      const starred = yield* starredOf(shown)
      const items = yield* Effect.forEach(shown, (query) =>
        Effect.zipRight(nextTurn, recordOf(query, starred.has(query.id)))
      )
      const last = items.at(-1)
      return {
        items,
        nextCursor:
          isMore && last !== undefined
            ? yield* Effect.orDie(Schema.encode(Cursor)({ createdAt: last.createdAt, id: last.id }))
            : null
      } satisfies SavedQueryPage
    })

    const create = Effect.fnUntraced(function* (applicationId: ApplicationId, definition: SavedQueryDefinition) {
      const application = yield* policy.application("queries:write", applicationId)
      const now = yield* DateTime.now
      const author = userOf(yield* Principal)
      const query: SavedQuery = {
        id: QueryId.make(yield* secrets.uuid),
        applicationId,
        ...(yield* checkedDefinition(definition, application.timezone)),
        createdBy: author,
        updatedBy: author,
        createdAt: now,
        updatedAt: now,
        lastRunAt: null
      }
      const write = Effect.gen(function* () {
        if (!mayBeSaved(yield* queries.size(applicationId), query)) return yield* full
        return yield* queries.insert(query)
      })
      return yield* recordOf(yield* transaction.run(write), false)
    })

    const get = Effect.fnUntraced(function* (applicationId: ApplicationId, id: QueryId) {
      yield* policy.application("analytics:read", applicationId)
      return yield* recordFor(yield* found(applicationId, id))
    })

    const update = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      id: QueryId,
      { basedOn, ...definition }: SavedQueryChange
    ) {
      const application = yield* policy.everyEnvironment("queries:write", applicationId)
      yield* found(applicationId, id)
      const changed = yield* checkedDefinition(definition, application.timezone)
      const updatedBy = userOf(yield* Principal)
      const now = yield* DateTime.now
      const write = Effect.gen(function* () {
        const present = yield* found(applicationId, id)
        yield* demandUnchanged("query", present, basedOn, (message) => new QueryChanged({ message }))
        if (
          charactersOf(changed) > charactersOf(present) &&
          !mayBecome(yield* queries.size(applicationId), present, changed)
        )
          return yield* full
        return yield* queries.update({ ...present, ...changed, updatedBy, updatedAt: updateAfter(present, now) })
      })
      return yield* recordFor(yield* transaction.run(write))
    })

    const remove = Effect.fnUntraced(function* (applicationId: ApplicationId, id: QueryId) {
      yield* policy.everyEnvironment("queries:write", applicationId)
      yield* found(applicationId, id)
      const step = Effect.zipRight(boards.forget(applicationId, id), queries.remove(applicationId, id))
      yield* Effect.zipRight(transaction.runRemoval(step), removals.notice)
    })

    /** Gives the query the caller's star, or takes it away. A key of an organization is no person and has none. */
    const star = Effect.fnUntraced(function* (applicationId: ApplicationId, id: QueryId, isSet: boolean) {
      yield* policy.application("analytics:read", applicationId)
      const user = userOf(yield* Principal)
      yield* found(applicationId, id)
      if (user !== null) yield* queries.star(id, user.id, isSet)
    })

    /** Runs the query now, over its own time or another one. */
    const execute = Effect.fnUntraced(function* (
      where: { readonly applicationId: ApplicationId; readonly environmentId: EnvironmentId },
      id: QueryId,
      request: ExecuteQuery
    ) {
      yield* policy.environment("analytics:read", where.applicationId, where.environmentId)
      const query = yield* found(where.applicationId, id)
      const result = yield* runs.run(where, yield* decodeDefinition(query.definition), request?.time)
      yield* noteRun(query)
      return result satisfies QueryResult
    })

    return { found, noteRun, list, create, get, update, remove, star, execute } as const
  })
}) {}

import { DateTime, Effect, Schema } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { QueryNotFound } from "../../../schema/analytics/AnalyticsErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import type { ExecuteQuery, QueryResult } from "../../../schema/analytics/Executions.ts"
import { QueryDefinition } from "../../../schema/analytics/SavedQueries.ts"
import type { SavedQueryDefinition, SavedQueryPage, SavedQueryRecord } from "../../../schema/analytics/SavedQueries.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { SavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import { type ApplicationId, type EnvironmentId, QueryId } from "../../domain/Ids.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Policy } from "../access/Policy.ts"
import { Boards } from "./Boards.ts"
import { QueryRuns } from "./QueryRuns.ts"

const Definition = Schema.parseJson(QueryDefinition)
const encodeDefinition = (definition: QueryDefinition) => Effect.orDie(Schema.encode(Definition)(definition))
export const decodeDefinition = (text: string) => Effect.orDie(Schema.decode(Definition)(text))

const Cursor = Schema.StringFromBase64Url.pipe(
  Schema.compose(Schema.parseJson(Schema.Struct({ createdAt: Schema.DateTimeUtc, id: QueryId })))
)

const recordOf = Effect.fnUntraced(function* ({ applicationId: _, definition, ...saved }: SavedQuery) {
  return { ...saved, ...(yield* decodeDefinition(definition)) } satisfies SavedQueryRecord
})

const placeOf = (cursor: string | undefined) =>
  cursor === undefined
    ? Effect.succeed(null)
    : Effect.mapError(
        Schema.decode(Cursor)(cursor),
        () => new ValidationFailed({ message: "cursor: expected the nextCursor of a page before" })
      )

/** Queries that a project keeps by name. */
export class SavedQueries extends Effect.Service<SavedQueries>()("services/analytics/SavedQueries", {
  effect: Effect.gen(function* () {
    const queries = yield* SavedQueryRepo
    const secrets = yield* Secrets
    const policy = yield* Policy
    const runs = yield* QueryRuns
    const boards = yield* Boards
    const transaction = yield* Transaction

    /** Asks for no permission: its callers do. */
    const found = Effect.fn("SavedQueries.found")(function* (applicationId: ApplicationId, id: QueryId) {
      const message = `Query ${id} does not exist in application ${applicationId}`
      return yield* Effect.mapError(yield* queries.find(applicationId, id), () => new QueryNotFound({ message }))
    })

    const checkedDefinition = Effect.fnUntraced(function* (
      { name, description = null, ...definition }: SavedQueryDefinition,
      zone: string
    ) {
      yield* runs.check(definition, zone)
      return { name, description, definition: yield* encodeDefinition(definition) }
    })

    const list = Effect.fn("SavedQueries.list")(function* (
      applicationId: ApplicationId,
      { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }
    ) {
      yield* policy.application("analytics:read", applicationId)
      const rows = yield* queries.list(applicationId, yield* placeOf(cursor), limit + 1)
      const items = yield* Effect.forEach(rows.slice(0, limit), recordOf)
      const last = items.at(-1)
      const isMore = rows.length > items.length && last !== undefined
      return {
        items,
        nextCursor: isMore
          ? yield* Effect.orDie(Schema.encode(Cursor)({ createdAt: last.createdAt, id: last.id }))
          : null
      } satisfies SavedQueryPage
    })

    const create = Effect.fn("SavedQueries.create")(function* (
      applicationId: ApplicationId,
      definition: SavedQueryDefinition
    ) {
      const application = yield* policy.application("queries:write", applicationId)
      const now = yield* DateTime.now
      const query = {
        id: QueryId.make(yield* secrets.uuid),
        applicationId,
        ...(yield* checkedDefinition(definition, application.timezone)),
        createdBy: userOf(yield* Principal),
        createdAt: now,
        updatedAt: now
      }
      return yield* recordOf(yield* queries.insert(query))
    })

    const get = Effect.fn("SavedQueries.get")(function* (applicationId: ApplicationId, id: QueryId) {
      yield* policy.application("analytics:read", applicationId)
      return yield* recordOf(yield* found(applicationId, id))
    })

    const update = Effect.fn("SavedQueries.update")(function* (
      applicationId: ApplicationId,
      id: QueryId,
      definition: SavedQueryDefinition
    ) {
      const application = yield* policy.everyEnvironment("queries:write", applicationId)
      const query = yield* found(applicationId, id)
      const changed = yield* checkedDefinition(definition, application.timezone)
      return yield* recordOf(yield* queries.update({ ...query, ...changed, updatedAt: yield* DateTime.now }))
    })

    const remove = Effect.fn("SavedQueries.remove")(function* (applicationId: ApplicationId, id: QueryId) {
      yield* policy.everyEnvironment("queries:write", applicationId)
      yield* found(applicationId, id)
      yield* transaction.run(Effect.zipRight(boards.forget(applicationId, id), queries.remove(applicationId, id)))
    })

    /** Runs the query now, over its own time or another one. */
    const execute = Effect.fn("SavedQueries.execute")(function* (
      where: { readonly applicationId: ApplicationId; readonly environmentId: EnvironmentId },
      id: QueryId,
      request: ExecuteQuery
    ) {
      yield* policy.environment("analytics:read", where.applicationId, where.environmentId)
      const definition = yield* decodeDefinition((yield* found(where.applicationId, id)).definition)
      return (yield* runs.run(where, definition, request?.time)) satisfies QueryResult
    })

    return { found, list, create, get, update, remove, execute } as const
  })
}) {}

import { SqlClient, SqlSchema } from "@effect/sql"
import type { Statement } from "@effect/sql"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { ExecutionState, Requester } from "../../../domain/analytics/question/Execution.ts"
import { ApplicationId, EnvironmentId, ExecutionId, type OrganizationId, QueryId } from "../../../domain/Ids.ts"
import { ExecutionRepo } from "../../../ports/analytics/ExecutionRepo.ts"
import { farthestPlanMillis } from "../../../domain/operations/DueTime.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { documentsAtOnce, inPortions } from "../Portions.ts"
import { atOpening } from "../Opening.ts"
import { Instant, JsonText, tableOf } from "../Rows.ts"
import { servedLast } from "../ServedLast.ts"

const Row = Schema.Struct({
  id: ExecutionId,
  queryId: QueryId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  idempotencyKey: Schema.NullOr(Schema.String),
  requester: JsonText(Requester),
  definition: Schema.String,
  state: ExecutionState,
  rowsScanned: Schema.Int,
  rowsTotal: Schema.Int,
  result: Schema.NullOr(Schema.String),
  error: Schema.NullOr(JsonText(Schema.Struct({ code: Schema.String, message: Schema.String }))),
  attempts: Schema.Int,
  requestedAt: Instant,
  startedAt: Schema.NullOr(Instant),
  finishedAt: Schema.NullOr(Instant)
})

const Owned = Schema.Struct({ ...Row.pick("id").fields, owner: Schema.String })

const Ending = Schema.Struct({
  ...Owned.fields,
  ...Row.pick("state", "rowsScanned", "rowsTotal", "result", "error", "finishedAt").fields
})

const Renewal = Schema.Struct({ ...Owned.fields, until: Instant, ...Row.pick("rowsScanned", "rowsTotal").fields })

const Counted = Schema.Struct({ unfinished: Schema.Int })

/** Those of removed environments and queries are hidden until they are deleted. */
const ofPresent = (sql: SqlClient.SqlClient) =>
  sql`environment_id in (select id from environments) and query_id in (select id from saved_queries)`

const changing = Effect.map(SqlClient.SqlClient, (sql) => {
  const isPresent = ofPresent(sql)
  const changed = (statement: Statement.Statement<object>) =>
    Effect.orDie(SqlSchema.findOne({ Request: Schema.Void, Result: Row, execute: () => statement })(undefined))
  /** In the order in which they were queued. PostgreSQL passes over what another process takes at the same time. */
  const { order, lock } = sql.onDialectOrElse({
    pg: () => ({ order: sql`queued`, lock: sql`for update of waiting skip locked` }),
    orElse: () => ({ order: sql`rowid`, lock: sql`` })
  })
  const isHeld = (id: string, owner: string) =>
    sql`id = ${id} and state = 'running' and claimed_by = ${owner} and ${isPresent}`
  const end = SqlSchema.findOne({
    Request: Ending,
    Result: Row,
    execute: ({ id, owner, ...ending }) =>
      sql`update executions set ${sql.update(ending)} where ${isHeld(id, owner)} returning *`
  })
  const renew = SqlSchema.findOne({
    Request: Renewal,
    Result: Row.pick("id"),
    execute: ({ id, owner, until, rowsScanned, rowsTotal }) =>
      sql`update executions set claimed_until = ${until}, rows_scanned = ${rowsScanned}, rows_total = ${rowsTotal}
        where ${isHeld(id, owner)} returning id`
  })
  return {
    renew: (renewal: typeof Renewal.Type) => Effect.orDie(renew(renewal)),
    leave: (id: ExecutionId, owner: string) =>
      Effect.asVoid(Effect.orDie(sql`update executions set attempts = attempts - 1 where ${isHeld(id, owner)}`)),
    claim: (startedAt: DateTime.Utc, owner: string, until: DateTime.Utc, served: ReadonlyArray<OrganizationId>) =>
      changed(sql`update executions set state = 'running', started_at = ${DateTime.formatIso(startedAt)}, attempts = attempts + 1,
          claimed_by = ${owner}, claimed_until = ${DateTime.formatIso(until)}
        where id = (
          select id from executions as waiting where state = 'queued' and finished_at is null and ${isPresent}
          order by ${servedLast(sql, served)} (
            select count(*) from executions as busy
            where busy.state = 'running' and busy.application_id = waiting.application_id and busy.finished_at is null
          ), ${order} limit 1 ${lock}
        ) returning *`),
    finish: (ending: typeof Ending.Type) => Effect.map(Effect.orDie(end(ending)), Option.isSome),
    cancel: (id: ExecutionId, finishedAt: DateTime.Utc) =>
      changed(sql`update executions set state = 'canceled', finished_at = ${DateTime.formatIso(finishedAt)}
        where id = ${id} and finished_at is null and ${isPresent} returning *`)
  }
})

export const ExecutionRepoSql = Layer.effect(
  ExecutionRepo,
  Effect.gen(function* () {
    const { sql, ...executions } = yield* tableOf("executions", Row, Row)
    const { claim, renew, leave, finish, cancel } = yield* changing
    yield* atOpening(sql`update executions set claimed_until = null where state = 'running' and finished_at is null`)
    const isPresent = ofPresent(sql)
    const count = SqlSchema.single({
      Request: ApplicationId,
      Result: Counted,
      execute: (applicationId) => sql`select count(*) as unfinished from executions
        where application_id = ${applicationId} and state in ('queued', 'running') and finished_at is null and ${isPresent}`
    })
    const ended = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: Row.pick("id"),
      execute: (id) => sql`select id from executions where environment_id = ${id} and finished_at is not null`
    })
    return ExecutionRepo.of({
      insert: executions.insert,
      find: (queryId, id) => executions.findWhere(sql`query_id = ${queryId} and id = ${id} and ${isPresent}`),
      findByKey: (queryId, environmentId, idempotencyKey) =>
        executions.findWhere(
          sql`query_id = ${queryId} and environment_id = ${environmentId} and idempotency_key = ${idempotencyKey}
            and ${isPresent}`
        ),
      unfinished: (applicationId) => Effect.orDie(Effect.map(count(applicationId), ({ unfinished }) => unfinished)),
      claim: claim,
      finish: (id, owner, ending) => finish({ id, owner, ...ending }),
      renew: (owner, until, progress) =>
        Effect.map(
          Effect.forEach(progress, ({ id, rowsScanned, rowsTotal }) =>
            renew({ id, owner, until, rowsScanned, rowsTotal })
          ),
          (renewed) => renewed.flatMap(Option.match({ onNone: () => [], onSome: ({ id }) => [id] }))
        ),
      leave: leave,
      cancel: cancel,
      requeue: (before) =>
        Effect.map(
          Effect.orDie(sql`update executions
            set state = 'queued', started_at = null, rows_scanned = 0, rows_total = 0, claimed_by = null, claimed_until = null
            where state = 'running' and finished_at is null
              and (claimed_until is null or claimed_until < ${DateTime.formatIso(before)}
                or claimed_until > ${DateTime.formatIso(DateTime.add(before, { millis: farthestPlanMillis }))})
            returning 1`),
          ({ length }) => length
        ),
      removeMentioning: Effect.fnUntraced(function* (environmentId, test) {
        for (const { id } of yield* Effect.orDie(ended(environmentId))) {
          yield* nextTurn
          const found = yield* executions.findWhere(sql`id = ${id}`)
          if (Option.isNone(found)) continue
          const { result, definition } = found.value
          if ([result ?? "null", definition].some(test)) yield* executions.removeWhere(sql`id = ${id}`)
        }
      }),
      removeFinished: (before) =>
        inPortions(
          documentsAtOnce,
          Effect.map(
            sql`delete from executions where id in (
              select id from executions where finished_at is not null and finished_at < ${DateTime.formatIso(before)}
              limit ${documentsAtOnce}
            ) returning 1`,
            ({ length }) => length
          )
        ).pipe(Effect.orDie, Effect.asVoid)
    })
  })
)

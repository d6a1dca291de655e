import { SqlSchema, type Statement } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { ApplicationId, DeliveryId, OrganizationId, WebhookId } from "../../../domain/Ids.ts"
import { farthestPlanMillis } from "../../../domain/operations/DueTime.ts"
import { type DeliveryFilter, WebhookRepo } from "../../../ports/operations/WebhookRepo.ts"
import { LongReads } from "../LongReads.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { inPortions, rowsAtOnce } from "../Portions.ts"
import { Flag, Instant, JsonText, tableOf } from "../Rows.ts"
import { isIdOfTimeCome } from "../TimesCome.ts"

const WebhookRow = Schema.Struct({
  id: WebhookId,
  organizationId: OrganizationId,
  name: Schema.String,
  url: Schema.String,
  format: Schema.Literal("standard", "slack"),
  types: JsonText(Schema.Array(Schema.String)),
  applicationIds: Schema.NullOr(JsonText(Schema.Array(ApplicationId))),
  secret: Schema.String,
  previousSecret: Schema.NullOr(Schema.String),
  previousUntil: Schema.NullOr(Instant),
  isActive: Flag,
  switchedOff: Schema.NullOr(Schema.String),
  failingSince: Schema.NullOr(Instant),
  createdBy: PersonColumn,
  createdAt: Instant,
  updatedAt: Instant
})

const Attempt = Schema.Struct({
  at: Schema.Int,
  millis: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  answer: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String)
})

const NewDeliveryRow = Schema.Struct({
  webhookId: WebhookId,
  organizationId: OrganizationId,
  eventId: Schema.String,
  type: Schema.String,
  objectKey: Schema.String,
  payload: Schema.String,
  state: Schema.Literal("waiting", "delivered", "failed"),
  attempts: JsonText(Schema.Array(Attempt)),
  tries: Schema.Int,
  nextAt: Schema.Int,
  createdAt: Schema.Int
})

const DeliveryRow = Schema.Struct({ id: DeliveryId, ...NewDeliveryRow.fields })

const WaitingRow = Schema.Struct({ webhookId: WebhookId, waiting: Schema.Int })

export const WebhookRepoSql = Layer.effect(
  WebhookRepo,
  Effect.gen(function* () {
    const { sql, ...webhooks } = yield* tableOf("webhooks", WebhookRow, WebhookRow)
    const long = yield* LongReads
    const deliveries = yield* tableOf("webhook_deliveries", DeliveryRow, NewDeliveryRow)

    const list = SqlSchema.findAll({
      Request: OrganizationId,
      Result: WebhookRow,
      execute: (id) => sql`select * from webhooks where organization_id = ${id} order by created_at, id`
    })
    const found = (statement: Statement.Statement<object>) =>
      Effect.orDie(
        SqlSchema.findAll({ Request: Schema.Void, Result: DeliveryRow, execute: () => statement })(undefined)
      )
    const counts = SqlSchema.findAll({
      Request: Schema.Void,
      Result: WaitingRow,
      execute: () =>
        sql`select webhook_id, count(*) as waiting from webhook_deliveries where state = 'waiting' group by webhook_id`
    })
    const due = SqlSchema.findAll({
      Request: Schema.Struct({ now: Schema.Int, limit: Schema.Int }),
      Result: DeliveryRow,
      execute: ({ now, limit }) => sql`
        select id, webhook_id, organization_id, event_id, type, object_key, payload, state, attempts, tries, next_at, created_at
        from (
          select deliveries.*, row_number() over (partition by webhook_id order by id) as place
          from webhook_deliveries as deliveries
          where ${isIdOfTimeCome(sql, {
            table: "webhook_deliveries",
            where: sql`state = 'waiting'`,
            column: "next_at",
            now,
            farthest: now + farthestPlanMillis
          })} and not exists (
            select 1 from webhook_deliveries as earlier
            where earlier.state = 'waiting' and earlier.webhook_id = deliveries.webhook_id
              and earlier.object_key = deliveries.object_key and earlier.id < deliveries.id
          )
        ) as ready
        where place <= ${limit} order by id`
    })
    const matching = ({ state, type }: DeliveryFilter) => [
      ...(state === null ? [] : [sql`state = ${state}`]),
      ...(type === null ? [] : [sql`type = ${type}`])
    ]

    /** There may be a hundred thousand of them. */
    const removeDeliveries = (where: Statement.Fragment) =>
      inPortions(
        rowsAtOnce,
        Effect.map(
          sql`delete from webhook_deliveries
            where id in (select id from webhook_deliveries where ${where} limit ${rowsAtOnce}) returning 1`,
          ({ length }) => length
        )
      ).pipe(Effect.orDie, Effect.asVoid)

    return WebhookRepo.of({
      insert: webhooks.insert,
      update: webhooks.update,
      // What is queued meanwhile goes with the webhook.
      remove: (organizationId, id) =>
        removeDeliveries(sql`webhook_id = ${id} and organization_id = ${organizationId}`).pipe(
          Effect.zipRight(webhooks.removeWhere(sql`organization_id = ${organizationId} and id = ${id}`)),
          Effect.uninterruptible
        ),
      find: (organizationId, id) => webhooks.findWhere(sql`organization_id = ${organizationId} and id = ${id}`),
      list: (organizationId) => Effect.orDie(list(organizationId)),
      insertDelivery: deliveries.insert,
      updateDelivery: ({ id, state, attempts, tries, nextAt }) =>
        Effect.asVoid(
          Effect.orDie(
            sql`update webhook_deliveries set
                state = ${state}, attempts = ${JSON.stringify(attempts)}, tries = ${tries}, next_at = ${nextAt}
              where id = ${id}`
          )
        ),
      findDelivery: (webhookId, id) => deliveries.findWhere(sql`webhook_id = ${webhookId} and id = ${id}`),
      listDeliveries: (webhookId, filter, below, limit) => {
        const wanted = [
          sql`webhook_id = ${webhookId}`,
          ...(below === null ? [] : [sql`id < ${below}`]),
          ...matching(filter)
        ]
        const client = matching(filter).length === 0 ? sql : long
        return found(client`select * from webhook_deliveries where ${sql.and(wanted)} order by id desc limit ${limit}`)
      },
      findDue: (now, limit) => Effect.orDie(due({ now, limit })),
      hasten: (now) =>
        inPortions(
          rowsAtOnce,
          Effect.map(
            sql`update webhook_deliveries set next_at = ${now} where id in (
              select id from webhook_deliveries where state = 'waiting' and next_at > ${now} limit ${rowsAtOnce}
            ) returning 1`,
            ({ length }) => length
          )
        ).pipe(Effect.orDie, Effect.asVoid),
      countsWaiting: Effect.map(
        Effect.orDie(counts(undefined)),
        (rows) => new Map(rows.map(({ webhookId, waiting }) => [webhookId, waiting]))
      ),
      giveUp: (webhookId) =>
        Effect.asVoid(
          Effect.orDie(
            sql`update webhook_deliveries set state = 'failed' where webhook_id = ${webhookId} and state = 'waiting'`
          )
        ),
      expire: (before) => removeDeliveries(sql`state <> 'waiting' and created_at < ${before}`)
    })
  })
)

import { Clock, DateTime, Effect, Option } from "effect"
import type { DeliveryDetails, DeliveryPage, DeliveryRecord } from "../../../schema/operations/WebhookRecord.ts"
import { DeliveryNotFound, type DeliveryQuery } from "../../../schema/operations/Webhooks.ts"
import { DeliveryId, type OrganizationId, type WebhookId } from "../../domain/Ids.ts"
import { type Delivery, replayed } from "../../domain/operations/webhooks/WebhookDelivery.ts"
import { testType } from "../../domain/operations/webhooks/WebhookEvents.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { newestFirst } from "./NewestFirst.ts"
import { WebhookAccess } from "./WebhookAccess.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { deliveryOf } from "./WebhookQueue.ts"

/** For so long the message of a test is left to the request that sends it. */
const testMillis = 60_000

const attemptOf = ({ at, ...attempt }: Delivery["attempts"][number]) => ({ at: DateTime.unsafeMake(at), ...attempt })

const deliveryRecordOf = (delivery: Delivery): DeliveryRecord => {
  const { id, eventId, type, state, tries, nextAt, createdAt, attempts } = delivery
  const last = attempts.at(-1)
  return {
    id,
    eventId,
    type,
    state,
    tries,
    nextAttemptAt: state === "waiting" ? DateTime.unsafeMake(nextAt) : null,
    createdAt: DateTime.unsafeMake(createdAt),
    lastAttempt: last === undefined ? null : attemptOf(last)
  }
}

const detailsOf = (delivery: Delivery): DeliveryDetails => ({
  ...deliveryRecordOf(delivery),
  payload: delivery.payload,
  attempts: delivery.attempts.map(attemptOf)
})

/** What webhooks were sent, and are sent once more. */
export class WebhookLog extends Effect.Service<WebhookLog>()("services/operations/WebhookLog", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const repo = yield* WebhookRepo
    const sending = yield* WebhookDeliveries
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const { openOne, demandSight, demandActive } = yield* WebhookAccess

    /** Sends a message at once and tells what came of it. One that fails is not tried again by itself for a minute. */
    const test = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookId) {
      const webhook = yield* openOne("webhooks:write", organizationId, id)
      yield* demandActive(webhook)
      const at = yield* Clock.currentTimeMillis
      const event = {
        id: yield* secrets.uuid,
        type: testType,
        at,
        organizationId,
        applicationId: null,
        environmentId: null,
        object: { kind: "webhooks", id: null, name: webhook.name },
        more: {}
      }
      const delivery = yield* repo.insertDelivery(deliveryOf(webhook, event, at + testMillis, publicUrl))
      return detailsOf(yield* sending.attempt(webhook, delivery))
    })

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookId, query: DeliveryQuery) {
      yield* openOne("webhooks:read", organizationId, id)
      const filter = { state: query.state ?? null, type: query.type ?? null }
      const { items, nextCursor } = yield* newestFirst(
        query,
        DeliveryId,
        (delivery: Delivery) => delivery.id,
        (below, most) => repo.listDeliveries(id, filter, below, most)
      )
      return { items: items.map(deliveryRecordOf), nextCursor } satisfies DeliveryPage
    })

    const foundDelivery = Effect.fnUntraced(function* (id: WebhookId, deliveryId: DeliveryId) {
      const delivery = yield* repo.findDelivery(id, deliveryId)
      if (Option.isSome(delivery)) return delivery.value
      return yield* Effect.fail(new DeliveryNotFound({ message: `Webhook ${id} has no delivery ${deliveryId}` }))
    })

    const get = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookId, deliveryId: DeliveryId) {
      const webhook = yield* openOne("webhooks:read", organizationId, id)
      const delivery = yield* foundDelivery(id, deliveryId)
      yield* demandSight(webhook, delivery)
      return detailsOf(delivery)
    })

    const replay = Effect.fnUntraced(
      function* (organizationId: OrganizationId, id: WebhookId, deliveryId: DeliveryId) {
        yield* demandActive(yield* openOne("webhooks:write", organizationId, id))
        const again = replayed(yield* foundDelivery(id, deliveryId), yield* Clock.currentTimeMillis)
        yield* repo.updateDelivery(again)
        return deliveryRecordOf(again)
      },
      (effect) => transaction.run(effect)
    )

    return { test, list, get, replay } as const
  })
}) {}

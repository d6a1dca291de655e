import { DateTime, Effect, Layer, Option } from "effect"
import { DeliveryId } from "../../../domain/Ids.ts"
import type { Delivery } from "../../../domain/operations/webhooks/WebhookDelivery.ts"
import { isTimeCome } from "../../../domain/operations/DueTime.ts"
import { WebhookRepo } from "../../../ports/operations/WebhookRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const WebhookRepoMemory = Layer.effect(
  WebhookRepo,
  Effect.map(MemoryDb, ({ access, webhooks, webhookDeliveries: deliveries }) => {
    const waiting = () => deliveries.rows.filter(({ state }) => state === "waiting")
    const isFirst = (delivery: Delivery, all: ReadonlyArray<Delivery>): boolean =>
      !all.some(
        ({ id, webhookId, objectKey }) =>
          webhookId === delivery.webhookId && objectKey === delivery.objectKey && id < delivery.id
      )
    return WebhookRepo.of({
      insert: (webhook) => access(() => webhooks.insert(webhook)),
      update: (webhook) => access(() => webhooks.replace(({ id }) => id === webhook.id, webhook)),
      remove: (organizationId, id) =>
        access(() => {
          const isIt = (each: { readonly organizationId: number }) => each.organizationId === organizationId
          deliveries.remove((each) => isIt(each) && each.webhookId === id)
          webhooks.remove((each) => isIt(each) && each.id === id)
        }),
      find: (organizationId, id) =>
        access(() =>
          Option.fromNullable(webhooks.rows.find((each) => each.organizationId === organizationId && each.id === id))
        ),
      list: (organizationId) =>
        access(() =>
          webhooks.rows
            .filter((each) => each.organizationId === organizationId)
            .toSorted(
              (a, b) =>
                DateTime.toEpochMillis(a.createdAt) - DateTime.toEpochMillis(b.createdAt) || (a.id < b.id ? -1 : 1)
            )
        ),
      insertDelivery: (delivery) =>
        access(() => deliveries.insert({ ...delivery, id: DeliveryId.make(deliveries.nextId()) })),
      updateDelivery: ({ id, state, attempts, tries, nextAt }) =>
        access(() => {
          const known = deliveries.rows.find((each) => each.id === id)
          if (known === undefined) return
          deliveries.replace((each) => each.id === id, { ...known, state, attempts, tries, nextAt })
        }),
      findDelivery: (webhookId, id) =>
        access(() =>
          Option.fromNullable(deliveries.rows.find((each) => each.webhookId === webhookId && each.id === id))
        ),
      listDeliveries: (webhookId, { state, type }, below, limit) =>
        access(() =>
          deliveries.rows
            .filter((each) => each.webhookId === webhookId && (below === null || each.id < below))
            .filter((each) => (state === null || each.state === state) && (type === null || each.type === type))
            .toReversed()
            .slice(0, limit)
        ),
      findDue: (now, limit) =>
        access(() => {
          const all = waiting()
          const taken = new Map<string, number>()
          return all.filter((delivery) => {
            if (!isTimeCome(delivery.nextAt, now) || !isFirst(delivery, all)) return false
            const place = (taken.get(delivery.webhookId) ?? 0) + 1
            taken.set(delivery.webhookId, place)
            return place <= limit
          })
        }),
      hasten: (now) =>
        access(() => {
          for (const each of waiting())
            if (each.nextAt > now) deliveries.replace(({ id }) => id === each.id, { ...each, nextAt: now })
        }),
      countsWaiting: access(() => {
        const counts = new Map<Delivery["webhookId"], number>()
        for (const { webhookId } of waiting()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
        return counts
      }),
      giveUp: (webhookId) =>
        access(() => {
          for (const each of waiting())
            if (each.webhookId === webhookId)
              deliveries.replace(({ id }) => id === each.id, { ...each, state: "failed" })
        }),
      expire: (before) =>
        access(() => deliveries.remove(({ state, createdAt }) => state !== "waiting" && createdAt < before))
    })
  })
)

import { Context, type Effect, type Option } from "effect"
import type { DeliveryId, OrganizationId, WebhookId } from "../../domain/Ids.ts"
import type { Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import type { Delivery, DeliveryState } from "../../domain/operations/webhooks/WebhookDelivery.ts"

/** A delivery before it has its id. */
export type NewDelivery = Omit<Delivery, "id">

/** Which deliveries are wanted; null: whichever it is. */
export interface DeliveryFilter {
  readonly state: DeliveryState | null
  readonly type: string | null
}

/** Webhooks of organizations, and what is or was to be delivered to them. */
export class WebhookRepo extends Context.Tag("ports/operations/WebhookRepo")<
  WebhookRepo,
  {
    readonly insert: (webhook: Webhook) => Effect.Effect<Webhook>
    /** Overwrites the webhook of that id. */
    readonly update: (webhook: Webhook) => Effect.Effect<Webhook>
    /** Removes the webhook and its deliveries. */
    readonly remove: (organizationId: OrganizationId, id: WebhookId) => Effect.Effect<void>
    readonly find: (organizationId: OrganizationId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>>
    /** All webhooks of the organization, oldest first. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Webhook>>
    readonly insertDelivery: (delivery: NewDelivery) => Effect.Effect<Delivery>
    /** Overwrites the delivery of that id; does nothing where it is gone. */
    readonly updateDelivery: (delivery: Delivery) => Effect.Effect<void>
    readonly findDelivery: (webhookId: WebhookId, id: DeliveryId) => Effect.Effect<Option.Option<Delivery>>
    /** Deliveries with ids below that pass the filter, newest first; null: from the newest on. */
    readonly listDeliveries: (
      webhookId: WebhookId,
      filter: DeliveryFilter,
      below: DeliveryId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>>
    /**
     * At most `limit` waiting deliveries of each webhook whose time has come (`isTimeCome`, epoch ms), in their order: of each object the
     * oldest that waits, so that none overtakes another.
     */
    readonly findDue: (now: number, limit: number) => Effect.Effect<ReadonlyArray<Delivery>>
    /** Makes all waiting deliveries due that would be later than the instant (epoch ms): a clock that is set back has planned them. */
    readonly hasten: (now: number) => Effect.Effect<void>
    /** How many deliveries wait for each webhook for which any does. */
    readonly countsWaiting: Effect.Effect<ReadonlyMap<WebhookId, number>>
    /** Gives up all that wait for the webhook. */
    readonly giveUp: (webhookId: WebhookId) => Effect.Effect<void>
    /** Removes deliveries that have ended and were made before the instant (epoch ms). */
    readonly expire: (before: number) => Effect.Effect<void>
  }
>() {}

import { Effect, Option } from "effect"
import type { ApplicationId } from "../../domain/Ids.ts"
import { type Webhook, wants } from "../../domain/operations/webhooks/Webhook.ts"
import { sentenceOf } from "../../domain/operations/webhooks/WebhookSentence.ts"
import { messageOf, objectKeyOf, type WebhookEvent } from "../../domain/operations/webhooks/WebhookEvents.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { type NewDelivery, WebhookRepo } from "../../ports/operations/WebhookRepo.ts"

/** The delivery of an event to a webhook, due at the instant (epoch ms). */
export const deliveryOf = (
  webhook: Pick<Webhook, "id" | "organizationId" | "format">,
  event: WebhookEvent,
  nextAt: number
): NewDelivery => ({
  webhookId: webhook.id,
  organizationId: webhook.organizationId,
  eventId: event.id,
  type: event.type,
  objectKey: objectKeyOf(event),
  payload: webhook.format === "slack" ? JSON.stringify({ text: sentenceOf(event) }) : messageOf(event),
  state: "waiting",
  attempts: [],
  tries: 0,
  nextAt,
  createdAt: event.at
})

/** Queues what happens for the webhooks that want to be told. */
export class WebhookQueue extends Effect.Service<WebhookQueue>()("services/operations/WebhookQueue", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookRepo
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets

    /** Queues an event. In the transaction that makes it happen, neither is there without the other. */
    const tell = Effect.fnUntraced(function* (event: WebhookEvent) {
      const all: ReadonlyArray<Webhook> = yield* repo.list(event.organizationId)
      for (const webhook of all) {
        if (wants(webhook, event.type, event)) yield* repo.insertDelivery(deliveryOf(webhook, event, event.at))
      }
    })

    /** Queues what happened in a project without anybody asking for it. */
    const tellOf = Effect.fnUntraced(function* (
      applicationId: ApplicationId,
      happened: Omit<WebhookEvent, "id" | "organizationId" | "applicationId">
    ) {
      const project = yield* projects.find(applicationId)
      if (Option.isNone(project)) return
      const { organizationId } = project.value
      yield* tell({ ...happened, id: yield* secrets.uuid, organizationId, applicationId })
    })

    return { tell, tellOf } as const
  })
}) {}

import { Effect, Option } from "effect"
import type { ApplicationId } from "../../domain/Ids.ts"
import { mailAddressOf, type Webhook, wants } from "../../domain/operations/webhooks/Webhook.ts"
import { mailOf, sentenceOf } from "../../domain/operations/webhooks/WebhookSentence.ts"
import { messageOf, objectKeyOf, type WebhookEvent } from "../../domain/operations/webhooks/WebhookEvents.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { type NewDelivery, WebhookRepo } from "../../ports/operations/WebhookRepo.ts"

type Receiver = Pick<Webhook, "id" | "organizationId" | "name" | "url" | "format">

/** What the webhook is sent of an event. */
const payloadOf = ({ name, url, format }: Receiver, event: WebhookEvent, publicUrl: string): string => {
  if (mailAddressOf(url) !== undefined) return JSON.stringify(mailOf(event, name, publicUrl))
  return format === "slack" ? JSON.stringify({ text: sentenceOf(event) }) : messageOf(event)
}

/** The delivery of an event to a webhook, due at the instant (epoch ms). */
export const deliveryOf = (webhook: Receiver, event: WebhookEvent, nextAt: number, publicUrl: string): NewDelivery => ({
  webhookId: webhook.id,
  organizationId: webhook.organizationId,
  eventId: event.id,
  type: event.type,
  objectKey: objectKeyOf(event),
  payload: payloadOf(webhook, event, publicUrl),
  state: "waiting",
  attempts: [],
  tries: 0,
  nextAt,
  createdAt: event.at
})

/** Queues what happens for the webhooks that want to be told. */
export class WebhookQueue extends Effect.Service<WebhookQueue>()("services/operations/WebhookQueue", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const repo = yield* WebhookRepo
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets

    /** Queues an event. In the transaction that makes it happen, neither is there without the other. */
    const tell = Effect.fnUntraced(function* (event: WebhookEvent) {
      const all: ReadonlyArray<Webhook> = yield* repo.list(event.organizationId)
      for (const webhook of all) {
        if (wants(webhook, event.type, event))
          yield* repo.insertDelivery(deliveryOf(webhook, event, event.at, publicUrl))
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

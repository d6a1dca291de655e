import { Effect, Layer, type Tracer } from "effect"
import { Mailer } from "../../ports/operations/Mailer.ts"
import { WebhookSender } from "../../ports/operations/WebhookSender.ts"

const client: Tracer.SpanOptions = { kind: "client", captureStackTrace: false }

/** Mails with a span each, which tells nothing of them. */
export const TracedMailer = Layer.effect(
  Mailer,
  Effect.map(Mailer, ({ isConfigured, send }) => ({
    isConfigured,
    send: (mail) => Effect.useSpan("mail.send", client, () => send(mail))
  }))
)

/** Webhooks with a span each. Of an address the host alone is told: its path may be a secret. */
export const TracedWebhookSender = Layer.effect(
  WebhookSender,
  Effect.map(WebhookSender, ({ refusalOf, send }) => ({
    refusalOf,
    send: (message) =>
      Effect.useSpan("webhook.send", client, (span) =>
        Effect.tap(send(message), (answer) => {
          span.attribute("server.address", new URL(message.url).hostname)
          if (answer.kind === "answered") span.attribute("http.response.status_code", answer.status)
          else span.attribute("error.type", "unanswered")
        })
      )
  }))
)

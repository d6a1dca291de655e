import { Effect, Layer } from "effect"
import { TrustedClock } from "../services/operations/TrustedClock.ts"
import { WebhookDeliveries } from "../services/operations/WebhookDeliveries.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Tells webhooks every second what has happened, and tidies up every hour, until the scope closes. */
export const WebhooksJob = Layer.scopedDiscard(
  Effect.flatMap(Effect.all([WebhookDeliveries, TrustedClock]), ([deliveries, clock]) =>
    Effect.zipRight(
      repeatAtIntervals("Webhooks", { first: "1 second", interval: "1 second" }, deliveries.round()),
      repeatAtIntervals(
        "The queues of webhooks",
        { first: "1 minute", interval: "5 minutes" },
        Effect.flatMap(clock.now, deliveries.tidy)
      )
    )
  )
)

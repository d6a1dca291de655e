import { Schema } from "effect"
import { ApplicationId, DeliveryId, UserId, WebhookId } from "../../src/domain/Ids.ts"
import { oneOf } from "../Optional.ts"
import { Page } from "../Parameters.ts"

export const WebhookFormat = oneOf("standard", "slack")

export const WebhookRecord = Schema.Struct({
  id: WebhookId,
  name: Schema.String,
  url: Schema.String,
  format: WebhookFormat,
  types: Schema.Array(Schema.String),
  applicationIds: Schema.NullOr(Schema.Array(ApplicationId)),
  isActive: Schema.Boolean,
  switchedOff: Schema.NullOr(Schema.String).annotations({
    description: "Why the server has switched it off; null where it has not"
  }),
  failingSince: Schema.NullOr(Schema.DateTimeUtc),
  previousUntil: Schema.NullOr(Schema.DateTimeUtc).annotations({
    description: "Until when messages are signed with the secret before as well"
  }),
  createdBy: Schema.NullOr(Schema.Struct({ id: UserId, email: Schema.String })),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Webhook" })
export type WebhookRecord = typeof WebhookRecord.Type

export const WebhookWithSecret = Schema.Struct({
  ...WebhookRecord.fields,
  secret: Schema.String.annotations({ description: "Shown this once: it verifies the signatures of messages" })
}).annotations({ identifier: "WebhookWithSecret" })
export type WebhookWithSecret = typeof WebhookWithSecret.Type

export const DeliveryState = Schema.Literal("waiting", "delivered", "failed")

const Attempt = Schema.Struct({
  at: Schema.DateTimeUtc,
  millis: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  answer: Schema.NullOr(Schema.String).annotations({ description: "The first 1,000 characters of the answer" }),
  problem: Schema.NullOr(Schema.String).annotations({ description: "Why it was no success; null for one" })
}).annotations({ identifier: "DeliveryAttempt" })

export const DeliveryRecord = Schema.Struct({
  id: DeliveryId,
  eventId: Schema.String.annotations({
    description: "The header `webhook-id`: the same in every attempt and for every webhook"
  }),
  type: Schema.String,
  state: DeliveryState,
  tries: Schema.Int,
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  lastAttempt: Schema.NullOr(Attempt)
}).annotations({ identifier: "WebhookDelivery" })
export type DeliveryRecord = typeof DeliveryRecord.Type

export const DeliveryDetails = Schema.Struct({
  ...DeliveryRecord.fields,
  payload: Schema.String.annotations({ description: "The body of the message" }),
  attempts: Schema.Array(Attempt).annotations({ description: "The newest ten, oldest first" })
}).annotations({ identifier: "WebhookDeliveryDetails" })
export type DeliveryDetails = typeof DeliveryDetails.Type

export const DeliveryPage = Page(DeliveryRecord).annotations({ identifier: "WebhookDeliveryPage" })
export type DeliveryPage = typeof DeliveryPage.Type

import { DateTime } from "effect"
import { randomUUID } from "node:crypto"
import { ApplicationId, type OrganizationId, WebhookId } from "../../../src/domain/Ids.ts"
import type { Webhook } from "../../../src/domain/operations/webhooks/Webhook.ts"
import { newUserId } from "../access/Tenants.ts"

/** An instant of these fixtures. */
export const at = (millis: number) => DateTime.unsafeMake(1_700_000_000_000 + millis)

/** A webhook that is not stored yet. */
export const webhookOf = (organizationId: OrganizationId, more: Partial<Webhook> = {}): Webhook => ({
  id: WebhookId.make(randomUUID()),
  organizationId,
  name: 'Chat "東京"',
  url: "https://hooks.studio.example/a?b=c",
  format: "slack",
  types: ["cohort.failed"],
  applicationIds: [ApplicationId.make(3)],
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  previousSecret: null,
  previousUntil: null,
  isActive: true,
  switchedOff: null,
  failingSince: null,
  createdBy: { id: newUserId(), email: "ada@studio.example" },
  createdAt: at(0),
  updatedAt: at(0),
  ...more
})

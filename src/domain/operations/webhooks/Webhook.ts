import type { DateTime } from "effect"
import type { ApplicationId, OrganizationId, UserId, WebhookId } from "../../Ids.ts"
import type { EventPlace } from "./WebhookEvents.ts"

/** An address of a studio that is told what happens. */
export interface Webhook {
  readonly id: WebhookId
  readonly organizationId: OrganizationId
  readonly name: string
  /** Where messages are posted to; or `mailto:` and the address of a member, who gets a mail in the place of a message. */
  readonly url: string
  /** `standard` is JSON after Standard Webhooks, `slack` a sentence as chats take it. */
  readonly format: "standard" | "slack"
  /** Types of events; empty: all of them. */
  readonly types: ReadonlyArray<string>
  /** Projects whose events are wanted beside those of the organization; null: all. */
  readonly applicationIds: ReadonlyArray<ApplicationId> | null
  /** `whsec_…`, which signs the messages. It has to be kept as it is. */
  readonly secret: string
  /** Signs beside it until the instant, so that receivers have time to change. */
  readonly previousSecret: string | null
  readonly previousUntil: DateTime.Utc | null
  readonly isActive: boolean
  /** Why the server has switched it off; null where a person did, or nobody. */
  readonly switchedOff: string | null
  /** Since when no message has arrived; null after one that has. */
  readonly failingSince: DateTime.Utc | null
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** Webhooks of one organization. */
export const mostWebhooks = 20

/** Whether a webhook is to be told of an event of that type that happened there. */
export const wants = (
  { isActive, types, applicationIds }: Pick<Webhook, "isActive" | "types" | "applicationIds">,
  type: string,
  { applicationId }: Pick<EventPlace, "applicationId">
): boolean =>
  isActive &&
  (types.length === 0 || types.includes(type)) &&
  (applicationIds === null || applicationId === null || applicationIds.some((id) => id === applicationId))

/** The e-mail address that a webhook's address names; undefined where messages are posted. */
export const mailAddressOf = (url: string): string | undefined => /^mailto:(.+)$/.exec(url)?.[1]

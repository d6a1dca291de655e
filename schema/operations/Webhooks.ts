import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationId, DeliveryId, WebhookId } from "../../src/domain/Ids.ts"
import { mostWebhooks } from "../../src/domain/operations/webhooks/Webhook.ts"
import { testType, webhookTypes } from "../../src/domain/operations/webhooks/WebhookEvents.ts"
import { Forbidden, MailNotConfigured, OrganizationNotFound, ScopeInvalid } from "../access/AccessErrors.ts"
import { SessionOnly, SessionOrPat } from "../access/Auth.ts"
import { requires } from "../access/RequiredPermission.ts"
import { basedOn } from "../BasedOn.ts"
import { example } from "../Example.ts"
import { Failure } from "../Failure.ts"
import { optional, withDefault } from "../Optional.ts"
import { anyCase, numeric, organizationId, Paging } from "../Parameters.ts"
import { CursorInvalid } from "../RequestErrors.ts"
import {
  DeliveryDetails,
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
  WebhookFormat,
  WebhookRecord,
  WebhookWithSecret
} from "./WebhookRecord.ts"
import { Title } from "../Text.ts"

export class WebhookNotFound extends Failure<WebhookNotFound>()(
  "WEBHOOK_NOT_FOUND",
  404,
  "The organization has no such webhook."
) {}
export class DeliveryNotFound extends Failure<DeliveryNotFound>()(
  "DELIVERY_NOT_FOUND",
  404,
  "The webhook has no such delivery, or it is older than 30 days."
) {}
export class WebhookChanged extends Failure<WebhookChanged>()(
  "WEBHOOK_CHANGED",
  409,
  "Somebody has changed the webhook since the state on which the request is based."
) {}
export class WebhookLimitReached extends Failure<WebhookLimitReached>()(
  "WEBHOOK_LIMIT_REACHED",
  409,
  `The organization has ${mostWebhooks} webhooks.`
) {}
export class WebhookInactive extends Failure<WebhookInactive>()(
  "WEBHOOK_INACTIVE",
  409,
  "The webhook is switched off."
) {}

export class WebhookAddressInvalid extends Failure<WebhookAddressInvalid>()(
  "WEBHOOK_ADDRESS_INVALID",
  422,
  "Nothing can be sent there: the address is without https or private, and `--private-webhooks` is off, or nobody in the organization has the e-mail address."
) {}

export const webhookId = HttpApiSchema.param("webhookId", anyCase(WebhookId))
export const deliveryId = HttpApiSchema.param("deliveryId", numeric(DeliveryId))

const EventType = Schema.Literal(...webhookTypes).annotations({ identifier: "WebhookEventType" })

/** One address without parameters, so that a mail has one recipient and no headers of somebody's choice. */
const isMailAddress = (url: string): boolean => /^mailto:[^\s@<>?%,;:&"]+@[^\s@<>?%,;:&"]+$/.test(url)

const isWebhookUrl = (url: string): boolean => {
  if (isMailAddress(url)) return true
  const parsed = URL.canParse(url) ? new URL(url) : null
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === "" && parsed.password === ""
}

const WebhookUrl = Schema.String.pipe(
  Schema.filter(isWebhookUrl, {
    message: () => "expected an https address without a name and a password in it, or mailto: and an e-mail address",
    jsonSchema: { type: "string", pattern: "^(https?://|mailto:)" }
  }),
  Schema.maxLength(2048)
).annotations({ arbitrary: () => (fc) => fc.webUrl({ validSchemes: ["https"] }) })

const fields = {
  name: Title,
  url: WebhookUrl,
  types: Schema.Array(EventType).pipe(Schema.maxItems(webhookTypes.length)),
  applicationIds: Schema.NullOr(Schema.Array(ApplicationId).pipe(Schema.minItems(1), Schema.maxItems(1000)))
}

export const CreateWebhook = Schema.Struct({
  name: fields.name,
  url: fields.url.annotations({
    description: "Where messages are posted to; `mailto:` and the e-mail address of a member: mails go there"
  }),
  format: withDefault(WebhookFormat, "standard").annotations({
    description: "`standard`: JSON after Standard Webhooks; `slack`: a sentence, as chats take it"
  }),
  types: withDefault(fields.types, []).annotations({ description: "Types of events; empty: all of them" }),
  applicationIds: withDefault(fields.applicationIds, null).annotations({
    description: "Projects whose events are wanted, beside those of the organization; null: all"
  })
})
  .annotations({ identifier: "CreateWebhook" })
  .pipe(
    example({
      name: "Studio chat",
      url: "https://hooks.emberkeep.example/gamekeeper",
      types: ["configuration.updated", "experiment.ended"]
    })
  )
export type CreateWebhook = typeof CreateWebhook.Type

export const UpdateWebhook = Schema.Struct({
  name: optional(fields.name),
  url: optional(fields.url),
  format: optional(WebhookFormat),
  types: optional(fields.types),
  applicationIds: optional(fields.applicationIds),
  isActive: optional(Schema.Boolean),
  basedOn
})
  .annotations({ identifier: "UpdateWebhook" })
  .pipe(example({ name: "Chat of the studio", isActive: true }))
export type UpdateWebhook = typeof UpdateWebhook.Type

export const RotateWebhook = Schema.Struct({
  overlapHours: withDefault(Schema.Int.pipe(Schema.between(0, 168)), 24).annotations({
    description: "Hours for which the old secret signs beside the new one"
  })
})
  .annotations({ identifier: "RotateWebhook" })
  .pipe(example({ overlapHours: 48 }))
export type RotateWebhook = typeof RotateWebhook.Type

export const DeliveryQuery = Schema.Struct({
  state: optional(DeliveryState),
  type: optional(Schema.Literal(...webhookTypes, testType)),
  ...Paging.fields
})
export type DeliveryQuery = typeof DeliveryQuery.Type

const forAllProjects = "A token must cover all projects."
const forWhatIsTold = `${forAllProjects} It must cover the environment of which the message tells; of a message for a chat or a mailbox, every one.`

export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list")`/organization/${organizationId}/webhooks`
      .addSuccess(Schema.Array(WebhookRecord))
      .middleware(SessionOrPat)
      .annotateContext(requires("webhooks:read", "organization", forAllProjects))
      .annotate(OpenApi.Summary, "Webhooks of the organization, without their secrets")
  )
  .add(
    HttpApiEndpoint.post("create")`/organization/${organizationId}/webhooks`
      .setPayload(CreateWebhook)
      .addSuccess(WebhookWithSecret, { status: 201 })
      .addError(ScopeInvalid)
      .addError(WebhookAddressInvalid)
      .addError(MailNotConfigured)
      .addError(WebhookLimitReached)
      .middleware(SessionOnly)
      .annotateContext(requires("webhooks:write", "organization"))
      .annotate(OpenApi.Summary, "Create a webhook; the secret that signs its messages is shown this once")
  )
  .add(
    HttpApiEndpoint.get("get")`/organization/${organizationId}/webhooks/${webhookId}`
      .addSuccess(WebhookRecord)
      .addError(WebhookNotFound)
      .middleware(SessionOrPat)
      .annotateContext(requires("webhooks:read", "organization", forAllProjects))
      .annotate(OpenApi.Summary, "One webhook")
  )
  .add(
    HttpApiEndpoint.patch("update")`/organization/${organizationId}/webhooks/${webhookId}`
      .setPayload(UpdateWebhook)
      .addSuccess(WebhookRecord)
      .addError(ScopeInvalid)
      .addError(WebhookAddressInvalid)
      .addError(MailNotConfigured)
      .addError(WebhookNotFound)
      .addError(WebhookChanged)
      .middleware(SessionOnly)
      .annotateContext(requires("webhooks:write", "organization"))
      .annotate(OpenApi.Summary, "Change a webhook, or switch it on and off")
  )
  .add(
    HttpApiEndpoint.post("rotate")`/organization/${organizationId}/webhooks/${webhookId}/rotate`
      .setPayload(RotateWebhook)
      .addSuccess(WebhookWithSecret)
      .addError(WebhookNotFound)
      .middleware(SessionOnly)
      .annotateContext(requires("webhooks:write", "organization"))
      .annotate(OpenApi.Summary, "Give the webhook a new secret; for a time both sign its messages")
  )
  .add(
    HttpApiEndpoint.post("test")`/organization/${organizationId}/webhooks/${webhookId}/test`
      .addSuccess(DeliveryDetails)
      .addError(WebhookInactive)
      .addError(WebhookNotFound)
      .middleware(SessionOnly)
      .annotateContext(requires("webhooks:write", "organization"))
      .annotate(OpenApi.Summary, "Send a message of the type `webhook.test` at once and tell what came of it")
  )
  .add(
    HttpApiEndpoint.del("remove")`/organization/${organizationId}/webhooks/${webhookId}`
      .addSuccess(Schema.Void)
      .addError(WebhookNotFound)
      .middleware(SessionOnly)
      .annotateContext(requires("webhooks:write", "organization"))
      .annotate(OpenApi.Summary, "Remove a webhook and its deliveries")
  )
  .add(
    HttpApiEndpoint.get("deliveries")`/organization/${organizationId}/webhooks/${webhookId}/deliveries`
      .setUrlParams(DeliveryQuery)
      .addSuccess(DeliveryPage)
      .addError(CursorInvalid)
      .addError(WebhookNotFound)
      .middleware(SessionOrPat)
      .annotateContext(requires("webhooks:read", "organization", forAllProjects))
      .annotate(OpenApi.Summary, "What is and was to be delivered in the last 30 days, newest first")
  )
  .add(
    HttpApiEndpoint.get("delivery")`/organization/${organizationId}/webhooks/${webhookId}/deliveries/${deliveryId}`
      .addSuccess(DeliveryDetails)
      .addError(DeliveryNotFound)
      .addError(WebhookNotFound)
      .middleware(SessionOrPat)
      .annotateContext(requires("webhooks:read", "organization", forWhatIsTold))
      .annotate(OpenApi.Summary, "One delivery with its body and its attempts")
  )
  .add(
    HttpApiEndpoint.post(
      "replay"
    )`/organization/${organizationId}/webhooks/${webhookId}/deliveries/${deliveryId}/replay`
      .addSuccess(DeliveryRecord, { status: 202 })
      .addError(DeliveryNotFound)
      .addError(WebhookInactive)
      .addError(WebhookNotFound)
      .middleware(SessionOnly)
      .annotateContext(requires("webhooks:write", "organization"))
      .annotate(OpenApi.Summary, "Deliver once more, as if it had just happened; the id of the message stays the same")
  )
  .addError(Forbidden)
  .addError(OrganizationNotFound)
  .annotate(OpenApi.Title, "Webhooks")
  .annotate(
    OpenApi.Description,
    "Addresses that are told what happens, in signed messages after [Standard Webhooks](https://www.standardwebhooks.com)."
  ) {}

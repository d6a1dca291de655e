import { Effect, Either, Option, Schema } from "effect"
import { MailNotConfigured } from "../../../schema/access/AccessErrors.ts"
import { WebhookAddressInvalid } from "../../../schema/operations/Webhooks.ts"
import { webhookMailsToAddress } from "../../domain/access/AccountMail.ts"
import { emailKey } from "../../domain/access/User.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import { mailAddressOf, type Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import type { Delivery } from "../../domain/operations/webhooks/WebhookDelivery.ts"
import { Mailer } from "../../ports/operations/Mailer.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { WebhookSender } from "../../ports/operations/WebhookSender.ts"
import { Grants } from "../access/Grants.ts"
import { RateLimiter } from "../access/RateLimiter.ts"

const decode = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Struct({ subject: Schema.String, text: Schema.String }))
)

/** What a delivery says as a mail, also where it was queued before the webhook's address became one of a person. */
const contentOf = ({ type, payload }: Delivery) =>
  Either.getOrElse(decode(payload), () => ({ subject: type, text: payload }))

const tooMany = `This address has had the ${webhookMailsToAddress.limit} mails of webhooks that it may get in an hour`

const notConfigured = new MailNotConfigured({
  message: "This server sends no mails: its operator sets --smtp and --mail-from"
})

/** Webhooks that lead to a member's mailbox. */
export class WebhookMails extends Effect.Service<WebhookMails>()("services/operations/WebhookMails", {
  effect: Effect.gen(function* () {
    const limiter = yield* RateLimiter
    const mailer = yield* Mailer
    const sender = yield* WebhookSender
    const { privateWebhooks } = yield* Settings
    const grants = yield* Grants

    const isMember = (organizationId: OrganizationId, email: string) =>
      Effect.map(
        grants.personOf(organizationId, email),
        Option.exists(({ deletedAt }) => deletedAt === null)
      )

    /** Refuses an address that nothing can be sent to: for what it says itself, and of a mail for whose it is. */
    const demand = Effect.fnUntraced(function* (organizationId: OrganizationId, url: string) {
      const email = mailAddressOf(url)
      if (email === undefined) {
        const problem = sender.refusalOf(url, privateWebhooks)
        if (problem === undefined) return
        return yield* Effect.fail(new WebhookAddressInvalid({ message: `url: ${problem}` }))
      }
      if (!mailer.isConfigured) return yield* Effect.fail(notConfigured)
      if (yield* isMember(organizationId, email)) return
      const message = `url: ${email} is the address of no member of organization ${organizationId}`
      return yield* Effect.fail(new WebhookAddressInvalid({ message }))
    })

    /** Mails a delivery; why it could not be, or null. Who has left the organization gets nothing any more, and nobody very many in an hour. */
    const send = Effect.fnUntraced(function* ({ organizationId }: Webhook, email: string, delivery: Delivery) {
      if (!(yield* isMember(organizationId, email))) return `${email} is the address of no member any more`
      const taken = yield* limiter.request(`webhook mail ${emailKey(email)}`, webhookMailsToAddress)
      if (Option.exists(taken, ({ allowed }) => !allowed)) return tooMany
      return yield* mailer.send({ to: email, ...contentOf(delivery) }).pipe(
        Effect.as(null),
        Effect.catchTag("MailNotSent", ({ reason }) => Effect.succeed(reason))
      )
    })

    return { demand, send } as const
  })
}) {}

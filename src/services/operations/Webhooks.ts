import { DateTime, Effect } from "effect"
import { ScopeInvalid } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import type { WebhookRecord, WebhookWithSecret } from "../../../schema/operations/WebhookRecord.ts"
import {
  type CreateWebhook,
  type RotateWebhook,
  type UpdateWebhook,
  WebhookChanged,
  WebhookLimitReached
} from "../../../schema/operations/Webhooks.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { type ApplicationId, type OrganizationId, WebhookId } from "../../domain/Ids.ts"
import { mostWebhooks, type Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import { secretText } from "../../domain/operations/webhooks/WebhookSignature.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { demandUnchanged, updateAfter } from "../BasedOn.ts"
import { WebhookAccess } from "./WebhookAccess.ts"
import { WebhookMails } from "./WebhookMails.ts"

const secretLength = 32

const recordOf = ({ organizationId: _, secret: __, previousSecret: ___, ...webhook }: Webhook): WebhookRecord => webhook

/** Webhooks of an organization. */
export class Webhooks extends Effect.Service<Webhooks>()("services/operations/Webhooks", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookRepo
    const { open, openOne, found, demandEverywhere, demandOwnerFor } = yield* WebhookAccess
    const mails = yield* WebhookMails
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const demandOwn = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      asked: ReadonlyArray<ApplicationId> | null
    ) {
      if (asked === null) return
      const known = new Set((yield* projects.list(organizationId)).map(({ id }) => id))
      const unknown = asked.filter((id) => !known.has(id))
      if (unknown.length === 0) return
      const message = `applicationIds: ${unknown.join(", ")} do not exist in organization ${organizationId}`
      return yield* Effect.fail(new ScopeInvalid({ message }))
    })

    const freshSecret = Effect.map(secrets.bytes(secretLength), secretText)

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* open("webhooks:read", organizationId)
      return (yield* repo.list(organizationId)).map(recordOf)
    })

    const get = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookId) {
      yield* open("webhooks:read", organizationId)
      return recordOf(yield* found(organizationId, id))
    })

    const create = Effect.fnUntraced(
      function* (organizationId: OrganizationId, request: CreateWebhook) {
        yield* open("webhooks:write", organizationId)
        const { name, url, format, types, applicationIds } = request
        yield* demandOwn(organizationId, applicationIds)
        yield* demandEverywhere("webhooks:write", organizationId, applicationIds)
        yield* mails.demand(organizationId, url)
        if ((yield* repo.list(organizationId)).length >= mostWebhooks) {
          const message = `An organization may have ${mostWebhooks} webhooks`
          return yield* Effect.fail(new WebhookLimitReached({ message }))
        }
        const now = yield* DateTime.now
        const user = userOf(yield* Principal)
        const secret = yield* freshSecret
        const webhook = yield* repo.insert({
          id: WebhookId.make(yield* secrets.uuid),
          organizationId,
          name,
          url,
          format,
          types: [...new Set(types)],
          applicationIds: applicationIds === null ? null : [...new Set(applicationIds)],
          secret,
          previousSecret: null,
          previousUntil: null,
          isActive: true,
          switchedOff: null,
          failingSince: null,
          createdBy: user === null ? null : { id: user.id, email: user.email },
          createdAt: now,
          updatedAt: now
        })
        return { ...recordOf(webhook), secret } satisfies WebhookWithSecret
      },
      (effect) => transaction.run(effect)
    )

    const update = Effect.fnUntraced(
      function* (organizationId: OrganizationId, id: WebhookId, { basedOn, ...change }: UpdateWebhook) {
        const webhook = yield* openOne("webhooks:write", organizationId, id)
        yield* demandUnchanged("webhook", webhook, basedOn, (message) => new WebhookChanged({ message }))
        const { isActive = webhook.isActive, types = webhook.types, applicationIds = webhook.applicationIds } = change
        yield* demandOwn(organizationId, change.applicationIds ?? null)
        yield* demandEverywhere("webhooks:write", organizationId, applicationIds)
        yield* demandOwnerFor(webhook, { ...webhook, ...change, types })
        if (change.url !== undefined) yield* mails.demand(organizationId, change.url)
        const isBack = isActive && !webhook.isActive
        if (!isActive && webhook.isActive) yield* repo.giveUp(id)
        return recordOf(
          yield* repo.update({
            ...webhook,
            ...change,
            types: [...new Set(types)],
            applicationIds: applicationIds === null ? null : [...new Set(applicationIds)],
            isActive,
            ...(isBack ? { switchedOff: null, failingSince: null } : {}),
            updatedAt: updateAfter(webhook, yield* DateTime.now)
          })
        )
      },
      (effect) => transaction.run(effect)
    )

    const rotate = Effect.fnUntraced(
      function* (organizationId: OrganizationId, id: WebhookId, { overlapHours }: RotateWebhook) {
        const webhook = yield* openOne("webhooks:write", organizationId, id)
        const now = yield* DateTime.now
        const secret = yield* freshSecret
        const previous =
          overlapHours === 0
            ? { previousSecret: null, previousUntil: null }
            : { previousSecret: webhook.secret, previousUntil: DateTime.add(now, { hours: overlapHours }) }
        const rotated = yield* repo.update({ ...webhook, secret, ...previous, updatedAt: updateAfter(webhook, now) })
        return { ...recordOf(rotated), secret } satisfies WebhookWithSecret
      },
      (effect) => transaction.run(effect)
    )

    const remove = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookId) {
      yield* openOne("webhooks:write", organizationId, id)
      yield* repo.remove(organizationId, id)
    })

    return { list, get, create, update, rotate, remove } as const
  })
}) {}

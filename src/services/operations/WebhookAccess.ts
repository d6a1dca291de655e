import { Effect, Option } from "effect"
import { WebhookInactive, WebhookNotFound } from "../../../schema/operations/Webhooks.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { OrganizationId, WebhookId } from "../../domain/Ids.ts"
import type { Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { Policy } from "../access/Policy.ts"

/** Finds webhooks for those who may see or change them. */
export class WebhookAccess extends Effect.Service<WebhookAccess>()("services/operations/WebhookAccess", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookRepo
    const policy = yield* Policy

    /** The caller holds the permission in the organization, for all of its projects. */
    const open = Effect.fnUntraced(function* (permission: Permission, id: OrganizationId) {
      yield* policy.organization(permission, id)
      yield* policy.coversAllProjects()
    })

    const found = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookId) {
      const webhook = yield* repo.find(organizationId, id)
      if (Option.isSome(webhook)) return webhook.value
      return yield* Effect.fail(
        new WebhookNotFound({ message: `Webhook ${id} does not exist in organization ${organizationId}` })
      )
    })

    const demandActive = ({ id, isActive }: Webhook) =>
      isActive ? Effect.void : Effect.fail(new WebhookInactive({ message: `Webhook ${id} is switched off` }))

    return { open, found, demandActive } as const
  })
}) {}

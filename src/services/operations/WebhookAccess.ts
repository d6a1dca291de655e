import { Effect, Option } from "effect"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { WebhookInactive, WebhookNotFound } from "../../../schema/operations/Webhooks.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { ApplicationId, OrganizationId, WebhookId } from "../../domain/Ids.ts"
import type { Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { Policy } from "../access/Policy.ts"
import { Rights } from "../access/Rights.ts"

/** Finds webhooks for those who may see or change them. */
export class WebhookAccess extends Effect.Service<WebhookAccess>()("services/operations/WebhookAccess", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookRepo
    const policy = yield* Policy
    const rights = yield* Rights

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

    /**
     * The caller holds the permission in each of the projects of which a webhook is told (null: all of them), because a role of its own there
     * may allow less than the one in the organization.
     */
    const demandEverywhere = Effect.fnUntraced(function* (
      permission: Permission,
      id: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      if (yield* rights.isOwner(id)) return
      const held = yield* rights.heldOrNothing(id)
      const places = applicationIds ?? (yield* rights.places(id))
      const lacking = places.find((place) => !held(place).has(permission))
      if (lacking === undefined) return
      const message = `This credential lacks ${permission} in application ${lacking}, of which the webhook is told`
      return yield* Effect.fail(new Forbidden({ message }))
    })

    /** The webhook, where the caller holds the permission in all projects of which it is told. */
    const openOne = Effect.fnUntraced(function* (
      permission: Permission,
      organizationId: OrganizationId,
      id: WebhookId
    ) {
      yield* open(permission, organizationId)
      const webhook = yield* found(organizationId, id)
      yield* demandEverywhere(permission, organizationId, webhook.applicationIds)
      return webhook
    })

    const demandActive = ({ id, isActive }: Webhook) =>
      isActive
        ? Effect.void
        : Effect.fail(new WebhookInactive({ message: `Webhook ${id} is switched off: switch it on first` }))

    return { open, openOne, found, demandEverywhere, demandActive } as const
  })
}) {}

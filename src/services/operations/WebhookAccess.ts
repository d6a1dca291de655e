import { Effect, Option, Schema } from "effect"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { WebhookInactive, WebhookNotFound } from "../../../schema/operations/Webhooks.ts"
import { lackText } from "../../domain/access/Lacking.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { keyOf, userOf } from "../../domain/access/Principal.ts"
import { type ApplicationId, EnvironmentId, type OrganizationId, type WebhookId } from "../../domain/Ids.ts"
import type { Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import type { Delivery } from "../../domain/operations/webhooks/WebhookDelivery.ts"
import { isOfServer } from "../../domain/operations/webhooks/WebhookEvents.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { WebhookRepo } from "../../ports/operations/WebhookRepo.ts"
import { Policy } from "../access/Policy.ts"
import { Rights } from "../access/Rights.ts"
import { ServerOwners } from "../access/ServerOwners.ts"

/** Where a message says that it happened. Sentences for chats and mails do not say it. */
const placeOf = Schema.decodeOption(
  Schema.parseJson(Schema.Struct({ data: Schema.Struct({ environmentId: Schema.NullOr(EnvironmentId) }) }))
)

/** Finds webhooks for those who may see or change them. */
export class WebhookAccess extends Effect.Service<WebhookAccess>()("services/operations/WebhookAccess", {
  effect: Effect.gen(function* () {
    const repo = yield* WebhookRepo
    const policy = yield* Policy
    const projects = yield* ProjectRepo
    const rights = yield* Rights
    const owners = yield* ServerOwners

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
      const message = lackText(permission, `application ${lacking}, of which the webhook is told`)
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

    /** Every environment of which a webhook is told. */
    const environmentsOf = Effect.fnUntraced(function* ({ organizationId, applicationIds }: Webhook) {
      const ids = applicationIds ?? (yield* projects.list(organizationId)).map(({ id }) => id)
      const all = yield* Effect.forEach(ids, (id) => projects.environments(id))
      return all.flat().map(({ id }) => id)
    })

    /**
     * Refuses a message to a token that is not made for the environment where it happened; one that does not say where, to a token that is not
     * made for every environment of which the webhook is told.
     */
    const demandSight = Effect.fnUntraced(function* (webhook: Webhook, { type, payload }: Delivery) {
      if (isOfServer(type)) yield* owners.caller()
      if (keyOf(yield* Principal) === undefined) return
      const asked = yield* Option.match(placeOf(payload), {
        onNone: () => environmentsOf(webhook),
        onSome: ({ data: { environmentId } }) => Effect.succeed(environmentId === null ? [] : [environmentId])
      })
      const covered = yield* rights.covered(asked)
      const hidden = asked.find((id) => !covered.includes(id))
      if (hidden === undefined) return
      const message = `This credential does not cover environment ${hidden}, of which this message may tell`
      return yield* Effect.fail(new Forbidden({ message }))
    })

    /** Whether the webhook is told of the server itself: one that an owner of it has made, and that asks for it. */
    const tellsOfServer = ({ createdBy, types }: Webhook): boolean =>
      createdBy !== null && owners.isOwner(createdBy.email) && (types.length === 0 || types.some(isOfServer))

    /** Leaves to owners of the server whether a webhook is told of it, and where that leads: others may change webhooks of the organization too. */
    const demandOwnerFor = Effect.fnUntraced(function* (before: Webhook, after: Webhook) {
      if (!tellsOfServer(after) || (tellsOfServer(before) && before.url === after.url)) return
      if (owners.isOwner(userOf(yield* Principal)?.email ?? "")) return
      const message =
        "An owner of the server has made this webhook, which is told of the server: only they decide where it leads. Make another one"
      return yield* Effect.fail(new Forbidden({ message }))
    })

    const demandActive = ({ id, isActive }: Webhook) =>
      isActive
        ? Effect.void
        : Effect.fail(new WebhookInactive({ message: `Webhook ${id} is switched off: switch it on first` }))

    return { open, openOne, found, demandEverywhere, demandSight, demandOwnerFor, demandActive } as const
  })
}) {}

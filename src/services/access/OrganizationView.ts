import { Array, Effect } from "effect"
import { memberPermissions } from "../../domain/access/Access.ts"
import type { Application, Membership, Organization } from "../../domain/access/Organization.ts"
import { sdkOf } from "../../domain/access/Sdk.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { organizationMissing } from "./NotFound.ts"

/** The application summary of the contract. */
export const summaryOf = ({ sdkId, ...application }: Application) => ({ ...application, sdk: sdkOf(sdkId) })

/** Organizations and projects as the contract shows them. Asks for no permission: its callers do. */
export class OrganizationView extends Effect.Service<OrganizationView>()("services/access/OrganizationView", {
  effect: Effect.gen(function* () {
    const { memberSlots, projectSlots, publicUrl } = yield* Settings
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo

    /** Absolute, and different for every content; null without an icon. */
    const iconUrl = ({ id, iconTag }: Pick<Organization, "id" | "iconTag">) =>
      iconTag === null ? null : `${publicUrl}/organization/${id}/icon?v=${encodeURIComponent(iconTag)}`

    const billing = (organizationId: OrganizationId) => ({
      organizationId,
      subscription: { tier: "self-hosted" },
      memberSlots: { total: memberSlots },
      projectSlots: { total: projectSlots },
      blockedReason: null,
      graceEndsAt: null
    })

    /**
     * An organization as one of its members sees it: without projects in which a role of the member's own does not show them. Fails where the
     * membership ended since it was looked for.
     */
    const ofMember = Effect.fnUntraced(function* (organization: Organization, membership: Membership) {
      const all = yield* roles.list(organization.id)
      const grants = yield* roles.grantsOf(membership.id)
      const granted = grants.find((grant) => grant.applicationId === null)
      const role = all.find(({ id }) => id === granted?.roleId)
      if (role === undefined) return yield* Effect.fail(organizationMissing(organization.id))
      const isShown = ({ id }: Application) => memberPermissions(grants, all, id).has("projects:read")
      return {
        id: organization.id,
        name: organization.name,
        iconUrl: iconUrl(organization),
        color: organization.color,
        role: { id: role.id, name: role.name, permissions: [...memberPermissions(grants, all, null)] },
        billing: billing(organization.id),
        applications: (yield* projects.list(organization.id)).filter(isShown).map(summaryOf),
        requiresSecondFactor: organization.requiresSecondFactor,
        membershipId: membership.id
      }
    })

    /** The same of many, without those whose membership ended meanwhile; each in a turn of the event loop of its own: a person may have any number. */
    const ofAll = Effect.fnUntraced(function* (
      memberships: ReadonlyArray<{ readonly organization: Organization; readonly membership: Membership }>
    ) {
      const found = Effect.forEach(memberships, ({ organization, membership }) =>
        Effect.zipRight(nextTurn, Effect.option(ofMember(organization, membership)))
      )
      return Array.getSomes(yield* found)
    })

    return { iconUrl, billing, ofMember, ofAll } as const
  })
}) {}

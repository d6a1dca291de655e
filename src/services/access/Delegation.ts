import { Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { Escalation, Forbidden } from "../../../schema/access/AccessErrors.ts"
import { permissionsOf } from "../../domain/access/Access.ts"
import { exceeding } from "../../domain/access/KeyPermissions.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Role } from "../../domain/access/Role.ts"
import type { ApplicationId, OrganizationId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Rights } from "./Rights.ts"

const refuseExcess = (excess: ReadonlyArray<Permission>) =>
  excess.length === 0
    ? Effect.void
    : Effect.fail(new Escalation({ message: `You cannot grant what you do not hold: ${excess.join(", ")}` }))

/** Decides what the caller may give to others and take from them: nothing that the caller does not hold. */
export class Delegation extends Effect.Service<Delegation>()("services/access/Delegation", {
  effect: Effect.gen(function* () {
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo
    const rights = yield* Rights

    /** The permissions among these that the caller lacks in the projects; null stands for the organization with all its projects. */
    const lacking = Effect.fnUntraced(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      if (yield* rights.isOwner(organizationId)) return []
      const held = yield* rights.heldOrNothing(organizationId)
      const places = applicationIds ?? (yield* rights.places(organizationId))
      return [...new Set(places.flatMap((place) => exceeding(asked, held(place))))]
    })

    /** Nobody can grant what they do not hold: in the projects named, or with null in the organization and all its projects. */
    const mayGrant = Effect.fnUntraced(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      yield* refuseExcess(yield* lacking(asked, organizationId, applicationIds))
    })

    /** Only owners give ownership; nobody gives a role that allows more than they may do. */
    const mayGiveRole = Effect.fnUntraced(function* (role: Role, applicationId: ApplicationId | null) {
      if (role.builtin === "Owner" && !(yield* rights.isOwner(role.organizationId))) {
        return yield* Effect.fail(new Escalation({ message: "Only an owner can give the Owner role" }))
      }
      yield* mayGrant(permissionsOf(role), role.organizationId, applicationId === null ? null : [applicationId])
    })

    /** Only owners take ownership away; nobody takes a role away that allows more than they may do. */
    const mayTakeRole = Effect.fnUntraced(function* (role: Role, applicationId: ApplicationId | null) {
      const { organizationId, name } = role
      if (role.builtin === "Owner" && !(yield* rights.isOwner(organizationId))) {
        return yield* Effect.fail(new Forbidden({ message: "Only an owner can take the Owner role away" }))
      }
      const places = applicationId === null ? null : [applicationId]
      const excess = yield* lacking(permissionsOf(role), organizationId, places)
      if (excess.length === 0) return
      const message = `You cannot take ${name} away, which allows what you do not hold: ${excess.join(", ")}`
      return yield* Effect.fail(new Forbidden({ message }))
    })

    /** Refuses to take a member's roles away, in the organization and in projects, unless all of them are the caller's to take. */
    const mayRemove = Effect.fnUntraced(function* ({ id, organizationId }: Membership) {
      const all = yield* roles.list(organizationId)
      for (const { roleId, applicationId } of yield* roles.grantsOf(id)) {
        const role = all.find((each) => each.id === roleId)
        if (role !== undefined) yield* mayTakeRole(role, applicationId)
      }
    })

    /** Whether the member is the caller, who may give up what is the caller's own. */
    const isCaller = ({ userId }: Membership) => Effect.map(Principal, (principal) => userOf(principal)?.id === userId)

    /** A personal token may ask for what its owner holds in the organization or in at least one of the projects. */
    const mayHold = Effect.fnUntraced(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      const held = yield* rights.heldOrNothing(organizationId)
      const own = yield* projects.list(organizationId)
      const places = [null, ...(applicationIds ?? own.map(({ id }) => id))]
      yield* refuseExcess(exceeding(asked, new Set(places.flatMap((place) => [...held(place)]))))
    })

    return { mayGrant, mayGiveRole, mayTakeRole, mayRemove, mayHold, isCaller } as const
  })
}) {}

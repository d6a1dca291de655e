import { Effect, Option } from "effect"
import { Principal } from "../../schema/Auth.ts"
import {
  ApplicationNotFound,
  EnvironmentNotFound,
  Escalation,
  Forbidden,
  OrganizationNotFound
} from "../../schema/Errors.ts"
import type { Permissions } from "../domain/access/Access.ts"
import {
  everything,
  exceeding,
  keyPermissions,
  memberPermissions,
  ownersOf,
  permissionsOf as permissionsOfRole,
  personalPermissions
} from "../domain/access/Access.ts"
import { coversApplication } from "../domain/access/ApiKey.ts"
import type { Environment } from "../domain/access/Organization.ts"
import type { Permission } from "../domain/access/Permission.ts"
import type { Principal as PrincipalShape } from "../domain/access/Principal.ts"
import { keyOf, userOf } from "../domain/access/Principal.ts"
import type { ApplicationId, EnvironmentId, OrganizationId, UserId } from "../domain/Ids.ts"
import type { Role } from "../domain/access/Role.ts"
import { OrganizationRepo } from "../ports/OrganizationRepo.ts"
import { ProjectRepo } from "../ports/ProjectRepo.ts"
import { RoleRepo } from "../ports/RoleRepo.ts"

const organizationMissing = (id: OrganizationId) =>
  new OrganizationNotFound({ message: `Organization ${id} does not exist` })
const applicationMissing = (id: ApplicationId) =>
  new ApplicationNotFound({ message: `Application ${id} does not exist` })
const environmentMissing = (id: EnvironmentId) =>
  new EnvironmentNotFound({ message: `Environment ${id} does not exist in this application` })

/** Decides everything that may be refused: the only module that compares permissions. */
export class Policy extends Effect.Service<Policy>()("services/Policy", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo

    const ofMember = Effect.fnUntraced(function* (
      userId: UserId,
      organizationId: OrganizationId,
      applicationId: ApplicationId | null
    ) {
      const membership = yield* organizations.findMemberByUser(organizationId, userId)
      if (Option.isNone(membership)) return Option.none<Permissions>()
      const grants = yield* roles.grantsOf(membership.value.id)
      return Option.some(memberPermissions(grants, yield* roles.list(organizationId), applicationId))
    })

    /** What the principal may do there; none where it does not belong. */
    const permissionsOf = Effect.fnUntraced(function* (
      principal: PrincipalShape,
      organizationId: OrganizationId,
      applicationId: ApplicationId | null
    ) {
      if (principal.kind === "system") return Option.some(everything)
      if (principal.kind === "session") return yield* ofMember(principal.userId, organizationId, applicationId)
      const { key } = principal
      if (key.organizationId !== organizationId) return Option.none<Permissions>()
      if (principal.kind === "personal") {
        const owner = yield* ofMember(principal.userId, organizationId, applicationId)
        return Option.map(owner, (held) => personalPermissions(held, key, applicationId))
      }
      const covered = applicationId === null || coversApplication(key, applicationId)
      return Option.some(covered ? keyPermissions(key) : new Set<Permission>())
    })

    const demand = (permission: Permission, held: Permissions, where: string) =>
      held.has(permission)
        ? Effect.void
        : Effect.fail(new Forbidden({ message: `This credential lacks ${permission} in ${where}` }))

    const organization = Effect.fn("Policy.organization")(function* (permission: Permission, id: OrganizationId) {
      const held = yield* permissionsOf(yield* Principal, id, null)
      if (Option.isNone(held)) return yield* Effect.fail(organizationMissing(id))
      yield* demand(permission, held.value, `organization ${id}`)
      const found = yield* organizations.find(id)
      return yield* Option.match(found, {
        onNone: () => Effect.fail(organizationMissing(id)),
        onSome: (organization) => Effect.succeed({ organization, held: held.value })
      })
    })

    const application = Effect.fn("Policy.application")(function* (permission: Permission, id: ApplicationId) {
      const found = yield* projects.find(id)
      if (Option.isNone(found)) return yield* Effect.fail(applicationMissing(id))
      const held = yield* permissionsOf(yield* Principal, found.value.organizationId, id)
      if (Option.isNone(held)) return yield* Effect.fail(applicationMissing(id))
      yield* demand(permission, held.value, `application ${id}`)
      return found.value
    })

    const coversEnvironment = Effect.fnUntraced(function* (environment: Environment) {
      const key = keyOf(yield* Principal)
      if (key !== undefined && !key.environmentIds.includes(environment.id)) {
        return yield* Effect.fail(
          new Forbidden({ message: `This credential does not cover environment ${environment.id}` })
        )
      }
      return environment
    })

    /** The environment named by the header, or production where the header may be left out. */
    const environment = Effect.fn("Policy.environment")(function* (
      permission: Permission,
      applicationId: ApplicationId,
      id: EnvironmentId | undefined
    ) {
      const found = yield* application(permission, applicationId)
      const all = yield* projects.environments(applicationId)
      const chosen = all.find((each) => (id === undefined ? each.alias === "production" : each.id === id))
      if (chosen === undefined) {
        return yield* Effect.fail(
          id === undefined
            ? new EnvironmentNotFound({
                message: "This application has no production environment: send environment_id"
              })
            : environmentMissing(id)
        )
      }
      return { application: found, environment: yield* coversEnvironment(chosen) }
    })

    /** The projects of the organization in which the principal holds the permission. */
    const applications = Effect.fn("Policy.applications")(function* (permission: Permission, id: OrganizationId) {
      const principal = yield* Principal
      const held = yield* permissionsOf(principal, id, null)
      if (Option.isNone(held)) return yield* Effect.fail(organizationMissing(id))
      const visible = yield* Effect.filter(yield* projects.list(id), (application) =>
        Effect.map(
          permissionsOf(principal, id, application.id),
          Option.exists((inside) => inside.has(permission))
        )
      )
      if (visible.length === 0) yield* demand(permission, held.value, `organization ${id}`)
      return visible
    })

    /** Whether the principal is a signed-in owner, or the process itself. */
    const isOwner = Effect.fn("Policy.isOwner")(function* (id: OrganizationId) {
      const principal = yield* Principal
      if (principal.kind !== "session") return principal.kind === "system"
      const membership = yield* organizations.findMemberByUser(id, principal.userId)
      if (Option.isNone(membership)) return false
      const grants = yield* roles.grantsOf(membership.value.id)
      return ownersOf(grants, yield* roles.list(id)).length > 0
    })

    /** The organization, and the projects where a person holds another role than there. */
    const scopesOf = Effect.fnUntraced(function* (principal: PrincipalShape, id: OrganizationId) {
      const user = userOf(principal)
      const membership = user === null ? Option.none() : yield* organizations.findMemberByUser(id, user.id)
      const grants = Option.isNone(membership) ? [] : yield* roles.grantsOf(membership.value.id)
      return [null, ...grants.flatMap(({ applicationId }) => (applicationId === null ? [] : [applicationId]))]
    })

    /** Nobody can grant what they do not hold: in the projects named, or with null in the organization and all its projects. */
    const mayGrant = Effect.fn("Policy.mayGrant")(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      const principal = yield* Principal
      if (yield* isOwner(organizationId)) return
      for (const applicationId of applicationIds ?? (yield* scopesOf(principal, organizationId))) {
        const held = yield* permissionsOf(principal, organizationId, applicationId)
        const excess = exceeding(
          asked,
          Option.getOrElse(held, () => new Set<Permission>())
        )
        if (excess.length > 0) {
          return yield* Effect.fail(
            new Escalation({ message: `You cannot grant what you do not hold: ${excess.join(", ")}` })
          )
        }
      }
    })

    /** Only owners give ownership; nobody gives a role that holds more than they do. */
    const mayGiveRole = Effect.fn("Policy.mayGiveRole")(function* (role: Role, applicationId: ApplicationId | null) {
      if (role.builtin === "Owner" && !(yield* isOwner(role.organizationId))) {
        return yield* Effect.fail(new Escalation({ message: "Only an owner can give the Owner role" }))
      }
      yield* mayGrant(permissionsOfRole(role), role.organizationId, applicationId === null ? null : [applicationId])
    })

    const mayTakeRole = Effect.fn("Policy.mayTakeRole")(function* (role: Role) {
      if (role.builtin === "Owner" && !(yield* isOwner(role.organizationId))) {
        return yield* Effect.fail(new Forbidden({ message: "Only an owner can take the Owner role away" }))
      }
    })

    return {
      permissionsOf,
      organization,
      application,
      applications,
      environment,
      coversEnvironment,
      isOwner,
      mayGrant,
      mayGiveRole,
      mayTakeRole
    } as const
  })
}) {}

import { Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { EnvironmentNotFound, Escalation, Forbidden } from "../../../schema/access/AccessErrors.ts"
import type { Permissions } from "../../domain/access/Access.ts"
import {
  everything,
  exceeding,
  keyPermissions,
  memberPermissions,
  ownersOf,
  permissionsOf as permissionsOfRole,
  personalPermissions
} from "../../domain/access/Access.ts"
import { coversApplication } from "../../domain/access/ApiKey.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Principal as PrincipalShape } from "../../domain/access/Principal.ts"
import { keyOf, userOf } from "../../domain/access/Principal.ts"
import type { ApplicationId, EnvironmentId, OrganizationId, UserId } from "../../domain/Ids.ts"
import type { Role } from "../../domain/access/Role.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { applicationMissing, environmentMissing, organizationMissing } from "./NotFound.ts"

/** What a principal may do in the organization (null) and in each of its projects. */
type Held = (applicationId: ApplicationId | null) => Permissions

const nothing = (): Permissions => new Set<Permission>()

const refuseExcess = (excess: ReadonlyArray<Permission>) =>
  excess.length === 0
    ? Effect.void
    : Effect.fail(new Escalation({ message: `You cannot grant what you do not hold: ${excess.join(", ")}` }))

/** Decides everything that may be refused: the only module that compares permissions. */
export class Policy extends Effect.Service<Policy>()("services/access/Policy", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo

    const grantsOf = Effect.fnUntraced(function* (userId: UserId, organizationId: OrganizationId) {
      const membership = yield* organizations.findMemberByUser(organizationId, userId)
      return Option.isNone(membership) ? Option.none() : Option.some(yield* roles.grantsOf(membership.value.id))
    })

    const ofMember = Effect.fnUntraced(function* (userId: UserId, organizationId: OrganizationId) {
      const grants = yield* grantsOf(userId, organizationId)
      if (Option.isNone(grants)) return Option.none<Held>()
      const all = yield* roles.list(organizationId)
      return Option.some<Held>((applicationId) => memberPermissions(grants.value, all, applicationId))
    })

    const heldIn = Effect.fnUntraced(function* (principal: PrincipalShape, organizationId: OrganizationId) {
      if (principal.kind === "system") return Option.some<Held>(() => everything)
      if (principal.kind === "session") return yield* ofMember(principal.userId, organizationId)
      const { key } = principal
      if (key.organizationId !== organizationId) return Option.none<Held>()
      if (principal.kind === "personal") {
        const owner = yield* ofMember(principal.userId, organizationId)
        return Option.map(
          owner,
          (held): Held =>
            (id) =>
              personalPermissions(held(id), key, id)
        )
      }
      const own = keyPermissions(key)
      return Option.some<Held>((id) => (id === null || coversApplication(key, id) ? own : nothing()))
    })

    /** What the principal may do there; none where it does not belong. */
    const permissionsOf = (
      principal: PrincipalShape,
      organizationId: OrganizationId,
      applicationId: ApplicationId | null
    ) =>
      Effect.map(
        heldIn(principal, organizationId),
        Option.map((held) => held(applicationId))
      )

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

    /** Those of the project that the credential covers. */
    const coveredEnvironments = Effect.fn("Policy.coveredEnvironments")(function* (applicationId: ApplicationId) {
      const key = keyOf(yield* Principal)
      const ids = (yield* projects.environments(applicationId)).map(({ id }) => id)
      return key === undefined ? ids : ids.filter((id) => key.environmentIds.includes(id))
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
                message: "This application has no production environment: send environment_id or environment-id"
              })
            : environmentMissing(id)
        )
      }
      return { application: found, environment: yield* coversEnvironment(chosen) }
    })

    /** The projects of the organization in which the principal holds the permission; none outside of it. */
    const visible = Effect.fn("Policy.visible")(function* (permission: Permission, id: OrganizationId) {
      const held = Option.getOrElse(yield* heldIn(yield* Principal, id), () => nothing)
      return (yield* projects.list(id)).filter((each) => held(each.id).has(permission))
    })

    /** The same, refused to who holds the permission nowhere in the organization. */
    const applications = Effect.fn("Policy.applications")(function* (permission: Permission, id: OrganizationId) {
      const found = yield* visible(permission, id)
      if (found.length === 0) yield* organization(permission, id)
      return found
    })

    /** Whether the principal is a signed-in owner, or the process itself. */
    const isOwner = Effect.fn("Policy.isOwner")(function* (id: OrganizationId) {
      const principal = yield* Principal
      if (principal.kind !== "session") return principal.kind === "system"
      const grants = yield* grantsOf(principal.userId, id)
      return Option.isSome(grants) && ownersOf(grants.value, yield* roles.list(id)).length > 0
    })

    /** The organization, and the projects where a person holds another role than there. */
    const scopesOf = Effect.fnUntraced(function* (principal: PrincipalShape, id: OrganizationId) {
      const user = userOf(principal)
      const grants = user === null ? Option.none() : yield* grantsOf(user.id, id)
      const own = Option.getOrElse(grants, () => [])
      return [null, ...own.flatMap(({ applicationId }) => (applicationId === null ? [] : [applicationId]))]
    })

    /** Nobody can grant what they do not hold: in the projects named, or with null in the organization and all its projects. */
    const mayGrant = Effect.fn("Policy.mayGrant")(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      if (yield* isOwner(organizationId)) return
      const principal = yield* Principal
      const held = Option.getOrElse(yield* heldIn(principal, organizationId), () => nothing)
      for (const place of applicationIds ?? (yield* scopesOf(principal, organizationId))) {
        yield* refuseExcess(exceeding(asked, held(place)))
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

    /** The asker belongs to the organization, whatever it may do there. */
    const member = Effect.fn("Policy.member")(function* (id: OrganizationId) {
      const held = yield* permissionsOf(yield* Principal, id, null)
      if (Option.isNone(held)) return yield* Effect.fail(organizationMissing(id))
    })

    /** A personal token may ask for what its owner holds in the organization or in at least one of the projects. */
    const mayHold = Effect.fn("Policy.mayHold")(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      const held = Option.getOrElse(yield* heldIn(yield* Principal, organizationId), () => nothing)
      const own = yield* projects.list(organizationId)
      const places = [null, ...(applicationIds ?? own.map(({ id }) => id))]
      yield* refuseExcess(exceeding(asked, new Set(places.flatMap((place) => [...held(place)]))))
    })

    return {
      permissionsOf,
      organization,
      application,
      visible,
      applications,
      environment,
      coversEnvironment,
      coveredEnvironments,
      member,
      isOwner,
      mayGrant,
      mayHold,
      mayGiveRole,
      mayTakeRole
    } as const
  })
}) {}

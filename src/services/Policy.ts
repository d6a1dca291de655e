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
  personalPermissions
} from "../domain/access/Access.ts"
import { coversApplication } from "../domain/access/ApiKey.ts"
import type { Environment } from "../domain/access/Organization.ts"
import type { Permission } from "../domain/access/Permission.ts"
import type { Principal as PrincipalShape } from "../domain/access/Principal.ts"
import { keyOf } from "../domain/access/Principal.ts"
import type { ApplicationId, EnvironmentId, OrganizationId, UserId } from "../domain/Ids.ts"
import { OrganizationRepo } from "../ports/OrganizationRepo.ts"
import { ProjectRepo } from "../ports/ProjectRepo.ts"
import { RoleRepo } from "../ports/RoleRepo.ts"

const organizationMissing = (id: OrganizationId) =>
  new OrganizationNotFound({ message: `Organization ${id} does not exist` })
const applicationMissing = (id: ApplicationId) =>
  new ApplicationNotFound({ message: `Application ${id} does not exist` })
const environmentMissing = (id: EnvironmentId) =>
  new EnvironmentNotFound({ message: `Environment ${id} does not exist in this application` })

const nothing = (): Permissions => new Set<Permission>()

const refuseExcess = (excess: ReadonlyArray<Permission>) =>
  excess.length === 0
    ? Effect.void
    : Effect.fail(new Escalation({ message: `You cannot grant what you do not hold: ${excess.join(", ")}` }))

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

    /** Nobody can grant what they do not hold. */
    const mayGrant = Effect.fn("Policy.mayGrant")(function* (
      asked: ReadonlyArray<Permission>,
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId> | null
    ) {
      const principal = yield* Principal
      for (const applicationId of applicationIds ?? [null]) {
        const held = yield* permissionsOf(principal, organizationId, applicationId)
        yield* refuseExcess(exceeding(asked, Option.getOrElse(held, nothing)))
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
      const principal = yield* Principal
      const own = yield* projects.list(organizationId)
      const places = [null, ...(applicationIds ?? own.map(({ id }) => id))]
      const held = yield* Effect.forEach(places, (place) => permissionsOf(principal, organizationId, place))
      yield* refuseExcess(exceeding(asked, new Set(held.flatMap((each) => [...Option.getOrElse(each, nothing)]))))
    })

    return {
      permissionsOf,
      organization,
      application,
      environment,
      coversEnvironment,
      member,
      mayGrant,
      mayHold
    } as const
  })
}) {}

import { Effect, FiberRef, Option } from "effect"
import { EnvironmentNotFound, Forbidden } from "../../../schema/access/AccessErrors.ts"
import type { Permissions } from "../../domain/access/KeyPermissions.ts"
import type { Environment } from "../../domain/access/Organization.ts"
import { lackText } from "../../domain/access/Lacking.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { ApplicationId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { askingOrganization } from "../../ports/operations/AskingOrganization.ts"
import { applicationMissing, environmentMissing, organizationMissing } from "./NotFound.ts"
import { AuditTrail } from "../operations/AuditTrail.ts"
import { Tracing } from "../operations/Tracing.ts"
import { Rights } from "./Rights.ts"

const demand = (permission: Permission, held: Permissions, where: string) =>
  held.has(permission) ? Effect.void : Effect.fail(new Forbidden({ message: lackText(permission, where) }))

const uncovered = (what: string) => Effect.fail(new Forbidden({ message: `This credential does not cover ${what}` }))

/** Decides whether the caller may do something where it asks to: holds the permission, and covers all that is touched. */
export class Policy extends Effect.Service<Policy>()("services/access/Policy", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const rights = yield* Rights
    const trail = yield* AuditTrail
    const tracing = yield* Tracing

    /** What follows is done for the organization. */
    const workFor = (id: OrganizationId) => Effect.zipRight(FiberRef.set(askingOrganization, id), tracing.within(id))

    /** The organization, in which the caller holds the permission. */
    const organization = Effect.fnUntraced(function* (permission: Permission, id: OrganizationId) {
      const held = yield* rights.heldIn(id)
      if (Option.isNone(held)) return yield* Effect.fail(organizationMissing(id))
      yield* workFor(id)
      yield* demand(permission, held.value(null), `organization ${id}`)
      const found = yield* organizations.find(id)
      return yield* Option.match(found, {
        onNone: () => Effect.fail(organizationMissing(id)),
        onSome: (organization) => Effect.as(trail.allowed(permission, id, null), { organization })
      })
    })

    /** The caller belongs to the organization, whatever it may do there. */
    const member = Effect.fnUntraced(function* (id: OrganizationId) {
      if (Option.isNone(yield* rights.heldIn(id))) return yield* Effect.fail(organizationMissing(id))
      yield* workFor(id)
    })

    /** The project of an organization that the caller belongs to, and what the caller may do in it. */
    const heldInProject = Effect.fnUntraced(function* (id: ApplicationId) {
      const found = yield* projects.find(id)
      if (Option.isNone(found)) return yield* Effect.fail(applicationMissing(id))
      const held = yield* rights.heldIn(found.value.organizationId)
      if (Option.isNone(held)) return yield* Effect.fail(applicationMissing(id))
      yield* workFor(found.value.organizationId)
      return { project: found.value, held: held.value(id) }
    })

    /** What the caller may do in the project. */
    const permissions = Effect.fnUntraced(function* (id: ApplicationId) {
      return (yield* heldInProject(id)).held
    })

    /** The project, in which the caller holds the permission. */
    const application = Effect.fnUntraced(function* (permission: Permission, id: ApplicationId) {
      const { project, held } = yield* heldInProject(id)
      yield* demand(permission, held, `application ${id}`)
      yield* trail.allowed(permission, project.organizationId, id)
      return project
    })

    /** Refuses a token or key that is not made for the project. */
    const coversProject = Effect.fnUntraced(function* (id: ApplicationId) {
      if (!(yield* rights.coversProject(id))) return yield* uncovered(`application ${id}`)
    })

    /** Refuses a token or key that is made for some projects only. */
    const coversAllProjects = Effect.fnUntraced(function* () {
      if (!(yield* rights.coversAllProjects)) return yield* uncovered("all projects of the organization")
    })

    /** Refuses a token or key that is not made for the environment. */
    const coversEnvironment = Effect.fnUntraced(function* (environment: Environment) {
      const covered = yield* rights.covered([environment.id])
      return covered.length === 1 ? environment : yield* uncovered(`environment ${environment.id}`)
    })

    const environmentIds = (applicationId: ApplicationId) =>
      Effect.map(projects.environments(applicationId), (all) => all.map(({ id }) => id))

    /** Those of the project that the caller's token or key covers. */
    const coveredEnvironments = Effect.fnUntraced(function* (applicationId: ApplicationId) {
      return yield* rights.covered(yield* environmentIds(applicationId))
    })

    /** The project, provided that the caller covers all its environments, because they share what is to change. */
    const everyEnvironment = Effect.fnUntraced(function* (permission: Permission, applicationId: ApplicationId) {
      const found = yield* application(permission, applicationId)
      const all = yield* environmentIds(applicationId)
      const covered = new Set(yield* rights.covered(all))
      const others = all.filter((id) => !covered.has(id))
      if (others.length > 0) {
        const named = others.slice(0, 10).join(", ")
        return yield* uncovered(`environment ${named} of application ${applicationId}, which shares what this changes`)
      }
      return found
    })

    /** The environment named by the header, or production where the header may be left out. */
    const environment = Effect.fnUntraced(function* (
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
      yield* trail.placed(chosen.id)
      return { application: found, environment: yield* coversEnvironment(chosen) }
    })

    /** The projects of the organization in which the caller holds the permission; none for an outsider. */
    const visible = Effect.fnUntraced(function* (permission: Permission, id: OrganizationId) {
      const held = yield* rights.heldOrNothing(id)
      return (yield* projects.list(id)).filter((each) => held(each.id).has(permission))
    })

    /** The same, refused to whoever holds the permission nowhere in the organization. */
    const applications = Effect.fnUntraced(function* (permission: Permission, id: OrganizationId) {
      const found = yield* visible(permission, id)
      if (found.length === 0) yield* organization(permission, id)
      return found
    })

    return {
      organization,
      member,
      permissions,
      application,
      visible,
      applications,
      environment,
      everyEnvironment,
      coversProject,
      coversAllProjects,
      coversEnvironment,
      coveredEnvironments
    } as const
  })
}) {}

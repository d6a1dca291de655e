import { DateTime, Effect } from "effect"
import { SlotsExhausted } from "../../../schema/access/AccessErrors.ts"
import type { Application, Organization } from "../../domain/access/Organization.ts"
import { BuiltinRole, builtinRoles } from "../../domain/access/Role.ts"
import type { OrganizationId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

type NewOrganization = Pick<Organization, "name"> & Partial<Pick<Organization, "color">>
type NewProject = Pick<Application, "name"> &
  Partial<Pick<Application, "sdkId" | "color" | "thumbnailUrl" | "timezone">>

const firstProject = "My game"
const environments = [
  { name: "Production", alias: "production" },
  { name: "Development", alias: "development" }
]
const blank = { sdkId: 1, color: null, thumbnailUrl: null, timezone: "UTC" }

/** What an organization and a project consist of on their first day. Asks for no permission: its callers do. */
export class OrganizationSetup extends Effect.Service<OrganizationSetup>()("services/access/OrganizationSetup", {
  effect: Effect.gen(function* () {
    const { projectSlots } = yield* Settings
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const roles = yield* RoleRepo
    const transaction = yield* Transaction

    const insertRole = (organizationId: OrganizationId, name: BuiltinRole, now: DateTime.Utc) => {
      const { description, permissions } = builtinRoles[name]
      const role = { organizationId, builtin: name, name, description, permissions, createdAt: now, updatedAt: now }
      return roles.insert(role)
    }

    const insertRoles = (organizationId: OrganizationId, now: DateTime.Utc) =>
      Effect.forEach(BuiltinRole.literals, (name) =>
        Effect.flatMap(insertRole(organizationId, name, now), Effect.orDie)
      )

    /**
     * The role of the organization's owners. A repair of damaged files may have lost it, and other built-in roles with it, which nobody could
     * make again: those come back. Run it in a transaction.
     */
    const ownerRole = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const present = new Set((yield* roles.list(organizationId)).map(({ builtin }) => builtin))
      const now = yield* DateTime.now
      const lost = BuiltinRole.literals.filter((name) => !present.has(name))
      yield* Effect.forEach(lost, (name) => insertRole(organizationId, name, now))
      const owner = (yield* roles.list(organizationId)).find(({ builtin }) => builtin === "Owner")
      return yield* Effect.orDie(Effect.fromNullable(owner))
    })

    const insertOrganization = Effect.fnUntraced(function* ({ name, color = null }: NewOrganization, owner: UserId) {
      const now = yield* DateTime.now
      const organization = yield* organizations.insert({ name, color, iconTag: null, createdAt: now })
      const organizationId = organization.id
      const [ownerRole] = yield* insertRoles(organizationId, now)
      const added = yield* organizations.addMember({ organizationId, userId: owner, createdAt: now })
      const membership = yield* Effect.orDie(added)
      const grant = { organizationId, applicationId: null, membershipId: membership.id, roleId: ownerRole.id }
      yield* roles.putGrant({ ...grant, createdAt: now, createdBy: owner })
      return { organization, membership }
    })

    const insertProject = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      project: NewProject,
      createdBy: UserId
    ) {
      const createdAt = yield* DateTime.now
      const application = yield* projects.insert({ ...blank, ...project, organizationId, createdAt, createdBy })
      yield* Effect.forEach(environments, (environment) =>
        projects.insertEnvironment({ ...environment, applicationId: application.id, createdAt })
      )
      return application
    })

    /** An organization with the built-in roles, and its owner as the only member. */
    const createOrganization = Effect.fnUntraced(function* (organization: NewOrganization, owner: UserId) {
      return yield* transaction.run(insertOrganization(organization, owner))
    })

    /** A project with its two environments, where the organization has a slot left. */
    const createProject = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      project: NewProject,
      createdBy: UserId
    ) {
      return yield* transaction.run(
        Effect.gen(function* () {
          const taken = (yield* projects.list(organizationId)).length
          if (taken >= projectSlots) {
            return yield* Effect.fail(
              new SlotsExhausted({
                message: `This organization has ${taken} of at most ${projectSlots} projects: delete one first`
              })
            )
          }
          return yield* insertProject(organizationId, project, createdBy)
        })
      )
    })

    /** Gives a user who belongs nowhere an organization of their own with a first project. */
    const welcome = Effect.fnUntraced(function* (user: { readonly id: UserId; readonly name: string }) {
      yield* transaction.run(
        Effect.gen(function* () {
          if ((yield* organizations.listOfUser(user.id)).length > 0) return
          const { organization } = yield* insertOrganization({ name: user.name }, user.id)
          yield* insertProject(organization.id, { name: firstProject }, user.id)
        })
      )
    })

    return { createOrganization, createProject, ownerRole, welcome } as const
  })
}) {}

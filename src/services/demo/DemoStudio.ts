import { Clock, DateTime, Effect, Redacted } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import type { Principal } from "../../domain/access/Principal.ts"
import { randomText } from "../../domain/access/Token.ts"
import { dayOf } from "../../domain/demo/DemoCalendar.ts"
import { dayMillis } from "../../domain/Durations.ts"
import type { ApplicationId, OrganizationId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { OrganizationSetup } from "../access/OrganizationSetup.ts"
import { Operators } from "../operations/Operators.ts"
import { asOf } from "./Past.ts"

const email = "demo@gamekeeper.example"
const studioName = "Demo studio"
const gameName = "Island Run"

/** Days before the first start on which the demo game was launched. */
const daysPlayed = 35

/** The demo's organization and project, and who owns them. */
export interface Studio {
  readonly organizationId: OrganizationId
  readonly applicationId: ApplicationId
  /** The production environment. */
  readonly environment: Environment
  /** The day on which the game was launched, in days since the epoch. */
  readonly firstDay: number
  readonly owner: Principal & { readonly kind: "session" }
}

/** The organization, project and owner of the demo, apart from every other organization of the server. */
export class DemoStudio extends Effect.Service<DemoStudio>()("services/demo/DemoStudio", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets
    const operators = yield* Operators
    const studios = yield* OrganizationSetup

    const organizationOf = Effect.fnUntraced(function* (userId: UserId) {
      const known = (yield* organizations.listOfUser(userId)).find(
        ({ organization }) => organization.name === studioName
      )
      return known?.organization ?? (yield* studios.createOrganization({ name: studioName }, userId)).organization
    })

    const gameOf = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
      const known = (yield* projects.list(organizationId)).find(({ name }) => name === gameName)
      return known ?? (yield* studios.createProject(organizationId, { name: gameName }, userId))
    })

    /** Finds the demo's studio or makes it, and gives its owner a new password. */
    const open = Effect.fnUntraced(function* () {
      const password = randomText(yield* secrets.bytes(64)).slice(0, 16)
      const { user } = yield* operators.ensureVisitor(email, "Demo owner", Redacted.make(password))
      const launch = (dayOf(yield* Clock.currentTimeMillis) - daysPlayed) * dayMillis
      const { id: organizationId } = yield* asOf(launch)(organizationOf(user.id))
      const application = yield* asOf(launch)(gameOf(organizationId, user.id))
      const environment = (yield* projects.environments(application.id)).find(({ alias }) => alias === "production")
      const owner = { kind: "session", userId: user.id, email } as const
      const firstDay = dayOf(DateTime.toEpochMillis(application.createdAt))
      const signIn = { email, password, applicationId: application.id, environmentId: environment?.id ?? null }
      const studio: Studio | null =
        environment === undefined
          ? null
          : { organizationId, applicationId: application.id, environment, firstDay, owner }
      return { signIn, studio }
    })

    return { open } as const
  })
}) {}

import { Clock, Effect, Redacted } from "effect"
import { randomText } from "../../domain/access/Token.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import { demoEvents } from "../../domain/operations/DemoStudio.ts"
import type { UserId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Operators } from "./Operators.ts"
import { OrganizationSetup } from "../access/OrganizationSetup.ts"

const email = "demo@gamekeeper.example"
const studio = "Demo studio"
const batchSize = 5000

/** Plays a demo studio into the stores, once; a later call only gives its owner a new password. */
export class Demo extends Effect.Service<Demo>()("services/operations/Demo", {
  effect: Effect.gen(function* () {
    const events = yield* EventStore
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets
    const operators = yield* Operators
    const studios = yield* OrganizationSetup

    const gameOf = Effect.fnUntraced(function* (userId: UserId) {
      const known = (yield* organizations.listOfUser(userId)).find(({ organization }) => organization.name === studio)
      if (known !== undefined) return { application: (yield* projects.list(known.organization.id))[0], isNew: false }
      const { organization } = yield* studios.createOrganization({ name: studio }, userId)
      return { application: yield* studios.createProject(organization.id, { name: "Demo game" }, userId), isNew: true }
    })

    const play = Effect.fn("Demo.play")(function* () {
      const password = randomText(yield* secrets.bytes(64)).slice(0, 16)
      const { user } = yield* operators.ensurePerson(email, "Demo owner", Redacted.make(password))
      const { application, isNew } = yield* gameOf(user.id)
      if (application === undefined) return { email, password, applicationId: null, environmentId: null }
      const environments = yield* projects.environments(application.id)
      const environmentId = environments.find(({ alias }) => alias === "production")?.id ?? null
      if (isNew && environmentId !== null) {
        const now = yield* Clock.currentTimeMillis
        const write = (batch: ReadonlyArray<Event>) => events.append(environmentId, now, batch)
        let batch: ReadonlyArray<Event> = []
        for (const player of demoEvents(now)) {
          batch = batch.concat(player)
          if (batch.length < batchSize) continue
          yield* write(batch)
          batch = []
        }
        yield* write(batch)
      }
      return { email, password, applicationId: application.id, environmentId }
    })

    return { play } as const
  })
}) {}

import { DateTime, Effect, Option } from "effect"
import type {
  ApplicationPage,
  CreateApplication,
  ProjectPermissions,
  UpdateApplication
} from "../../../schema/access/Projects.ts"
import type { ApplicationRecord } from "../../../schema/access/ApplicationRecord.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { Forbidden, TimeZoneUnknown } from "../../../schema/access/AccessErrors.ts"
import type { Paging } from "../../../schema/Parameters.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { ApplicationId, OrganizationId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { summaryOf } from "./OrganizationView.ts"
import { page } from "../analytics/Page.ts"
import { CohortZones } from "../cohorts/CohortZones.ts"
import { Removals } from "../operations/Removals.ts"
import { whole } from "../Whole.ts"
import { Policy } from "./Policy.ts"
import { OrganizationSetup } from "./OrganizationSetup.ts"

const demandTimeZone = (name: string) =>
  /^[A-Za-z]/.test(name) && Option.isSome(DateTime.zoneMakeNamed(name))
    ? Effect.void
    : Effect.fail(new TimeZoneUnknown({ message: `timezone: no IANA time zone is called ${name}` }))

/** Projects, called applications, of an organization. */
export class Projects extends Effect.Service<Projects>()("services/access/Projects", {
  effect: Effect.gen(function* () {
    const events = yield* EventStore
    const projects = yield* ProjectRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const removals = yield* Removals
    const studios = yield* OrganizationSetup
    const cohortZones = yield* CohortZones

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId, paging: typeof Paging.Type) {
      const all = yield* policy.applications("projects:read", organizationId)
      const { items, nextCursor } = yield* page(all, ({ id }) => id, paging)
      return { items: items.map(summaryOf), nextCursor } satisfies ApplicationPage
    })

    const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: CreateApplication) {
      yield* policy.organization("projects:write", organizationId)
      yield* policy.coversAllProjects()
      const user = userOf(yield* Principal)
      if (user === null) return yield* Effect.fail(new Forbidden({ message: "Only a person can create a project" }))
      yield* demandTimeZone(request.timezone)
      const { color = null, thumbnailUrl = null } = request
      const created = yield* studios.createProject(organizationId, { ...request, color, thumbnailUrl }, user.id)
      return summaryOf(created) satisfies ApplicationRecord
    })

    const get = Effect.fnUntraced(function* (id: ApplicationId) {
      return summaryOf(yield* policy.application("projects:read", id)) satisfies ApplicationRecord
    })

    const permissions = Effect.fnUntraced(function* (id: ApplicationId) {
      return { permissions: [...(yield* policy.permissions(id))] } satisfies ProjectPermissions
    })

    const rewrite = Effect.fnUntraced(
      function* (id: ApplicationId, change: UpdateApplication) {
        const application = yield* policy.everyEnvironment("projects:write", id)
        const { name, sdkId, color, thumbnailUrl, timezone } = change
        if (timezone !== undefined) yield* demandTimeZone(timezone)
        const updated = yield* projects.update({
          ...application,
          name: name ?? application.name,
          sdkId: sdkId ?? application.sdkId,
          color: color === undefined ? application.color : color,
          thumbnailUrl: thumbnailUrl === undefined ? application.thumbnailUrl : thumbnailUrl,
          timezone: timezone ?? application.timezone
        })
        const isSame = updated.timezone === application.timezone
        return { updated, cohorts: isSame ? [] : yield* cohortZones.revised(id) }
      },
      (effect) => transaction.run(effect)
    )

    /** Changes what is sent. Another time zone has other days, so that cohorts which count them are computed anew. */
    const update = Effect.fnUntraced(function* (id: ApplicationId, change: UpdateApplication) {
      const { updated, cohorts } = yield* rewrite(id, change)
      if (cohorts.length > 0) yield* cohortZones.announce(cohorts)
      return summaryOf(updated) satisfies ApplicationRecord
    }, whole)

    /** Deletes a project with its markers. Keys that were scoped to it remain, but no longer cover it. */
    const remove = Effect.fnUntraced(function* (id: ApplicationId) {
      const application = yield* policy.everyEnvironment("projects:write", id)
      const environmentIds = (yield* projects.environments(application.id)).map((environment) => environment.id)
      const removed = Effect.zipRight(projects.remove(application.id), removals.notice)
      yield* whole(Effect.zipRight(removed, events.drop(environmentIds)))
    })

    return { list, create, get, permissions, update, remove } as const
  })
}) {}

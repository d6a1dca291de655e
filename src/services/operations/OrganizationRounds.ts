import { Effect, Option } from "effect"
import type { ApplicationId, OrganizationId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"

/** Organizations of one round at most, because a statement names them. */
const mostServed = 500

/** Rounds in which each organization has its turn before any has a second one, for work that waits in a store. */
export const organizationRounds = Effect.map(ProjectRepo, (projects) => {
  const served = new Set<OrganizationId>()

  /** Notes whose work is done now. Where an organization comes again, all others that have some had their turns, and a round begins anew. */
  const serve = Effect.fnUntraced(function* (id: ApplicationId) {
    const project = yield* projects.find(id)
    if (Option.isNone(project)) return
    const { organizationId } = project.value
    if (served.has(organizationId) || served.size === mostServed) served.clear()
    served.add(organizationId)
  })

  return {
    /** Those that had their turn in this round. */
    served: Effect.sync((): ReadonlyArray<OrganizationId> => [...served]),
    serve
  }
})

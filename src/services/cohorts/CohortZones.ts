import { DateTime, Effect } from "effect"
import { type Cohort, demanded } from "../../domain/cohorts/Cohort.ts"
import { countsDays } from "../../domain/cohorts/CohortMarkers.ts"
import type { ApplicationId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { CohortDefinitions } from "./CohortDefinitions.ts"
import { CohortQueue } from "./CohortQueue.ts"
import { CohortRuns } from "./CohortRuns.ts"

/** Cohorts that count days, which are others when the time zone of their project changes. Asks for no permission: its callers do. */
export class CohortZones extends Effect.Service<CohortZones>()("services/cohorts/CohortZones", {
  effect: Effect.gen(function* () {
    const projects = yield* ProjectRepo
    const cohorts = yield* CohortRepo
    const definitions = yield* CohortDefinitions
    const queue = yield* CohortQueue
    const runs = yield* CohortRuns
    const live = yield* LiveFeed
    const peers = yield* Peers

    const isOfDays = ({ definition }: Cohort) =>
      definition === null ? Effect.succeed(false) : Effect.map(definitions.decode(definition), countsDays)

    const revise = Effect.fnUntraced(function* (cohort: Cohort) {
      const revision = cohort.revision + 1
      const revised = { ...demanded(cohort, yield* DateTime.now), revision, startedAt: null }
      yield* cohorts.update(revised)
      yield* peers.tell({ kind: "cohort", environmentId: cohort.environmentId, cohortId: cohort.id, revision })
      return revised
    })

    /**
     * Has them computed anew, and answers them. To be called in the transaction that changes the zone: what was begun in the zone before
     * is of an earlier revision, and counts no more.
     */
    const revised = Effect.fnUntraced(function* (id: ApplicationId) {
      const all = yield* Effect.forEach(yield* projects.environments(id), (each) => cohorts.list(each.id))
      return yield* Effect.forEach(yield* Effect.filter(all.flat(), isOfDays), revise)
    })

    /** To be called when that transaction is done. */
    const announce = Effect.fnUntraced(function* (changed: ReadonlyArray<Cohort>) {
      yield* Effect.forEach(changed, ({ id }) => runs.overtake(id), { discard: true })
      for (const cohort of changed) live.cohort(cohort)
      yield* queue.wakeUp
    })

    return { revised, announce } as const
  })
}) {}

import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { CohortQueue } from "../../../src/services/cohorts/CohortQueue.ts"
import { CohortWatch } from "../../../src/services/cohorts/CohortWatch.ts"
import { newCohort } from "../../support/cohorts/Cohorts.ts"
import { aProject, at } from "../../support/analytics/SavedQueries.ts"

let isLost = false

/** A database that cannot be reached while `isLost` is set. */
const losing = Layer.effect(
  CohortRepo,
  Effect.map(CohortRepo, (repo) => ({
    ...repo,
    find: (...asked: Parameters<typeof repo.find>) =>
      Effect.suspend(() => (isLost ? Effect.die("The database is away") : repo.find(...asked)))
  }))
)

const stores = Layer.merge(MemoryStores, Layer.provide(losing, MemoryStores))
const services = Layer.provideMerge(CohortQueue.Default, CohortWatch.Default).pipe(Layer.provideMerge(stores))

describe("the queue of cohorts", () => {
  it.effect("forgets no marker that arrived while the database was away", () =>
    Effect.gen(function* () {
      const { application, production } = yield* aProject
      const cohorts = yield* CohortRepo
      const inserted = yield* cohorts.insert(newCohort(application.id, production, { dueAt: at(3600) }))
      const { id } = Option.getOrThrow(inserted)
      const watch = yield* CohortWatch
      const queue = yield* CohortQueue
      yield* watch.refresh(production)
      watch.arrived(production, ["Level"])
      isLost = true
      assert.isTrue(Exit.isFailure(yield* Effect.exit(queue.notice())))
      isLost = false
      yield* watch.requested
      yield* queue.notice()
      const { dueAt } = Option.getOrThrow(yield* cohorts.find(production, id))
      assert.notDeepEqual(dueAt, at(3600))
    }).pipe(Effect.provide(services), Effect.scoped)
  )
})

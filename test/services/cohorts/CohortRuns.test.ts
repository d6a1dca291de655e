import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { lapsedSpenders } from "../../../schema/cohorts/CohortDefinition.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import type { EnvironmentId } from "../../../src/domain/Ids.ts"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { StoreUnavailable } from "../../../src/ports/analytics/StoreUnavailable.ts"
import { MetadataUnavailable } from "../../../src/ports/operations/MetadataUnavailable.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { References } from "../../../src/services/analytics/References.ts"
import { CohortDefinitions } from "../../../src/services/cohorts/CohortDefinitions.ts"
import { CohortQueue } from "../../../src/services/cohorts/CohortQueue.ts"
import { CohortRuns } from "../../../src/services/cohorts/CohortRuns.ts"
import { CohortUsers } from "../../../src/services/cohorts/CohortUsers.ts"
import { CohortWatch } from "../../../src/services/cohorts/CohortWatch.ts"
import { LiveFeed } from "../../../src/services/live/LiveFeed.ts"
import { WebhookQueue } from "../../../src/services/operations/WebhookQueue.ts"
import { aProject, at } from "../../support/analytics/SavedQueries.ts"
import { newCohort } from "../../support/cohorts/Cohorts.ts"
import { webhookOf } from "../../support/operations/StoredWebhooks.ts"

/** Environments in the order in which their cohorts were claimed. */
const claimed: Array<EnvironmentId> = []

const recording = Layer.effect(
  CohortRepo,
  Effect.map(CohortRepo, (repo) => ({
    ...repo,
    claim: (...given: Parameters<typeof repo.claim>) =>
      Effect.tap(repo.claim(...given), (cohort) =>
        Effect.sync(() => {
          if (cohort._tag === "Some") claimed.push(cohort.value.environmentId)
        })
      )
  }))
)

/** Members whose computation comes to no end. */
const endless = Layer.effect(
  CohortMembers,
  Effect.map(CohortMembers, (members) => ({ ...members, recompute: () => Effect.never }))
)

const generation = { at: 1, memberCount: 7, entered: 7, left: 0, highestSequence: 0, rowsScanned: 0 }

/** Both databases are away for so many calls. */
const away = (calls: number) => {
  const left = { answers: calls, metadata: calls }
  return Layer.merge(
    Layer.effect(
      CohortMembers,
      Effect.map(CohortMembers, (members) => ({
        ...members,
        recompute: () =>
          Effect.suspend(() =>
            left.answers-- > 0
              ? Effect.die(new StoreUnavailable({ message: "ClickHouse cannot be reached" }))
              : Effect.succeed(generation)
          )
      }))
    ),
    Layer.effect(
      CohortRepo,
      Effect.map(CohortRepo, (repo) => ({
        ...repo,
        update: (...given: Parameters<typeof repo.update>) =>
          left.answers < 0 && left.metadata-- > 0 ? Effect.die(new MetadataUnavailable()) : repo.update(...given)
      }))
    )
  )
}

const servicesOver = <E, R>(stores: Layer.Layer<Layer.Layer.Success<typeof MemoryStores>, E, R>) =>
  CohortRuns.Default.pipe(
    Layer.provideMerge(
      Layer.mergeAll(CohortQueue.Default, CohortDefinitions.Default, WebhookQueue.Default, LiveFeed.Default)
    ),
    Layer.provideMerge(Layer.mergeAll(CohortWatch.Default, References.Default)),
    Layer.provideMerge(CohortUsers.Default),
    Layer.provideMerge(Layer.provideMerge(recording, stores)),
    Layer.provideMerge(Layer.mergeAll(SecretsNode, SettingsLive(defaults)))
  )

const services = servicesOver(MemoryStores)

describe("the computation of cohorts", () => {
  it.effect("goes round the organizations, however many one of them has due", () =>
    Effect.gen(function* () {
      const cohorts = yield* CohortRepo
      const projects = yield* Effect.all([aProject, aProject, aProject])
      const [many, few, last] = projects.map(({ production }) => production)
      const due = [many, many, many, many, few, few, last]
      for (const [order, environmentId] of due.entries()) {
        const { application } = projects.find(({ production }) => production === environmentId)!
        yield* cohorts.insert(newCohort(application.id, environmentId!, { dueAt: at(order) }))
      }
      const { runNext } = yield* CohortRuns
      yield* Effect.repeat(runNext(), { times: due.length - 1 })
      assert.deepStrictEqual(claimed, [many, few, last, many, few, many, many])
    }).pipe(Effect.provide(services))
  )

  it.effect("is due at once where an orderly end cuts it off, and has not failed", () =>
    Effect.gen(function* () {
      const cohorts = yield* CohortRepo
      const { application, production } = yield* aProject
      const cohort = yield* Effect.flatten(cohorts.insert(newCohort(application.id, production, { dueAt: at(0) })))
      const present = Effect.flatten(cohorts.find(production, cohort.id))
      const { runNext } = yield* CohortRuns
      for (let stop = 0; stop < 2; stop++) {
        const running = yield* Effect.fork(runNext())
        yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), present), {
          until: ({ startedAt }) => startedAt !== null
        })
        yield* Fiber.interrupt(running)
        const { startedAt, failures, status } = yield* present
        assert.deepStrictEqual([startedAt, failures, status], [null, 0, cohort.status])
      }
      assert.isTrue(yield* cohorts.isAnyDue(at(1)))
    }).pipe(Effect.provide(servicesOver(Layer.provideMerge(endless, MemoryStores))))
  )

  it.effect("goes on where the clock leaps past its claim, and is begun by nobody a second time", () =>
    Effect.gen(function* () {
      const cohorts = yield* CohortRepo
      const { application, production } = yield* aProject
      const definition = JSON.stringify(lapsedSpenders)
      const due = newCohort(application.id, production, { definition, dueAt: at(0) })
      const cohort = yield* Effect.flatten(cohorts.insert(due))
      const present = Effect.flatten(cohorts.find(production, cohort.id))
      const { runNext } = yield* CohortRuns
      yield* TestClock.setTime(at(0).epochMillis)
      yield* Effect.fork(runNext())
      const begun = yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), present), {
        until: ({ startedAt }) => startedAt !== null
      })
      for (const hours of [1, 2]) {
        yield* TestClock.setTime(at(3600 * hours).epochMillis)
        const again = yield* Effect.fork(runNext())
        yield* Effect.repeat(Effect.yieldNow(), { times: 50 })
        assert.deepStrictEqual(yield* present, begun)
        yield* Fiber.interrupt(again)
      }
    }).pipe(Effect.provide(servicesOver(Layer.provideMerge(endless, MemoryStores))))
  )

  const outages = [
    [20, "ready", null],
    [1000, "failed", "The database that answers questions could not be reached for a minute"]
  ] as const

  it.effect.each(outages)("goes on where both databases were away, %s times; it is %s then", ([calls, status, error]) =>
    Effect.gen(function* () {
      const cohorts = yield* CohortRepo
      const { application, production } = yield* aProject
      const definition = JSON.stringify(lapsedSpenders)
      const due = newCohort(application.id, production, { definition, dueAt: at(0) })
      const cohort = yield* Effect.flatten(cohorts.insert(due))
      const { runNext } = yield* CohortRuns
      const running = yield* Effect.fork(runNext())
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(yield* Fiber.join(running))
      const after = yield* Effect.flatten(cohorts.find(production, cohort.id))
      assert.deepInclude(after, { status, error })
    }).pipe(Effect.provide(servicesOver(Layer.provideMerge(away(calls), MemoryStores))))
  )

  const cutOffs = [
    [1, "Computing failed unexpectedly"],
    [2, "The server ended, or stood still, while this was computed, and not for the first time"]
  ] as const

  it.effect.each(cutOffs)("is told once as failed where the server has ended while it ran, %s times", ([ends, error]) =>
    Effect.gen(function* () {
      const cohorts = yield* CohortRepo
      const webhooks = yield* WebhookRepo
      const { application, production } = yield* aProject
      const { id } = yield* webhooks.insert(
        webhookOf(application.organizationId, { format: "standard", applicationIds: [application.id] })
      )
      yield* cohorts.insert(newCohort(application.id, production, { dueAt: at(0) }))
      for (let end = 0; end < ends; end++) yield* cohorts.claim(at(10 * end), "gone", at(10 * end + 1), [])
      const { runNext } = yield* CohortRuns
      for (const minutes of [1, 10, 100]) {
        yield* TestClock.setTime(at(60 * minutes).epochMillis)
        yield* runNext()
      }
      const told = yield* webhooks.listDeliveries(id, { state: null, type: null }, null, 10)
      assert.lengthOf(told, 1)
      assert.include(told[0]?.payload, error)
    }).pipe(Effect.provide(services))
  )
})

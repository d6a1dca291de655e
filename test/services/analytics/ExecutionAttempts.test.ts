import { assert, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { StoreUnavailable } from "../../../src/ports/analytics/StoreUnavailable.ts"
import { MetadataUnavailable } from "../../../src/ports/operations/MetadataUnavailable.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { ExecutionRuns } from "../../../src/services/analytics/ExecutionRuns.ts"
import { savedInsight } from "../../support/analytics/Analyst.ts"
import { gated } from "../../support/game/Gate.ts"
import { aProject, aSavedQuery, anExecution, at } from "../../support/analytics/SavedQueries.ts"

const gate = gated(MemoryStores)
const world = Layer.mergeAll(gate.stores, SettingsLive(defaults), Node, BackupFolderMemory)

const waiting = Effect.gen(function* () {
  const executions = yield* ExecutionRepo
  const { application, production } = yield* aProject
  const query = yield* (yield* SavedQueryRepo).insert({
    ...aSavedQuery(application.id),
    definition: JSON.stringify(savedInsight)
  })
  const { id } = yield* executions.insert(anExecution(query, production, {}))
  return { executions, id, found: Effect.map(executions.find(query.id, id), Option.getOrThrow) }
})

it.scoped("an execution that three processes have not outlived fails, and says why", () =>
  Effect.gen(function* () {
    const runs = yield* ExecutionRuns
    const { executions, found } = yield* waiting
    for (const owner of ["first", "second", "third"]) {
      assert.strictEqual((yield* found).state, "queued")
      yield* executions.claim(at(1), owner, at(15), [])
      yield* executions.requeue(at(16))
    }
    yield* runs.runNext()
    const { state, error } = yield* found
    assert.strictEqual(state, "failed")
    assert.include(error?.message, "The server ended, or stood still, 3 times while this ran")
  }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(world))))
)

it.scoped("servers that are stopped in an orderly way do not count", () =>
  Effect.gen(function* () {
    const runs = yield* ExecutionRuns
    const { executions, found } = yield* waiting
    gate.shut()
    for (let restart = 0; restart < 4; restart++) {
      const running = yield* Effect.fork(runs.runNext())
      yield* Effect.repeat(Effect.yieldNow(), { until: () => gate.waiting() > 0 })
      yield* Fiber.interrupt(running)
      assert.deepInclude(yield* found, { state: "running", attempts: 0 })
      yield* executions.requeue(at(1e9))
    }
  }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(world))))
)

/** Stores of which the database that answers questions, or that of the metadata, is away for so many calls. */
const away = (lacksAnswers: number, lacksMetadata: number) => {
  const left = { answers: lacksAnswers, metadata: lacksMetadata }
  const behind = Layer.mergeAll(
    Layer.effect(
      EventStore,
      Effect.map(EventStore, (inner) =>
        EventStore.of({
          ...inner,
          ask: (...asked) =>
            left.answers-- > 0
              ? Effect.die(new StoreUnavailable({ message: "ClickHouse cannot be reached" }))
              : inner.ask(...asked)
        })
      )
    ),
    Layer.effect(
      ExecutionRepo,
      Effect.map(ExecutionRepo, (inner) =>
        ExecutionRepo.of({
          ...inner,
          finish: (...ending) => (left.metadata-- > 0 ? Effect.die(new MetadataUnavailable()) : inner.finish(...ending))
        })
      )
    )
  )
  return Services.pipe(
    Layer.provideMerge(
      Layer.mergeAll(behind.pipe(Layer.provideMerge(MemoryStores)), SettingsLive(defaults), Node, BackupFolderMemory)
    )
  )
}

const endOf = (waits: Duration.DurationInput) =>
  Effect.gen(function* () {
    const runs = yield* ExecutionRuns
    const { found } = yield* waiting
    const running = yield* Effect.fork(runs.runNext())
    yield* TestClock.adjust(waits)
    yield* Fiber.join(running)
    return yield* found
  })

it.scoped("an execution outlives that both databases are away for a while, in its one attempt", () =>
  Effect.gen(function* () {
    assert.deepInclude(yield* endOf("40 seconds"), { state: "succeeded", attempts: 1 })
  }).pipe(Effect.provide(away(20, 20)))
)

it.scoped("an execution whose answers are away for longer than a minute says so", () =>
  Effect.gen(function* () {
    const { state, error } = yield* endOf("2 minutes")
    assert.strictEqual(state, "failed")
    assert.deepInclude(error, { code: "STORE_UNAVAILABLE" })
    assert.include(error?.message, "could not be reached for a minute")
  }).pipe(Effect.provide(away(1000, 0)))
)

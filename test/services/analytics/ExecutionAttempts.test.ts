import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
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

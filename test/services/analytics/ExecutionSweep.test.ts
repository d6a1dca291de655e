import { assert, it } from "@effect/vitest"
import { Duration, Effect, Layer, Option, TestClock } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
import { QueryExecutions } from "../../../src/jobs/QueryExecutions.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { aProject, aSavedQuery, anExecution, at } from "../../support/analytics/SavedQueries.ts"

const world = Layer.mergeAll(MemoryStores, SettingsLive(defaults), Node, BackupFolderMemory)

it.scoped("results are kept for seven days", () =>
  Effect.gen(function* () {
    const context = yield* Layer.build(world)
    yield* Effect.provide(
      Effect.gen(function* () {
        const executions = yield* ExecutionRepo
        const { application, production } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        yield* TestClock.setTime(at(0).epochMillis)
        const ended = { state: "succeeded", result: "{}", finishedAt: at(0) } as const
        const { id } = yield* executions.insert(anExecution(query, production, ended))
        // The server starts again shortly before the end: what it does every few seconds is not done for seven days here.
        yield* TestClock.adjust(Duration.subtract(Duration.days(7), Duration.hours(1)))
        yield* Layer.build(QueryExecutions.pipe(Layer.provide(Services)))
        yield* TestClock.adjust(Duration.hours(1))
        assert.isTrue(Option.isSome(yield* executions.find(query.id, id)))
        yield* TestClock.adjust(Duration.hours(1))
        assert.isTrue(Option.isNone(yield* executions.find(query.id, id)))
      }),
      context
    )
  })
)

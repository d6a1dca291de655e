import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { ExecutionRuns } from "../../../src/services/analytics/ExecutionRuns.ts"
import { aProject, aSavedQuery, anExecution } from "../../support/analytics/SavedQueries.ts"

const world = Layer.mergeAll(MemoryStores, SettingsLive(defaults), Node, BackupFolderMemory)

it.scoped("organizations take turns at executions, however many another one has asked for before", () =>
  Effect.gen(function* () {
    const executions = yield* ExecutionRepo
    const queries = yield* SavedQueryRepo
    const runs = yield* ExecutionRuns
    const [busy, quiet] = [yield* aProject, yield* aProject]
    const many = yield* queries.insert(aSavedQuery(busy.application.id))
    const one = yield* queries.insert(aSavedQuery(quiet.application.id))
    for (let each = 0; each < 5; each++) yield* executions.insert(anExecution(many, busy.production, {}))
    const { id } = yield* executions.insert(anExecution(one, quiet.production, {}))
    yield* runs.runNext()
    yield* runs.runNext()
    assert.strictEqual(Option.getOrThrow(yield* executions.find(one.id, id)).state, "failed")
  }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(world))))
)

import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { Services } from "../../../src/app/Services.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { ErasureRepo } from "../../../src/ports/operations/ErasureRepo.ts"
import { Erasures } from "../../../src/services/operations/Erasures.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"

/** A store that cannot erase one of the units. */
const refusing = Layer.effect(
  EventStore,
  Effect.map(EventStore, (inner) =>
    EventStore.of({
      ...inner,
      erase: (environmentId, unitId) =>
        unitId === "stays" ? Effect.dieMessage("the disk is full") : inner.erase(environmentId, unitId)
    })
  )
).pipe(Layer.provideMerge(MemoryStores))

const world = Layer.mergeAll(refusing, SettingsLive(defaults), Node, BackupFolderMemory)

it.scoped("a round that leaves an erasure unfinished has finished the others, and counts as failed", () =>
  Effect.gen(function* () {
    const repo = yield* ErasureRepo
    const erasures = yield* Erasures
    const { production } = yield* aProject
    for (const unitId of ["stays", "goes"]) yield* repo.begin({ environmentId: production, unitId, erasedAt: 1 })
    assert.strictEqual((yield* Effect.flip(erasures.resume())).message, "1 of 2 are not finished: see above why")
    assert.deepStrictEqual(
      (yield* repo.unfinished).map(({ unitId }) => unitId),
      ["stays"]
    )
  }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(world))))
)

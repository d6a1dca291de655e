import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Runtime, Stream } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { Operations } from "../../../src/app/commands/Offline.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { Imports } from "../../../src/services/ingest/Imports.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { everyMarker } from "../../support/analytics/EveryMarker.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { heldMarkers, makeGate } from "../../support/Gate.ts"
import { everyStore, type Stores } from "../../support/Stores.ts"

const storing = makeGate()

const worldOf = (store: Stores) =>
  Layer.mergeAll(store, Layer.provide(heldMarkers(storing), store), SettingsLive(defaults), Node, BackupFolderMemory)

const recordOf = (distinctId: string) => ({
  name: distinctId,
  markers: [{ eventName: "Login", distinctId, timestamp: Date.UTC(2026, 0, 1) }],
  read: { file: "-", record: 1, content: null }
})

describe.each(everyStore)("an import beside a server, over %s", (_, store) => {
  it.live("leaves no marker of a player who is erased while a batch is stored", () =>
    Effect.gen(function* () {
      const { production } = yield* aProject
      const events = yield* EventStore
      const promise = Runtime.runPromise(yield* Effect.runtime<Layer.Layer.Success<ReturnType<typeof worldOf>>>())
      const importing = Effect.flatMap(Imports, ({ run }) =>
        Stream.runDrain(run(production, Stream.make(recordOf("gone"), recordOf("stays"))))
      )
      const erasing = Effect.zipRight(
        Effect.flatMap(ErasedUnits, ({ add }) => add(production, "gone", Date.now())),
        events.erase(production, "gone")
      )
      yield* Effect.promise(() =>
        storing.overtaken(
          () => promise(Effect.provide(importing, Operations)),
          () => promise(Effect.provide(erasing, ErasedUnits.Default))
        )
      )
      const { answer } = yield* events.ask<"listing">(production, everyMarker)
      assert.deepStrictEqual(
        answer.items.map(({ unitId }) => unitId),
        ["stays"]
      )
    }).pipe(Effect.provide(worldOf(store)))
  )
})

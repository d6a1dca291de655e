import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { Operations } from "../../../src/app/commands/Offline.ts"
import { defaults } from "../../../src/app/Config.ts"
import { Node } from "../../../src/app/ProcessAdapters.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { asSent } from "../../../src/domain/ingest/exports/OwnExport.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { Imports } from "../../../src/services/ingest/Imports.ts"
import { everyMarker } from "../../support/analytics/EveryMarker.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { everyStore, type Stores } from "../../support/Stores.ts"

const worldOf = (store: Stores) => Layer.mergeAll(store, SettingsLive(defaults), Node, BackupFolderMemory)

const recordOf = (unitId: string, clamped: boolean) => {
  const content = { type: "Login", unitId, timestamp: "2026-01-01T00:00:00.000Z", clamped, arguments: {} }
  return { name: unitId, markers: [asSent(content)], read: { file: "-", record: 1, content } }
}

describe.each(everyStore)("an import beside a server, over %s", (_, store) => {
  it.live("keeps what an export says of a marker that was clamped", () =>
    Effect.gen(function* () {
      const { production } = yield* aProject
      const { run } = yield* Effect.provide(Imports, Operations)
      yield* Stream.runDrain(run(production, Stream.make(recordOf("ahead", true), recordOf("right", false))))
      const { answer } = yield* (yield* EventStore).ask<"listing">(production, everyMarker)
      assert.deepStrictEqual(Object.fromEntries(answer.items.map(({ unitId, clamped }) => [unitId, clamped])), {
        ahead: true,
        right: false
      })
    }).pipe(Effect.provide(worldOf(store)))
  )
})

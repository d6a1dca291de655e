import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { UnitSightRepo } from "../../../src/ports/game/UnitSightRepo.ts"
import { UnitSights } from "../../../src/services/game/UnitSights.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"

/** The ids of the sights that were ever handed to the store, and those that were removed from it, in this order. */
const watched = Effect.map(UnitSightRepo, (repo) => {
  const handed: Array<string> = []
  const removed: Array<string> = []
  const layer = Layer.succeed(UnitSightRepo, {
    ...repo,
    record: (sights) => {
      handed.push(...sights.map(({ distinctId }) => distinctId))
      return repo.record(sights)
    },
    eraseUnit: (environmentId, distinctId) => {
      removed.push(distinctId)
      return repo.eraseUnit(environmentId, distinctId)
    }
  })
  return { handed, removed, layer }
})

it.effect("UnitSights: of a player whom another process has erased, the sight that waits is never written", () =>
  Effect.gen(function* () {
    const { production } = yield* aProject
    const { handed, removed, layer } = yield* watched
    yield* Effect.gen(function* () {
      const sights = yield* UnitSights
      const place = { environmentId: production, unitType: "user" as const }
      yield* sights.saw([{ place, distinctIds: ["gone", "stays"] }])
      yield* (yield* ErasedUnits).add(production, "gone", yield* Effect.clockWith((clock) => clock.currentTimeMillis))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([handed, removed], [["stays"], []])
      // Whoever comes back after the erasure is seen for the first time.
      yield* TestClock.adjust("1 second")
      yield* sights.saw([{ place, distinctIds: ["gone", "stays"] }])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([handed, removed], [["stays", "gone"], []])
    }).pipe(
      Effect.provide(
        UnitSights.Default.pipe(Layer.provideMerge(ErasedUnits.Default), Layer.provide(Layer.merge(SecretsNode, layer)))
      )
    )
  }).pipe(Effect.provide(MemoryStores))
)

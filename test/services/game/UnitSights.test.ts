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

it.effect("UnitSights: what is kept in memory of a player whom another process has erased is used no more", () =>
  Effect.gen(function* () {
    const { production } = yield* aProject
    const { handed, layer } = yield* watched
    yield* Effect.gen(function* () {
      const sights = yield* UnitSights
      const erased = yield* ErasedUnits
      const repo = yield* UnitSightRepo
      const place = { environmentId: production, unitType: "user" as const }
      const ids = ["asked", "seen", "stays"]
      const now = Effect.clockWith((clock) => clock.currentTimeMillis)
      yield* sights.saw([{ place, distinctIds: ids }])
      assert.deepStrictEqual([...(yield* sights.firstSeen(place, ["asked", "stays"])).values()], [0, 0])
      yield* TestClock.adjust("1 minute")
      assert.sameMembers(handed.splice(0), ids)
      // The other process removes the rows, and tells whom it has erased, but not this process's memory.
      for (const id of ["asked", "seen"]) {
        yield* erased.add(production, id, yield* now)
        yield* repo.eraseUnit(production, id)
      }
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        yield* sights.firstSeen(place, ["asked", "stays"]),
        new Map([
          ["asked", 120_000],
          ["stays", 0]
        ])
      )
      yield* sights.saw([{ place, distinctIds: ids }])
      yield* TestClock.adjust("1 second")
      assert.sameMembers(handed, ["asked", "seen"])
      // What was seen after the erasure stays as it is, whoever else is erased.
      yield* erased.add(production, "another", yield* now)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* sights.firstSeen(place, ["asked"]), new Map([["asked", 120_000]]))
      yield* sights.saw([{ place, distinctIds: ids }])
      yield* TestClock.adjust("1 second")
      assert.lengthOf(handed, 2)
    }).pipe(
      Effect.provide(
        UnitSights.Default.pipe(
          Layer.provideMerge(ErasedUnits.Default),
          Layer.provide(SecretsNode),
          Layer.provideMerge(layer)
        )
      )
    )
  }).pipe(Effect.provide(MemoryStores))
)

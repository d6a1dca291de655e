import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { type EnvironmentId, ExperimentId } from "../../../src/domain/Ids.ts"
import type { Exposure } from "../../../src/domain/experiments/Exposure.ts"
import { EventStore, StoreFull } from "../../../src/ports/analytics/EventStore.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { Exposures } from "../../../src/services/game/Exposures.ts"
import { LiveFeed } from "../../../src/services/live/LiveFeed.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { assigned, exposureOf } from "../../support/experiments/Exposed.ts"
import { everyMarker } from "../../support/analytics/EveryMarker.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"

const assignedUnit = (distinctId: string) => assigned(ExperimentId.make(1), distinctId)

const markersIn = (environmentId: EnvironmentId) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const { answer } = yield* Effect.orDie(store.ask<"listing">(environmentId, everyMarker))
    return answer.items.map(({ unitId, timestamp }) => [unitId, timestamp]).toSorted()
  })

/** What a process does between its start and its end. */
const inProcess = <A, E, R>(work: (exposures: Exposures) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.flatMap(
      Layer.build(
        Layer.fresh(
          Exposures.Default.pipe(
            Layer.provide(Layer.merge(LiveFeed.Default, ErasedUnits.Default)),
            Layer.provide(SecretsNode)
          )
        )
      ),
      (context) => Effect.provide(Effect.flatMap(Exposures, work), context)
    )
  )

const everUnmarked = Effect.flatMap(ExposureRepo, (repo) => repo.unmarked(Number.MAX_SAFE_INTEGER, 1000))

const unnoted = (exposures: ReadonlyArray<Exposure>) => exposures.map((exposure) => ({ exposure, isNoted: false }))

const silent = Logger.replace(Logger.defaultLogger, Logger.none)

it.effect("Exposures: what a process had recorded when it was killed is marked later, once", () =>
  Effect.gen(function* () {
    const { production } = yield* aProject
    const units = Array.from({ length: 501 }, (_, index) => assignedUnit(`u${index}`))
    yield* (yield* AssignmentRepo).put(production, units)
    const exposures = units.map((unit) => exposureOf(production, unit, 7))
    yield* (yield* ExposureRepo).record(exposures, [])
    yield* TestClock.adjust("5 minutes")
    yield* inProcess(({ sweep }) => sweep())
    assert.deepStrictEqual(yield* markersIn(production), [])
    yield* TestClock.adjust("1 second")
    yield* inProcess(({ sweep }) => Effect.zipRight(sweep(), sweep()))
    const { meta } = yield* Effect.orDie((yield* EventStore).ask<"listing">(production, everyMarker))
    assert.strictEqual(meta.highestSequence, units.length)
    assert.deepStrictEqual(yield* everUnmarked, [])
  }).pipe(Effect.provide(MemoryStores))
)

it.effect(
  "Exposures: a process that ends leaves no note of markers that it has stored, and nothing of a unit that was erased",
  () =>
    Effect.gen(function* () {
      const { production } = yield* aProject
      const units = ["ann", "bob"].map(assignedUnit)
      yield* (yield* AssignmentRepo).put(production, units)
      const exposures = units.map((unit) => exposureOf(production, unit, 7))
      yield* inProcess(({ record, flush, forget }) =>
        Effect.gen(function* () {
          yield* record(unnoted(exposures.slice(0, 1)))
          yield* flush
          assert.deepStrictEqual(yield* everUnmarked, exposures.slice(0, 1))
          yield* record(unnoted(exposures.slice(1)))
          yield* forget(production, "bob")
        })
      )
      assert.deepStrictEqual(yield* everUnmarked, [])
      assert.deepStrictEqual(yield* markersIn(production), [["ann", 7]])
    }).pipe(Effect.provide(MemoryStores))
)

it.effect("Exposures: markers that the store refuses are stored by the next attempt", () =>
  Effect.gen(function* () {
    const { production } = yield* aProject
    const store = yield* EventStore
    yield* (yield* AssignmentRepo).put(production, [assignedUnit("ann")])
    let isFull = true
    const refusing = EventStore.of({
      ...store,
      append: (...all) => Effect.suspend(() => (isFull ? Effect.fail(new StoreFull()) : store.append(...all)))
    })
    yield* Effect.provideService(
      inProcess(({ record, flush }) =>
        Effect.gen(function* () {
          yield* record(unnoted([exposureOf(production, assignedUnit("ann"), 7)]))
          assert.isTrue((yield* Effect.exit(flush))._tag === "Failure")
          assert.deepStrictEqual(yield* markersIn(production), [])
          isFull = false
          yield* flush
        })
      ),
      EventStore,
      refusing
    )
    assert.deepStrictEqual([yield* markersIn(production), yield* everUnmarked], [[["ann", 7]], []])
  }).pipe(Effect.provide([MemoryStores, silent]))
)

it.effect(
  "Exposures: what enrolments have noted gets its marker without being recorded, and its note goes with it",
  () =>
    Effect.gen(function* () {
      const { production } = yield* aProject
      const [ann, bob] = ["ann", "bob"].map((unit) => ({ ...assignedUnit(unit), firstExposedAt: 7 }))
      assert.isDefined(ann)
      assert.isDefined(bob)
      const exposures = [exposureOf(production, ann, 7), exposureOf(production, bob, 7)]
      const repo = yield* ExposureRepo
      yield* (yield* AssignmentRepo).enrol(production, [ann, bob])
      yield* repo.note(exposures)
      yield* inProcess(({ record, flush, forget }) =>
        Effect.gen(function* () {
          yield* record(exposures.slice(0, 1).map((exposure) => ({ exposure, isNoted: true })))
          yield* flush
          assert.deepStrictEqual(yield* everUnmarked, exposures)
          yield* record(exposures.slice(1).map((exposure) => ({ exposure, isNoted: true })))
          yield* forget(production, "bob")
          yield* flush
        })
      )
      assert.deepStrictEqual([yield* markersIn(production), yield* everUnmarked], [[["ann", 7]], []])
    }).pipe(Effect.provide(MemoryStores))
)

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref, TestClock } from "effect"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { ExportPlace, ExportUnmade } from "../../../src/ports/operations/ExportPlace.ts"
import { ExportSchedule } from "../../../src/services/operations/ExportSchedule.ts"

const hour = 3_600_000

/** A place that exports are made in, and what begins their schedule; where the place is broken, none is made. */
const scheduled = Effect.gen(function* () {
  const made = yield* Ref.make<ReadonlyArray<number>>([])
  const isBroken = yield* Ref.make(false)
  const place = Layer.succeed(ExportPlace, {
    last: Effect.map(Ref.get(made), (all) => all.at(-1) ?? null),
    make: Effect.gen(function* () {
      if (yield* Ref.get(isBroken)) return yield* new ExportUnmade({ message: "no room" })
      const now = yield* TestClock.currentTimeMillis
      yield* Ref.update(made, (all) => [...all, now])
      return "made"
    })
  })
  const start = Effect.provide(
    ExportSchedule,
    ExportSchedule.Default.pipe(Layer.provide([place, SettingsLive({ ...defaults, exportHours: 6 })]))
  )
  return { made, isBroken, start }
})

describe("exports by themselves", () => {
  it.effect("are made when the last one is old enough, also after a restart, and again an hour after a failure", () =>
    Effect.gen(function* () {
      const { made, isBroken, start } = yield* scheduled
      yield* Ref.set(isBroken, true)
      const hours = (schedule: ExportSchedule, count: number) =>
        Effect.forEach(Array.from({ length: count }), () =>
          Effect.zipRight(TestClock.adjust("1 hour"), Effect.ignore(schedule.round()))
        )
      const first = yield* start
      yield* hours(first, 1)
      yield* Ref.set(isBroken, false)
      yield* hours(first, 7)
      assert.deepStrictEqual(yield* Ref.get(made), [2 * hour, 8 * hour])
      yield* hours(yield* start, 5)
      assert.lengthOf(yield* Ref.get(made), 2)
      yield* hours(yield* start, 1)
      assert.deepStrictEqual((yield* Ref.get(made)).at(-1), 14 * hour)
    })
  )

  it.effect("go on when a clock that was 60 days ahead is set back, in the same process and after a restart", () =>
    Effect.gen(function* () {
      const { made, start } = yield* scheduled
      const first = yield* start
      yield* TestClock.setTime(60 * 24 * hour)
      yield* first.round()
      yield* TestClock.setTime(hour)
      yield* first.round()
      assert.deepStrictEqual(yield* Ref.get(made), [60 * 24 * hour, hour])
      yield* Ref.set(made, [60 * 24 * hour])
      yield* (yield* start).round()
      assert.deepStrictEqual(yield* Ref.get(made), [60 * 24 * hour, hour])
    })
  )
})

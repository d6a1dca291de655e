import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref, TestClock } from "effect"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { isBackupDue } from "../../../src/domain/operations/BackupTime.ts"
import { BackupFolder, BackupUnmade } from "../../../src/ports/operations/BackupFolder.ts"
import { BackupRuns } from "../../../src/services/operations/BackupRuns.ts"
import { dueAtIntervals } from "../../../src/services/operations/DueAtIntervals.ts"
import { BackupSchedule } from "../../../src/services/operations/BackupSchedule.ts"

const hour = 3_600_000

/** A folder whose backups are what was made, at the time of the test; making fails while `isBroken`. */
const scheduled = Effect.gen(function* () {
  const made = yield* Ref.make<ReadonlyArray<number>>([])
  const isBroken = yield* Ref.make(false)
  const attempts = yield* Ref.make(0)
  const folder = Layer.succeed(BackupFolder, {
    place: "there",
    refusal: "",
    drill: () => Effect.succeed("good"),
    list: Effect.map(Ref.get(made), (all) =>
      all.map((instant) => ({ id: String(instant), instant, bytes: 0, markers: 0, version: "0", isDamaged: false }))
    ),
    make: Effect.gen(function* () {
      yield* Ref.update(attempts, (count) => count + 1)
      if (yield* Ref.get(isBroken)) return yield* new BackupUnmade({ message: "no room" })
      const now = yield* TestClock.currentTimeMillis
      yield* Ref.update(made, (all) => [...all, now])
      return "made"
    })
  })
  const start = Effect.provide(
    BackupSchedule,
    BackupSchedule.Default.pipe(
      Layer.provide(BackupRuns.Default),
      Layer.provide([folder, SettingsLive({ ...defaults, backupHours: 24 })])
    )
  )
  const hours = (schedule: BackupSchedule, count: number) =>
    Effect.forEach(
      Array.from({ length: count }),
      () => Effect.zipRight(TestClock.adjust("1 hour"), Effect.ignore(schedule.round())),
      { discard: true }
    )
  return { made, isBroken, attempts, start, hours }
})

describe("backups by themselves", () => {
  it.effect("are made when the newest is old enough, whoever made it, and go on after a restart", () =>
    Effect.gen(function* () {
      const { made, start, hours } = yield* scheduled
      const first = yield* start
      yield* hours(first, 30)
      assert.deepStrictEqual(yield* Ref.get(made), [hour, 25 * hour])
      const again = yield* start
      yield* hours(again, 18)
      assert.strictEqual((yield* Ref.get(made)).length, 2)
      yield* hours(again, 1)
      assert.deepStrictEqual((yield* Ref.get(made)).at(-1), 49 * hour)
      yield* Ref.update(made, (all) => [...all, 60 * hour])
      yield* hours(again, 34)
      assert.strictEqual((yield* Ref.get(made)).length, 4)
      yield* hours(again, 1)
      assert.strictEqual((yield* Ref.get(made)).at(-1), 84 * hour)
    })
  )

  it.effect("are made also where one is dated in the future", () =>
    Effect.gen(function* () {
      const { made, start, hours } = yield* scheduled
      yield* Ref.set(made, [9000 * hour])
      const schedule = yield* start
      yield* hours(schedule, 1)
      assert.deepStrictEqual(yield* Ref.get(made), [9000 * hour, hour])
    })
  )

  it.effect("that fail are tried again after an hour", () =>
    Effect.gen(function* () {
      const { made, isBroken, attempts, start, hours } = yield* scheduled
      const schedule = yield* start
      yield* Ref.set(isBroken, true)
      yield* hours(schedule, 3)
      yield* Effect.ignore(schedule.round())
      assert.deepStrictEqual([yield* Ref.get(attempts), yield* Ref.get(made)], [3, []])
      yield* Ref.set(isBroken, false)
      yield* hours(schedule, 1)
      assert.deepStrictEqual(yield* Ref.get(made), [4 * hour])
    })
  )

  it.effect("whose place cannot be read are tried again after an hour", () =>
    Effect.gen(function* () {
      const reads = yield* Ref.make(0)
      const unreadable = Effect.zipRight(
        Ref.update(reads, (count) => count + 1),
        new BackupUnmade({ message: "no folder" })
      )
      const due = yield* dueAtIntervals(24, unreadable, Effect.void)
      const minutes = (count: number) =>
        Effect.repeatN(Effect.zipRight(TestClock.adjust("1 minute"), Effect.ignore(due)), count - 1)
      yield* minutes(60)
      assert.strictEqual(yield* Ref.get(reads), 1)
      yield* minutes(1)
      assert.strictEqual(yield* Ref.get(reads), 2)
    })
  )

  it("are due where the clock that dated the newest, or the last attempt, was ahead and is set back", () => {
    const wrong = 60 * 24 * hour
    assert.isTrue(isBackupDue(hour, wrong, null, 24 * hour))
    assert.isTrue(isBackupDue(hour, null, wrong, 24 * hour))
    assert.isFalse(isBackupDue(hour, hour + 60_000, null, 24 * hour))
  })

  it("are due by the newest and by the last attempt", () => {
    assert.isTrue(isBackupDue(0, null, null, 24 * hour))
    assert.isFalse(isBackupDue(24 * hour, 1, null, 24 * hour))
    assert.isTrue(isBackupDue(24 * hour, 0, null, 24 * hour))
    assert.isFalse(isBackupDue(24 * hour, 0, 24 * hour - 1, 24 * hour))
    assert.isTrue(isBackupDue(hour / 2, null, 0, hour / 2))
  })
})

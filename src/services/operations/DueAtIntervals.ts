import { Clock, Effect, Ref } from "effect"
import { isBackupDue } from "../../domain/operations/BackupTime.ts"
import { hourMillis } from "../../domain/Durations.ts"

/**
 * Runs work whose last outcome is read from where it went to, so that a restart neither skips nor repeats it: when the last is so many hours
 * ago, and an hour after an attempt that failed, be it only to read `last`, which answers epoch ms, or null where there is none.
 */
export const dueAtIntervals = <E1, R1, E2, R2>(
  hours: number,
  last: Effect.Effect<number | null, E1, R1>,
  work: Effect.Effect<void, E2, R2>
) =>
  Effect.map(Ref.make<number | null>(null), (attempted) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const before = yield* Ref.get(attempted)
      // While the last attempt is just over, where it went to need not be read.
      if (!isBackupDue(now, null, before, hours * hourMillis)) return
      const newest = yield* Effect.tapError(last, () => Ref.set(attempted, now))
      if (!isBackupDue(now, newest, before, hours * hourMillis)) return
      yield* Ref.set(attempted, now)
      yield* work
    })
  )

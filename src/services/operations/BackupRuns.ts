import { Clock, DateTime, Effect, Ref } from "effect"
import { newestOf } from "../../domain/operations/Backup.ts"
import { BackupFolder, type BackupUnmade } from "../../ports/operations/BackupFolder.ts"

/** What runs or has ended: one backup, or the drill of one. */
export interface BackupRun {
  readonly kind: "backup" | "drill"
  /** The backup that is tried; null while one is made. */
  readonly backupId: string | null
  readonly startedAt: DateTime.Utc
}

export interface EndedRun extends BackupRun {
  readonly endedAt: DateTime.Utc
  readonly isGood: boolean
  readonly message: string
}

/** One thing at a time is done with backups, whether a person asks for it or the clock does. */
export class BackupRuns extends Effect.Service<BackupRuns>()("services/operations/BackupRuns", {
  scoped: Effect.gen(function* () {
    const folder = yield* BackupFolder
    const scope = yield* Effect.scope
    const running = yield* Ref.make<BackupRun | null>(null)
    const last = yield* Ref.make<EndedRun | null>(null)
    const damaged = yield* Ref.make<string | null>(null)

    const now = Effect.map(Clock.currentTimeMillis, (millis) => DateTime.unsafeMake(millis))

    const workOf = (backupId: string | null) => (backupId === null ? folder.make : folder.drill(backupId))

    /** Takes the turn; null where something runs already. */
    const begin = Effect.fnUntraced(function* (backupId: string | null) {
      const run: BackupRun = { kind: backupId === null ? "backup" : "drill", backupId, startedAt: yield* now }
      const isBegun = yield* Ref.modify(running, (current) => (current === null ? [true, run] : [false, current]))
      return isBegun ? run : null
    })

    const finish = (run: BackupRun, isGood: boolean, message: string) =>
      Effect.flatMap(now, (endedAt) => Ref.set(last, { ...run, endedAt, isGood, message }))

    /** Damage of the data folder is in its backups from now on, and keeps older ones from being deleted. */
    const tellOfDamage = folder.list.pipe(
      Effect.zip(Clock.currentTimeMillis),
      Effect.flatMap(([all, at]) => {
        const newest = newestOf(all, ({ instant }) => instant, at)
        if (newest?.isDamaged !== true) return Ref.set(damaged, null)
        return Effect.zipRight(
          Ref.set(damaged, newest.id),
          Effect.logError(
            `The data folder is damaged, and so is the backup ${newest.id}: gamekeeper doctor --deep names what is damaged. Older backups stay until that is put right`
          )
        )
      }),
      Effect.ignoreLogged
    )

    const doing = (run: BackupRun): Effect.Effect<string, BackupUnmade> =>
      workOf(run.backupId).pipe(
        Effect.tap((message) => finish(run, true, message)),
        Effect.tap(() => (run.backupId === null ? tellOfDamage : Effect.void)),
        Effect.tapError(({ message }) => finish(run, false, message)),
        Effect.ensuring(Ref.set(running, null))
      )

    /** Begins a backup, or the drill of one, and does not wait for it; null where something runs already. */
    const start = Effect.fnUntraced(function* (backupId: string | null) {
      const run = yield* begin(backupId)
      if (run === null) return null
      const told = doing(run).pipe(
        Effect.tap((message) => Effect.logInfo(message)),
        Effect.catchAll(({ message }) =>
          Effect.logError(`${run.kind === "backup" ? "A backup" : "The drill of a backup"} failed: ${message}`)
        ),
        Effect.tapDefect((cause) => Effect.logError("Backups failed", cause)),
        Effect.ignore
      )
      yield* Effect.forkIn(Effect.interruptible(told), scope)
      return run
    }, Effect.uninterruptible)

    /** Makes a backup and waits for it; null where something runs already. */
    const make = Effect.fnUntraced(function* () {
      const run = yield* begin(null)
      return run === null ? null : yield* Effect.interruptible(doing(run))
    }, Effect.uninterruptible)

    return {
      start,
      make,
      running: Ref.get(running),
      last: Ref.get(last),
      /** The backup that this process has made last, where damage of the data folder is in it. */
      damaged: Ref.get(damaged)
    } as const
  })
}) {}

import Database from "better-sqlite3"
import { Context, Effect, Queue, Runtime, Schedule } from "effect"
import { makeThreadPool } from "../node/ThreadPool.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { DataFolderUnusable } from "./DataFolder.ts"
import { LogSync } from "./LogSync.ts"
import type { LogMark } from "./pages/LogMark.ts"
import { PageGuard } from "./pages/PageGuard.ts"
import { type CheckpointReply, type CheckpointStart, PinnedLog } from "./pages/PinnedLog.ts"

/** Milliseconds after which a long log that could not be brought into the file is tried again, should no commit do so. */
const noteEveryMillis = 1000

/**
 * Frames from which a thread brings the log into the file, 16 MB. Each time this thread waits for the disk a few times, and pages that
 * commits have written again and again are brought over once.
 */
const longLogFrames = 4000

/** A log of at most so many frames is brought into the file by this thread: it takes few milliseconds. */
const fewFrames = 50

/** How often another thread brings over what came while it did so before. */
const rounds = 3

/** How often, and after how many milliseconds, emptying the log is tried again while somebody reads. */
const emptyAttempts = 100
const emptyEveryMillis = 50

/** The write-ahead log of the metadata. */
export class MetadataLog extends Context.Tag("adapters/sqlite/MetadataLog")<
  MetadataLog,
  {
    /** Empties it, so that no byte that was overwritten is left in it; gives up after some seconds in which somebody reads. */
    readonly empty: Effect.Effect<void>
  }
>() {}

const unusable = (filename: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : "unknown reason"
  return new DataFolderUnusable({ message: `The database ${filename} cannot be opened: ${reason}` })
}

/**
 * Lets a thread bring what the log holds into the file. Answers whether only a few frames are left: more where somebody reads an older
 * version of the database, or the thread fails.
 */
const makeBringOver = Effect.fnUntraced(function* (filename: string, guard: PageGuard, script: string) {
  // Closed after the thread has ended: what it has begun must never go beyond what is pinned.
  const pinned = yield* Effect.acquireRelease(
    Effect.sync(() => new PinnedLog(filename)),
    (opened) => Effect.sync(() => opened.close())
  )
  const workerData: CheckpointStart = { file: filename }
  const pool = yield* makeThreadPool({ script, threads: 1, memoryMb: 64, workerData })
  const isLeft = () => pinned.leftOf(guard.mark) > fewFrames
  const asked = pool.ask<CheckpointReply>("checkpoint", Infinity).pipe(
    Effect.catchAll(({ message }) => Effect.succeed<CheckpointReply>({ type: "failed", message })),
    Effect.tap((reply) => (reply.type === "failed" ? Effect.logError(`Checkpoint: ${reply.message}`) : Effect.void)),
    Effect.map((reply) => (reply.type === "done" ? reply.frames : 0))
  )
  const round = Effect.suspend(() =>
    guard.hold(() => pinned.begin()) ? Effect.map(asked, (frames) => pinned.end(guard.mark, frames)) : Effect.void
  )
  // An effect for later: each call is a bringing over of its own.
  // @effect-diagnostics-next-line returnEffectInGen:off
  return Effect.gen(function* () {
    for (let turn = 0; turn < rounds && isLeft(); turn++) yield* round
    return !isLeft()
  })
})

/** Notes how far the log reaches once all of that is on disk, where a commit did not do so or somebody else has written. */
const noteOnDisk = (guard: PageGuard, log: LogSync) => {
  const noted = (mark: LogMark) =>
    Effect.zipRight(
      log.synced,
      Effect.try(() => guard.note(mark))
    )
  return Effect.flatMap(
    Effect.try(() => guard.follow()),
    (mark) => Effect.unless(noted(mark), () => guard.isNoted(mark))
  )
}

/**
 * Compares every page of a metadata database with its checksum, and follows its log through a connection of its own. Open it before, and
 * close it after, the connection that writes. `start` is to be run when the tables are up to date, `onCommit` after each commit, and what
 * that answers once the commit is on disk. `script` is the built file of the worker that brings a long log into the file; without it this
 * thread does.
 */
export const guardMetadata = Effect.fnUntraced(function* (filename: string, script?: string) {
  const runtime = yield* Effect.runtime()
  const long = yield* Queue.sliding<void>(1)
  const ofThread = { onLongLog: () => void Queue.unsafeOffer(long, undefined), longLogFrames }
  const onDamage = (message: string) => Runtime.runFork(runtime)(Effect.logError(message))
  const guard = yield* Effect.acquireRelease(
    Effect.try({
      try: () => new PageGuard(filename, { selfChecking: [], onDamage, ...(script === undefined ? {} : ofThread) }),
      catch: unusable(filename)
    }),
    (opened) => Effect.sync(() => opened.close())
  )
  const db = yield* Effect.acquireRelease(
    Effect.try({ try: () => new Database(filename, { timeout: 0 }), catch: unusable(filename) }),
    (opened) => Effect.sync(() => guard.finish(opened))
  )
  yield* Effect.try({
    try: () => {
      db.pragma("journal_mode = wal")
      db.pragma("synchronous = full")
      guard.verify(db)
    },
    catch: unusable(filename)
  })
  const scope = yield* Effect.scope
  const log = yield* Effect.acquireRelease(
    Effect.sync(() => new LogSync(`${filename}-wal`)),
    (opened) => Effect.sync(() => opened.close())
  )
  const turn = yield* Effect.makeSemaphore(1)
  const bringOver = script === undefined ? Effect.succeed(true) : yield* makeBringOver(filename, guard, script)
  const checkpoint = turn.withPermits(1)(Effect.map(bringOver, (isReady) => (isReady ? guard.checkpoint() : undefined)))
  /** What breaks off one time, such as a log that cannot be opened while too many files are, must not end all later times. */
  const bringing = Effect.catchAllDefect(checkpoint, (defect) =>
    Effect.logError("A long log of the metadata could not be brought into its file, and is tried again", defect)
  )
  const noting = Effect.catchAllDefect(Effect.ignore(noteOnDisk(guard, log)), () => Effect.void)
  const start = Effect.sync(() => guard.start(db)).pipe(
    Effect.zipRight(Queue.take(long).pipe(Effect.zipRight(bringing), Effect.forever, Effect.forkIn(scope))),
    Effect.zipRight(noting.pipe(Effect.delay(noteEveryMillis), Effect.forever, Effect.forkIn(scope)))
  )
  /** In a turn of the event loop that does nothing else: it waits for the disk six times. */
  const emptyInTurn = nextTurn.pipe(Effect.zipRight(Effect.sync(() => guard.empty())), Effect.zipLeft(nextTurn))
  let [wanted, emptied] = [0, 0]
  /** One emptying is enough for all who wanted it before it began. */
  const emptyFor = (request: number) =>
    Effect.suspend(() => {
      if (emptied >= request) return Effect.succeed(true)
      const served = wanted
      return Effect.flatMap(bringOver, (isReady) => (isReady ? emptyInTurn : Effect.succeed(false))).pipe(
        Effect.tap((isEmpty) => {
          if (isEmpty) emptied = served
        })
      )
    })
  const empty = Effect.suspend(() =>
    turn
      .withPermits(1)(emptyFor(++wanted))
      .pipe(
        Effect.repeat({
          until: (isEmpty) => isEmpty,
          schedule: Schedule.spaced(emptyEveryMillis),
          times: emptyAttempts
        })
      )
  )
  const onCommit = () => {
    const mark = guard.follow()
    return () => guard.note(mark)
  }
  return { start, onCommit, empty: Effect.asVoid(empty) }
})

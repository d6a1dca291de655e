import { Deferred, type Duration, Effect, Exit, FiberId, Schedule, type Scope } from "effect"
import { orWithoutSpace } from "./WithoutSpace.ts"

export interface WriteBehindOptions<A, E> {
  /** What is written, in the plural; the log names it. */
  readonly name: string
  /** Items handed to one `write`, in the unit of `sizeOf`; the last may be more. */
  readonly batchSize: number
  /** What an item counts for in a batch; 1 unless said. */
  readonly sizeOf?: (item: A) => number
  /** How long the first item waits for others to be written with. */
  readonly gatherFor: Duration.DurationInput
  readonly maxItems: number
  readonly maxBytes: number
  /** Estimated memory of an item. */
  readonly bytesOf: (item: A) => number
  /** Makes one item of two under the same key, when the older could not be written and came back. */
  readonly merge: (older: A, newer: A) => A
  /** Writes all items or none. It may be tried again with the same items after it failed. */
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<void, E>
}

export interface WriteBehind<A, E = never> {
  /**
   * Puts `next(waiting)` under the key, where `waiting` is the item that waits under it. Returns at once.
   * False, and nothing is put, while the buffer is full.
   */
  readonly put: (key: string, next: (waiting: A | undefined) => A) => Effect.Effect<boolean>
  /** The same for many at once, each under its key. Answers those that were put. */
  readonly putAll: <Source>(
    sources: ReadonlyArray<Source>,
    keyOf: (source: Source) => string,
    itemOf: (source: Source, waiting: A | undefined) => A
  ) => Effect.Effect<ReadonlyArray<Source>>
  /** Whether an item waits under the key or is being written. */
  readonly holds: (key: string) => boolean
  /** What waits under the key or is being written; the newer of two. */
  readonly waiting: (key: string) => A | undefined
  /**
   * Waits until the item under the key is written, or could not be for the first time; not at all where there is none, nor while writes
   * fail: the next attempt may be half a minute away.
   */
  readonly attempted: (key: string) => Effect.Effect<void>
  /** Writes everything that waits. Fails as `write` does, and then everything unwritten still waits. */
  readonly flush: Effect.Effect<void, E>
  /** Writes what waits, for an answer that is less up to date without: where the disk is full, everything unwritten still waits. */
  readonly flushIfPossible: Effect.Effect<void, E>
  /** Drops what waits and fulfils the condition, after the write that is under way. */
  readonly forget: (isForgotten: (item: A) => boolean) => Effect.Effect<void>
}

interface Entry<A> {
  readonly key: string
  readonly item: A
  readonly bytes: number
}

/** One second after the first failure, twice as long after each further one, and 30 seconds at most. */
const backoff = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("30 seconds"))

/**
 * A buffer in memory in front of a store, for what a request must not wait for. What it promises:
 *
 * - Items are written in the order they came, in batches. An item leaves the buffer only when its write succeeded.
 * - A write that fails is logged and tried again, with a growing pause, until it succeeds.
 * - The buffer is bounded in items and bytes. While it is full, new items are dropped, and the log says how many.
 * - When the scope closes, everything that waits is written. If that fails, the log says how many items are lost.
 *   A process that is killed loses what waits.
 */
export const makeWriteBehind = Effect.fnUntraced(function* <A, E = never>(
  options: WriteBehindOptions<A, E>
): Effect.fn.Return<WriteBehind<A, E>, never, Scope.Scope> {
  const { name, maxItems, maxBytes, bytesOf, merge, sizeOf = () => 1 } = options
  const scope = yield* Effect.scope
  const turn = yield* Effect.makeSemaphore(1)
  let waiting = new Map<string, Entry<A>>()
  let beingWritten = new Map<string, Entry<A>>()
  const awaited = new Map<string, Deferred.Deferred<void>>()
  let bytes = 0
  let dropped = 0
  let isPlanned = false
  /** Whether the last write failed. */
  let isFailing = false

  const set = (key: string, item: A) => {
    bytes -= waiting.get(key)?.bytes ?? 0
    const entry = { key, item, bytes: bytesOf(item) }
    bytes += entry.bytes
    waiting.set(key, entry)
  }

  const remove = (entries: Map<string, Entry<A>>, { key, bytes: freed }: Entry<A>) => {
    if (entries.delete(key)) bytes -= freed
  }

  const beginBatch = () => {
    let size = 0
    for (const entry of waiting.values()) {
      if (size >= options.batchSize) break
      size += sizeOf(entry.item)
      beingWritten.set(entry.key, entry)
    }
    for (const key of beingWritten.keys()) waiting.delete(key)
  }

  /** Puts the batch that could not be written back in front of what waits. */
  const returnBatch = () => {
    const newer = waiting
    waiting = beingWritten
    beingWritten = new Map()
    for (const [key, entry] of newer) {
      const older = waiting.get(key)
      if (older === undefined) waiting.set(key, entry)
      else {
        bytes -= entry.bytes
        set(key, merge(older.item, entry.item))
      }
    }
  }

  const endBatch = () => {
    for (const entry of beingWritten.values()) remove(beingWritten, entry)
  }

  /** Lets callers of `attempted` go on that wait for one of the keys. */
  const tellAttempted = (keys: ReadonlyArray<string>) => {
    if (awaited.size === 0) return
    for (const key of keys) {
      const attempt = awaited.get(key)
      if (attempt === undefined) continue
      awaited.delete(key)
      Deferred.unsafeDone(attempt, Effect.void)
    }
  }

  const attempted = (key: string) =>
    Effect.suspend(() => {
      if (isFailing || (!waiting.has(key) && !beingWritten.has(key))) return Effect.void
      const attempt = awaited.get(key) ?? Deferred.unsafeMake<void>(FiberId.none)
      awaited.set(key, attempt)
      return Deferred.await(attempt)
    })

  /** Answers how many items it has written. */
  const writeBatch = Effect.suspend(() => {
    beginBatch()
    const keys = [...beingWritten.keys()]
    return Effect.as(options.write([...beingWritten.values()].map(({ item }) => item)), keys.length).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          isFailing = Exit.isFailure(exit)
          if (isFailing) returnBatch()
          else endBatch()
          tellAttempted(isFailing ? [...awaited.keys()] : keys)
        })
      )
    )
  }).pipe(Effect.uninterruptible)

  const flush = turn.withPermits(1)(
    Effect.whileLoop({ while: () => waiting.size > 0, body: () => writeBatch, step: () => undefined })
  )

  /** Writes what waits now. What comes meanwhile gathers again: otherwise batches would be as small as what comes during a write. */
  const flushGathered = turn.withPermits(1)(
    Effect.suspend(() => {
      let left = waiting.size
      return Effect.whileLoop({ while: () => left > 0, body: () => writeBatch, step: (count) => void (left -= count) })
    })
  )

  const logDropped = Effect.suspend(() => {
    const count = dropped
    dropped = 0
    return count === 0 ? Effect.void : Effect.logError(`${name}: dropped ${count} because the buffer was full`)
  })

  const planNext = () => {
    isPlanned = waiting.size > 0
    return isPlanned
  }

  const flushLater = flushGathered.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`${name}: ${waiting.size} wait, because writing them failed`, cause)),
    Effect.ensuring(logDropped),
    Effect.retry(backoff),
    Effect.ignore,
    Effect.delay(options.gatherFor),
    Effect.repeat({ while: planNext }),
    // The fiber that puts an item may be uninterruptible; this one must not be, or the end of the scope would wait for a store that goes
    // on failing.
    Effect.interruptible
  )

  const offer = (key: string, next: (waiting: A | undefined) => A): boolean => {
    const known = waiting.get(key)
    const isFull = bytes >= maxBytes || (known === undefined && waiting.size + beingWritten.size >= maxItems)
    if (isFull) dropped++
    else set(key, next(known?.item))
    return !isFull
  }

  const plan = Effect.suspend(() => {
    if (isPlanned) return Effect.void
    isPlanned = true
    return Effect.asVoid(Effect.forkIn(flushLater, scope))
  })

  /** Uninterruptible: a caller that is interrupted before the plan is carried out would leave one that all later items rely on in vain. */
  const offering = <Put>(offered: () => Put) => Effect.uninterruptible(Effect.suspend(() => Effect.as(plan, offered())))

  const put = (key: string, next: (waiting: A | undefined) => A) => offering(() => offer(key, next))

  const putAll = <Source>(
    sources: ReadonlyArray<Source>,
    keyOf: (source: Source) => string,
    itemOf: (source: Source, waiting: A | undefined) => A
  ) =>
    Effect.suspend(() => {
      if (sources.length === 0) return Effect.succeed(sources)
      const isPut = (source: Source) => offer(keyOf(source), (known) => itemOf(source, known))
      return offering(() => sources.filter(isPut))
    })

  const forget = (isForgotten: (item: A) => boolean) =>
    turn.withPermits(1)(
      Effect.sync(() => {
        const forgotten = [...waiting.values()].filter(({ item }) => isForgotten(item))
        for (const entry of forgotten) remove(waiting, entry)
        tellAttempted(forgotten.map(({ key }) => key))
      })
    )

  const lastFlush = Effect.catchAllCause(flush, (cause) =>
    Effect.logError(`${name}: ${waiting.size} are lost, because writing them at shutdown failed`, cause)
  )

  yield* Effect.addFinalizer(() => Effect.zipRight(lastFlush, logDropped))
  return {
    put,
    putAll,
    holds: (key) => waiting.has(key) || beingWritten.has(key),
    waiting: (key) => (waiting.get(key) ?? beingWritten.get(key))?.item,
    attempted,
    flush,
    flushIfPossible: orWithoutSpace(flush, undefined),
    forget
  }
})

import { Clock, Effect, Layer, Ref } from "effect"
import { EventFile } from "../analytics/EventFile.ts"
import { MetadataRecords } from "./MetadataRecords.ts"
import { reconcile } from "./Reconcile.ts"

/** How often each file is told what the other one knows, where anything has changed. */
const interval = "2 seconds"

interface Written {
  readonly round: number
  /** The sequences of the environments and the number of changed rows as of the last note. */
  readonly state: string
}

/**
 * Makes the two files agree before anything is served. Afterwards each notes now and then, and at the end, what the other one knows, so
 * that the next start can tell whether one of them is older or has lost its end. Notes are best effort: a full disk fails no request.
 */
export const PairedFiles = (file: string) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const events = yield* EventFile
      const records = yield* MetadataRecords
      const written = yield* Ref.make<Written>({ round: yield* reconcile(file), state: "" })

      const stateOf = (changes: number, sequences: ReadonlyMap<number, number>) =>
        JSON.stringify([changes, ...sequences])

      /** The next round of both; where only one has got it, it is the same round again. */
      const note = Effect.gen(function* () {
        const before = yield* Ref.get(written)
        const sequences = new Map(events.highestSequences())
        if (stateOf(yield* records.changes, sequences) === before.state) return
        const round = before.round + 1
        const notedAt = yield* Clock.currentTimeMillis
        const { counters, changes } = yield* records.note({ round, notedAt, sequences })
        yield* Effect.async<void, string>((resume) =>
          events.note({ round, notedAt, counters: [...counters] }, (failure) =>
            resume(failure === null ? Effect.void : Effect.fail(failure.message))
          )
        )
        yield* Ref.set(written, { round, state: stateOf(changes, sequences) })
      })

      const attempt = Effect.catchAllCause(note, (cause) =>
        Effect.logWarning("What each data file knows of the other could not be noted, and is noted later", cause)
      )
      yield* Effect.addFinalizer(() => attempt)
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.uninterruptible(attempt), Effect.sleep(interval))))
    })
  )

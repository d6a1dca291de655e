import { Effect } from "effect"
import { mebibyte } from "../../domain/LruCache.ts"

/** Bytes of an environment's documents from which on what games read of it is large: while it is made it takes some ten times as much memory. */
const largeBytes = mebibyte

/** Large ones that are made at the same time. Others are made at once, however many large ones wait. */
const mostAtOnce = 2

/** Places for what is large, so that many large environments that are asked for at once take no more memory than a few. */
export const largeBuilds = Effect.map(Effect.makeSemaphore(mostAtOnce), (places) => {
  const take = Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      restore(places.take(1)),
      Effect.addFinalizer(() => places.release(1))
    )
  )

  /** For one build: is told of more bytes of its documents as they become known, and waits for a place, which it keeps, once these are many. */
  return Effect.sync(() => {
    let known = 0
    return (bytes: number) => {
      const wasLarge = known > largeBytes
      known += bytes
      return !wasLarge && known > largeBytes ? take : Effect.void
    }
  })
})

import { Effect } from "effect"
import type { Click } from "../../domain/deeplinks/Click.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"

/** Clicks written in one transaction. */
const batch = 100

/** Clicks that may wait while none can be written; beyond it the oldest are lost. */
const capacity = 200_000

/** Writes clicks down behind the redirects' backs, many at a time. */
export class Clicks extends Effect.Service<Clicks>()("services/deeplinks/Clicks", {
  scoped: Effect.gen(function* () {
    const repo = yield* ClickRepo
    const scope = yield* Effect.scope
    const turn = yield* Effect.makeSemaphore(1)
    let waiting: Array<Click> = []
    let isPlanned = false

    const writeSome = Effect.suspend(() => {
      const part = waiting.slice(0, batch)
      waiting = waiting.slice(batch)
      return Effect.onError(repo.record(part), () =>
        Effect.sync(() => {
          waiting = [...part, ...waiting]
        })
      )
    })

    /** Writes every click that waits. */
    const flush = turn.withPermits(1)(
      Effect.whileLoop({ while: () => waiting.length > 0, body: () => writeSome, step: () => undefined })
    )

    const flushLater = Effect.sleep("20 millis").pipe(
      Effect.zipRight(
        Effect.sync(() => {
          isPlanned = false
        })
      ),
      Effect.zipRight(flush),
      Effect.catchAllCause((cause) => Effect.logError("Clicks could not be written", cause))
    )

    /** Returns at once. */
    const record = Effect.fn("Clicks.record")(function* (click: Click) {
      waiting.push(click)
      if (waiting.length > capacity) waiting = waiting.slice(-capacity)
      if (isPlanned) return
      isPlanned = true
      yield* Effect.forkIn(flushLater, scope)
    })

    yield* Effect.addFinalizer(() => Effect.ignore(flush))
    return { record, flush } as const
  })
}) {}

import { Effect, Fiber } from "effect"
import {
  lowDisk,
  readinessOf,
  silent,
  type StoreName,
  type StoreProblem
} from "../../domain/operations/StoreProblem.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Health } from "../../ports/operations/Health.ts"
import { Settings } from "../../ports/operations/Settings.ts"

export const version = "0.1.0"

/** The build puts the commit in the place of this name; sources that run without a build have none. */
declare const GAMEKEEPER_COMMIT: string | null | undefined

const commit = typeof GAMEKEEPER_COMMIT === "string" ? GAMEKEEPER_COMMIT : null

/** A store that has not answered after so many seconds counts as one that takes no writes. */
const patienceSeconds = 5

/** The stores are tried this often at most. */
const keptFor = "1 second"

export class System extends Effect.Service<System>()("services/operations/System", {
  effect: Effect.gen(function* () {
    const { minFreeMb } = yield* Settings
    const health = yield* Health
    const events = yield* EventStore

    const problemsOf = (store: StoreName, found: Effect.Effect<ReadonlyArray<StoreProblem>>) =>
      // What cannot be interrupted, such as a statement that has begun, is not waited for either.
      Effect.timeoutTo(Effect.disconnect(found), {
        duration: `${patienceSeconds} seconds`,
        onSuccess: (problems) => problems,
        onTimeout: () => [silent(store, patienceSeconds)]
      })

    const look = Effect.gen(function* () {
      const found = [
        problemsOf("metadata", health.metadata),
        ...(events.logProblems === null ? [] : [problemsOf("log", events.logProblems)]),
        problemsOf("events", events.problems)
      ]
      const [stores, free] = yield* Effect.all([Effect.all(found, { concurrency: "unbounded" }), health.freeBytes], {
        concurrency: "unbounded"
      })
      return readinessOf([...lowDisk(free, minFreeMb * 1e6), ...stores.flat()], events.logProblems !== null)
    })

    /** A caller that hangs up does not end what others wait for. */
    const shared = Effect.uninterruptible(Effect.flatMap(Effect.forkDaemon(Effect.interruptible(look)), Fiber.join))

    const readiness = yield* Effect.cachedWithTTL(shared, keptFor)

    return { readiness, version: { name: "gamekeeper", version, commit, node: process.version } } as const
  })
}) {}

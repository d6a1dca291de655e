import { Effect, Exit, Layer, ManagedRuntime, Scope } from "effect"
import { AccessVersionLive } from "../../../src/adapters/cache/AccessVersion.ts"
import { ProjectCache } from "../../../src/adapters/cache/ProjectCache.ts"
import { Peers } from "../../../src/ports/operations/Peers.ts"
import type { Configuration } from "../../../src/app/Config.ts"
import type { Request } from "../access/Studio.ts"
import { listening } from "../game/Listening.ts"
import { isCluster } from "../cluster/Chosen.ts"
import { SharedDatabases } from "../cluster/SharedDatabases.ts"
import { atEndOfFile } from "../Ends.ts"
import type { Stores } from "../TestApp.ts"

/** A process that hears of others, and knows when it does not, while it `isInTouch`. */
const named = (name: string, isInTouch: () => boolean) =>
  Layer.effect(
    Peers,
    Effect.map(Peers, (peers) =>
      Peers.of({
        ...peers,
        name,
        live: () => 2,
        hear: (listener) =>
          peers.hear((notice) => {
            if (isInTouch()) listener(notice)
          }),
        isFresh: () => isInTouch() && peers.isFresh()
      })
    )
  )

/** Two processes over stores that belong to one have these in common. */
const together = async (store: Stores) => {
  const shared = ManagedRuntime.make(store)
  atEndOfFile(() => shared.dispose())
  const { context } = await shared.runtime()
  return { stores: Layer.succeedContext(context), run: shared.runPromise }
}

/** Each process has connections of its own to the same databases. */
const apart = async (store: Stores) => {
  const { freshDatabases } = await import("../cluster/EventStores.ts")
  const scope = Effect.runSync(Scope.make())
  atEndOfFile(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const databases = await Effect.runPromise(Scope.extend(freshDatabases(), scope))
  const stores = Layer.provide(store, Layer.succeed(SharedDatabases, databases))
  const beside = ManagedRuntime.make(stores)
  atEndOfFile(() => beside.dispose())
  return { stores, run: beside.runPromise }
}

/**
 * Whole servers over the same stores, as two processes over the same engines would be: each has its own services, jobs and caches, and they
 * hear of each other through the stores alone. `each` sends requests to one after the other; one that is among `lost` hears of nothing.
 */
export const twoApps = async (store: Stores, settings: Partial<Configuration> = {}) => {
  const { stores, run } = await (isCluster ? apart : together)(store)
  const lost = new Set<string>()
  const start = (name: string) =>
    listening(
      ProjectCache.pipe(
        Layer.provideMerge(AccessVersionLive),
        Layer.provideMerge(named(name, () => !lost.has(name))),
        Layer.provideMerge(stores)
      ),
      { signUp: "open", ...settings }
    )
  const [a, b] = [await start("a"), await start("b")]
  let count = 0
  const each: Request = (method, path, call) => (count++ % 2 === 0 ? a : b).request(method, path, call)
  return { a, b, each, start, lost, run }
}

export type TwoApps = Awaited<ReturnType<typeof twoApps>>

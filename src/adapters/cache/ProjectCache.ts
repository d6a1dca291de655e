import { Clock, Context, Effect, FiberRef, Layer } from "effect"
import { mebibyte, textBytes } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import { AccessVersion } from "../../ports/access/AccessVersion.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** An object in memory takes about as many bytes as its JSON in UTF-16, plus its headers. */
const sizeOf = (answer: unknown): number => textBytes(JSON.stringify(answer)) + 64

/**
 * Keeps projects and environments in memory while the access version stays the same: games name them in every request and they
 * hardly change. This is exact, because every write advances the version, also one of another process, before it is acknowledged. A transaction reads
 * the store itself: it must see its own writes, and nobody else may see them before they are committed.
 */
export const ProjectCache = Layer.effectContext(
  Effect.gen(function* () {
    const repo = yield* ProjectRepo
    const transaction = yield* Transaction
    const version = yield* AccessVersion
    const isInTransaction = FiberRef.unsafeMake(false)

    const kept = <Id extends number, A>(ask: (id: Id) => Effect.Effect<A>): ((id: Id) => Effect.Effect<A>) => {
      const cache = new ValidCache<A, Id>(4 * mebibyte, sizeOf)
      const askOnce = Effect.fnUntraced(function* (id: Id) {
        const now = yield* Clock.currentTimeMillis
        const known = cache.get(id, now)
        if (known !== undefined) return known
        const validity = version.validity()
        const answer = yield* ask(id)
        if (validity.holds(now)) cache.set(id, answer, validity)
        return answer
      })
      return (id) => Effect.flatMap(FiberRef.get(isInTransaction), (isInside) => (isInside ? ask(id) : askOnce(id)))
    }

    return Context.make(
      ProjectRepo,
      ProjectRepo.of({
        ...repo,
        find: kept(repo.find),
        list: kept(repo.list),
        findEnvironment: kept(repo.findEnvironment),
        environments: kept(repo.environments)
      })
    ).pipe(
      Context.add(
        Transaction,
        Transaction.of({
          run: (effect, locks) => transaction.run(Effect.locally(effect, isInTransaction, true), locks),
          runRemoval: (effect) => transaction.runRemoval(Effect.locally(effect, isInTransaction, true))
        })
      )
    )
  })
)

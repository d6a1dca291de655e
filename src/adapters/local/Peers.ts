import { Context, Effect, Exit, FiberRef, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { PeerNotice } from "../../domain/operations/PeerNotice.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { makeListeners } from "./Listeners.ts"

/** What a transaction that has not ended tells. */
interface Untold {
  readonly notices: Array<PeerNotice>
  isOpen: boolean
}

/** For stores that one process has for itself: it hears what it tells as soon as its transaction is committed. */
export const PeersLocal = Layer.effectContext(
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const { deliver, hear } = makeListeners()
    const present = FiberRef.unsafeMake<Untold | null>(null)

    /** One that was interrupted may have been committed: hearing of what was undone does no harm. */
    const end = (own: Untold, outer: Untold | null, exit: Exit.Exit<unknown, unknown>) => {
      own.isOpen = false
      if (!Exit.isSuccess(exit) && !Exit.isInterrupted(exit)) return
      if (outer === null) own.notices.forEach(deliver)
      else outer.notices.push(...own.notices)
    }

    /** The same transaction, after which is heard what was told in it. */
    const telling =
      (begin: Transaction["Type"]["run"]): Transaction["Type"]["run"] =>
      (effect, locks) =>
        Effect.flatMap(FiberRef.get(present), (outer) => {
          const own: Untold = { notices: [], isOpen: true }
          return Effect.onExit(begin(Effect.locally(effect, present, own), locks), (exit) =>
            Effect.sync(() => end(own, outer?.isOpen === true ? outer : null, exit))
          )
        })

    const tell = (notice: PeerNotice) =>
      Effect.map(FiberRef.get(present), (untold) => {
        if (untold?.isOpen === true) untold.notices.push(notice)
        else deliver(notice)
      })

    return Context.make(Peers, { name: randomUUID(), tell, hear, isFresh: () => true, live: () => 1 }).pipe(
      Context.add(
        Transaction,
        Transaction.of({ run: telling(transaction.run), runRemoval: telling(transaction.runRemoval) })
      )
    )
  })
)

import { Effect } from "effect"
import type { ContentNotice } from "../../domain/operations/PeerNotice.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { NoticeRepo } from "../../ports/game/NoticeRepo.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Versions } from "../game/Versions.ts"

/** A change of something that games read. */
export type Change = Omit<ContentNotice, "number">

/** Announces changes to all processes: once they are committed, the answers that rest on the earlier state end, then the listeners are told. */
export class Changes extends Effect.Service<Changes>()("services/configuration/Changes", {
  scoped: Effect.gen(function* () {
    const versions = yield* Versions
    const notices = yield* NoticeRepo
    const peers = yield* Peers
    const transaction = yield* Transaction
    const listeners = new Set<(change: ContentNotice) => void>()

    yield* peers.hear((notice) => {
      if (notice.kind === "assignments") versions.assignments(notice.environmentId).advance()
      if (notice.kind !== "configuration" && notice.kind !== "experiments") return
      versions.content(notice.environmentId).advance()
      for (const listener of listeners) listener(notice)
    })

    /** To be called within the transaction that makes the change, which must not be interrupted. */
    const publish = (change: Change) =>
      Effect.uninterruptible(
        transaction.run(
          Effect.flatMap(notices.add(change.environmentId, { event: change.kind, ids: change.ids }), (number) =>
            peers.tell({ ...change, number })
          )
        )
      )

    /** The same for assignments that a person has changed. Nobody listens for these: games learn of them with their next request. */
    const assignmentsChanged = (environmentId: EnvironmentId) => peers.tell({ kind: "assignments", environmentId })

    /** Calls the listener with every change, in order, until the scope closes. */
    const listen = (listener: (change: ContentNotice) => void) =>
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )

    return { publish, assignmentsChanged, listen } as const
  })
}) {}

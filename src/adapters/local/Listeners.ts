import { Effect } from "effect"
import type { PeerNotice } from "../../domain/operations/PeerNotice.ts"
import type { Peers } from "../../ports/operations/Peers.ts"

/** Those in this process who hear what is told, in the order in which they came. */
export const makeListeners = () => {
  const listeners = new Set<(notice: PeerNotice) => void>()

  const deliver = (notice: PeerNotice) => {
    for (const listener of listeners) listener(notice)
  }

  const hear: Peers["Type"]["hear"] = (listener) => {
    const own = (notice: PeerNotice) => listener(notice)
    return Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(own)),
        () => Effect.sync(() => listeners.delete(own))
      )
    )
  }

  return { deliver, hear }
}

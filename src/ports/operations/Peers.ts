import type { Effect, Scope } from "effect"
import { Context } from "effect"
import type { PeerNotice } from "../../domain/operations/PeerNotice.ts"

/** The processes that share the stores, this one among them. */
export class Peers extends Context.Tag("ports/operations/Peers")<
  Peers,
  {
    /** Names this process among all that have ever run: whoever claims work does so under it. */
    readonly name: string
    /**
     * Tells every process. Within a transaction they hear it once that is committed, and before it is acknowledged; never where it is
     * undone. A transaction that tells something must not be interrupted.
     */
    readonly tell: (notice: PeerNotice) => Effect.Effect<void>
    /** Calls the listener, which must be quick, with what any process tells, in order, until the scope closes. */
    readonly hear: (listener: (notice: PeerNotice) => void) => Effect.Effect<void, never, Scope.Scope>
    /** Whether everything that the others have had acknowledged has been heard here. While it has not, nothing kept in memory may be used. */
    readonly isFresh: () => boolean
    /** How many processes share the stores now, this one among them: at least 1. */
    readonly live: () => number
  }
>() {}

import type { Effect, Scope } from "effect"
import { Context } from "effect"
import type { PeerNotice } from "../../domain/operations/PeerNotice.ts"

/** The processes that share the stores, this one among them. */
export class Peers extends Context.Tag("ports/operations/Peers")<
  Peers,
  {
    /** A name that no other process has or ever had. This process claims work under it. */
    readonly name: string
    /**
     * Sends the notice to every process, this one included. Within a transaction it is sent when the transaction is committed, before that
     * is acknowledged, and never if it is undone. A transaction that sends a notice must not be interrupted.
     */
    readonly tell: (notice: PeerNotice) => Effect.Effect<void>
    /** Calls the listener, which must be quick, with what any process tells, in order, until the scope closes. */
    readonly hear: (listener: (notice: PeerNotice) => void) => Effect.Effect<void, never, Scope.Scope>
    /** Whether this process has heard of every write that another one has acknowledged. While it has not, nothing that it keeps in memory may be used. */
    readonly isFresh: () => boolean
    /** How many processes share the stores now, this one among them: at least 1. */
    readonly live: () => number
  }
>() {}

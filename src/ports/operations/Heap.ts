import { Context, type Effect } from "effect"
import type { HeapLook } from "../../domain/operations/HeapLook.ts"

/** The memory of this process's objects. */
export class Heap extends Context.Tag("ports/operations/Heap")<
  Heap,
  {
    /** How it is now; its share of work is of the time since the look before, or since the start. */
    readonly look: Effect.Effect<HeapLook>
    /** Collects what nobody needs any more. Keeps the thread meanwhile; does nothing where the engine has no such function. */
    readonly collect: Effect.Effect<void>
  }
>() {}

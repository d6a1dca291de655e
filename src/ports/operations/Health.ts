import type { Effect } from "effect"
import { Context } from "effect"
import type { FileSize } from "../../domain/operations/Moment.ts"
import type { StoreProblem } from "../../domain/operations/StoreProblem.ts"

/** Checks of the metadata store and of the disk under both stores. `EventStore` checks itself. */
export class Health extends Context.Tag("ports/operations/Health")<
  Health,
  {
    /** What is wrong with the metadata store right now, as a write that changes nothing finds out. */
    readonly metadata: Effect.Effect<ReadonlyArray<StoreProblem>>
    /** Bytes of disk that this server can still use; null where that is not known, or where nothing is on disk. */
    readonly freeBytes: Effect.Effect<number | null>
    /** The files of the stores with their sizes, by name; none where nothing is on disk. */
    readonly fileSizes: Effect.Effect<ReadonlyArray<FileSize>>
  }
>() {}

import type { Effect } from "effect"
import { Context } from "effect"

/**
 * Rows of projects, environments, configurations, deeplinks and saved queries that were removed. Nothing that asks by one of these finds
 * them any more.
 */
export class RemovedRows extends Context.Tag("ports/operations/RemovedRows")<
  RemovedRows,
  {
    /**
     * Deletes all of them, some at a time; the event loop takes a turn after each portion. What is cut off is done by the next `clear`,
     * also in another process: a row belongs to something removed because that is not there.
     */
    readonly clear: Effect.Effect<void>
  }
>() {}

import { Effect } from "effect"
import { RemovedRows } from "../../../src/ports/operations/RemovedRows.ts"

/** Deletes what removed projects and environments have left, as a job of the server does. */
export const clearRemoved = Effect.flatMap(RemovedRows, ({ clear }) => clear)

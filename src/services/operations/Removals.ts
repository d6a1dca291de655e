import { Effect } from "effect"
import { RemovedRows } from "../../ports/operations/RemovedRows.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { makeWakeUp } from "../WakeUp.ts"

/**
 * Deletes in the background what is left of projects, environments, configurations, deeplinks and saved queries that were removed. The
 * server's own work: it asks for no permission.
 */
export class Removals extends Effect.Service<Removals>()("services/operations/Removals", {
  effect: Effect.gen(function* () {
    const rows = yield* RemovedRows
    const turns = yield* Turns
    const { wakeUp, requested } = yield* makeWakeUp(1)

    /** Says that something was removed. */
    const notice = Effect.sync(wakeUp)

    /** Deletes what is left of all that was removed so far. */
    const run = () => turns.alone("removals", rows.clear)

    return { notice, requested, run } as const
  })
}) {}

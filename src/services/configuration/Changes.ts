import { Effect } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { Versions } from "../game/Versions.ts"

/** A committed change of something that games read. The ids are those of the configurations or experiments that changed. */
export interface Change {
  readonly environmentId: EnvironmentId
  readonly kind: "configuration" | "experiments"
  readonly ids: ReadonlyArray<number>
}

/** Announces committed changes: ends the answers that rest on the earlier state, then tells the listeners. */
export class Changes extends Effect.Service<Changes>()("services/configuration/Changes", {
  effect: Effect.gen(function* () {
    const versions = yield* Versions
    const listeners = new Set<(change: Change) => void>()

    /** To be called once the change is committed, before it is acknowledged. */
    const publish = Effect.fn("Changes.publish")((change: Change) =>
      Effect.sync(() => {
        versions.content(change.environmentId).advance()
        for (const listener of listeners) listener(change)
      })
    )

    /** The same for assignments that a person has changed. Nobody listens for these: games learn of them with their next request. */
    const assignmentsChanged = Effect.fn("Changes.assignmentsChanged")((environmentId: EnvironmentId) =>
      Effect.sync(() => versions.assignments(environmentId).advance())
    )

    /** Calls the listener with every change, in order, until the scope closes. */
    const listen = (listener: (change: Change) => void) =>
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )

    return { publish, assignmentsChanged, listen } as const
  })
}) {}

import { Effect } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** Something that games read has changed: the ids are of configurations or of experiments. */
export interface Change {
  readonly environmentId: EnvironmentId
  readonly kind: "configuration" | "experiments"
  readonly ids: ReadonlyArray<number>
}

/** Tells of changes after they are committed, so that nothing old is delivered from memory. */
export class Changes extends Effect.Service<Changes>()("services/configuration/Changes", {
  sync: () => {
    const counts = new Map<EnvironmentId, number>()
    const listeners = new Set<(change: Change) => void>()

    /** Counts the changes of an environment while the process runs: while it stays the same, what was read is true. */
    const version = (environmentId: EnvironmentId): number => counts.get(environmentId) ?? 0

    /** To be called once the change is committed, before it is acknowledged. */
    const publish = Effect.fn("Changes.publish")((change: Change) =>
      Effect.sync(() => {
        counts.set(change.environmentId, version(change.environmentId) + 1)
        for (const listener of listeners) listener(change)
      })
    )

    /** Hears of every change, in order, until the scope closes. */
    const listen = (listener: (change: Change) => void) =>
      Effect.acquireRelease(
        Effect.sync(() => listeners.add(listener)),
        () => Effect.sync(() => listeners.delete(listener))
      )

    return { publish, version, listen } as const
  }
}) {}

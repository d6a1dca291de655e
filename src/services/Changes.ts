import { Effect, PubSub, Stream } from "effect"
import type { EnvironmentId } from "../domain/Ids.ts"

/** Something that games read has changed: the ids are of configurations or of experiments. */
export interface Change {
  readonly environmentId: EnvironmentId
  readonly kind: "configuration" | "experiments"
  readonly ids: ReadonlyArray<number>
}

/** Tells of changes after they are committed, so that nothing old is delivered from memory. */
export class Changes extends Effect.Service<Changes>()("services/Changes", {
  scoped: Effect.gen(function* () {
    const hub = yield* PubSub.sliding<Change>(4096)
    const counts = new Map<EnvironmentId, number>()

    /** To be called once the change is committed, before it is acknowledged. */
    const publish = Effect.fn("Changes.publish")(function* (change: Change) {
      counts.set(change.environmentId, (counts.get(change.environmentId) ?? 0) + 1)
      yield* PubSub.publish(hub, change)
    })

    /** Counts the changes of an environment while the process runs: while it stays the same, what was read is true. */
    const version = (environmentId: EnvironmentId): number => counts.get(environmentId) ?? 0

    return { publish, version, stream: Stream.fromPubSub(hub) } as const
  })
}) {}

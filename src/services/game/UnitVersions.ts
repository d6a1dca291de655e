import { Effect } from "effect"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** Counts what people change in the assignments of an environment: while it stays the same, units are where they were. */
export class UnitVersions extends Effect.Service<UnitVersions>()("services/game/UnitVersions", {
  sync: () => {
    const counts = new Map<EnvironmentId, number>()
    const of = (environmentId: EnvironmentId): number => counts.get(environmentId) ?? 0

    /** To be called once the change is committed, before it is acknowledged. */
    const count = Effect.fn("UnitVersions.count")((environmentId: EnvironmentId) =>
      Effect.sync(() => void counts.set(environmentId, of(environmentId) + 1))
    )

    return { of, count } as const
  }
}) {}

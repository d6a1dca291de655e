import type { Effect } from "effect"
import { Context } from "effect"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import type { UnitSight } from "../../domain/experiments/UnitSight.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** When this server first saw each player and game server. It goes with its environment. */
export class UnitSightRepo extends Context.Tag("ports/game/UnitSightRepo")<
  UnitSightRepo,
  {
    /** The first sight of each of these units that was seen, in epoch milliseconds, by distinct id. */
    readonly firstSeen: (
      environmentId: EnvironmentId,
      unitType: UnitType,
      distinctIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number>>
    /** Keeps the earliest sight of each unit. Sights of environments that are gone are passed over. */
    readonly record: (sights: ReadonlyArray<UnitSight>) => Effect.Effect<void>
    /** Forgets a player. */
    readonly eraseUnit: (environmentId: EnvironmentId, distinctId: string) => Effect.Effect<void>
  }
>() {}

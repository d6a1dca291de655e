import { Clock, Effect, Option } from "effect"
import type { LegacyConfigurations, LegacyExperiments } from "../../../schema/game/LegacyRecords.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import { groupsOf, propertiesAsked, timesOf } from "../../domain/game/LegacyGroups.ts"
import { named } from "../../domain/game/Snapshot.ts"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import { at } from "../../domain/experiments/StoredExperiment.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import type { ReadyEntry } from "./Delivery.ts"
import { Delivery } from "./Delivery.ts"
import type { GameRequest } from "./GameAccess.ts"
import { SdkConfigurations } from "./SdkConfigurations.ts"

/** What older game servers know of: the primary configuration and the experiments on it. */
export interface LegacySnapshot {
  readonly environmentId: EnvironmentId
  readonly audience: Audience
  readonly entry: Option.Option<ReadyEntry>
  /** By ascending id, paused ones too. */
  readonly running: ReadonlyArray<StoredExperiment>
  readonly scheduled: ReadonlyArray<StoredExperiment>
  /** When it was so, in epoch milliseconds. */
  readonly now: number
}

/** Seconds between two looks for jobs, and between two markers of engagement. */
const rates = { CheckRequests: 30, EngagementMarkers: 60 }

/** Prepares what older game servers read. They have experiments on servers or else on players; servers come first. */
export class LegacyDelivery extends Effect.Service<LegacyDelivery>()("services/game/LegacyDelivery", {
  effect: Effect.gen(function* () {
    const configurations = yield* SdkConfigurations
    const delivery = yield* Delivery
    const experiments = yield* ExperimentRepo

    const current = Effect.fnUntraced(function* (request: GameRequest) {
      const { environmentId, audience, delivered } = yield* configurations.read(request)
      const now = yield* Clock.currentTimeMillis
      const entry = Option.fromNullable(named(delivered.configurations, undefined))
      const open = Option.isNone(entry) ? [] : yield* experiments.open(environmentId)
      const own = open
        .map((each) => at(each, now))
        .filter(({ baseConfigurationId }) => Option.exists(entry, ({ id }) => id === baseConfigurationId))
      return {
        environmentId,
        audience,
        entry,
        running: own.filter(({ progress: { status } }) => status === "active" || status === "paused"),
        scheduled: own.filter(({ progress: { status } }) => status === "scheduled"),
        now
      } satisfies LegacySnapshot
    })

    const experimentsOf = ({ entry, running, scheduled, now }: LegacySnapshot): LegacyExperiments => ({
      timestampMs: now,
      groups: Option.match(entry, {
        onNone: () => [],
        onSome: (base) => running.flatMap((experiment) => groupsOf(base, experiment))
      }),
      scheduled: timesOf(scheduled),
      targetType: running.some(({ unitType }) => unitType === "server") ? "gameserver" : "player",
      requiredProperties: propertiesAsked(running)
    })

    /** Uses the time of the answer as publish time, because a game server ignores what is older than what it has. */
    const argumentsOf = (snapshot: LegacySnapshot): LegacyConfigurations["args"] => ({
      configs: Option.match(snapshot.entry, { onNone: () => ({}), onSome: ({ configuration }) => configuration }),
      options: { privacy: Option.match(snapshot.entry, { onNone: () => [], onSome: ({ privacy }) => privacy }) },
      GBConfigs: {
        GBRates: rates,
        EventData: {},
        Experiments: experimentsOf(snapshot),
        GBPublishTime: snapshot.now
      }
    })

    /** A digest of everything in the snapshot but its time. */
    const digestOf = (snapshot: LegacySnapshot): string =>
      delivery.digest(`legacy:${JSON.stringify(argumentsOf({ ...snapshot, now: 0 }))}`)

    return { current, experimentsOf, argumentsOf, digestOf } as const
  })
}) {}

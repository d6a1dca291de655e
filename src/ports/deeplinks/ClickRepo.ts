import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Click, ClickCount, Conversion, Origin } from "../../domain/deeplinks/Click.ts"
import type { ApplicationId, DeeplinkId, EnvironmentId } from "../../domain/Ids.ts"

/** Selects conversions in any of the environments by the time of the click, within [from, to) in epoch ms. */
export interface ConversionsOf {
  readonly deeplinkId: DeeplinkId
  readonly environmentIds: ReadonlyArray<EnvironmentId>
  readonly from: number
  readonly to: number
}

/** Conversions of clicks of one origin within one time slot (`slotOf`). */
export interface ConversionCount extends Origin {
  readonly slot: number
  readonly conversions: number
}

/** Where a page of conversions continues: after this one. */
export type ConversionPlace = Pick<Conversion, "convertedAt" | "interactionId" | "unitId" | "environmentId">

/**
 * A converted unit, and the inclusive range (epoch ms) from its first converted click to the end of its last
 * attribution window.
 */
export interface ConvertedUnit {
  readonly environmentId: EnvironmentId
  readonly unitId: string
  readonly from: number
  readonly to: number
}

/** Clicks and conversions of deeplinks. Counts are kept for ever; a single click only while it may still convert. */
export class ClickRepo extends Context.Tag("ports/deeplinks/ClickRepo")<
  ClickRepo,
  {
    /** Stores and counts clicks. Those of deeplinks that no longer exist are ignored, and so are clicks that are stored already. */
    readonly record: (clicks: ReadonlyArray<Click>) => Effect.Effect<void>
    /** The click of that id, until `expire` removes it. */
    readonly find: (interactionId: string) => Effect.Effect<Option.Option<Click>>
    /**
     * Stores a conversion; false when this click has already converted for this unit, or its deeplink or environment is gone. Of several
     * conversions of a click by a unit the earliest stays, in whatever order they come.
     */
    readonly convert: (conversion: Conversion) => Effect.Effect<boolean>
    /** Clicks and conversions of each deeplink of the project. */
    readonly totals: (
      applicationId: ApplicationId,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) => Effect.Effect<
      ReadonlyArray<{ readonly deeplinkId: DeeplinkId; readonly clicks: number; readonly conversions: number }>
    >
    /** Clicks by time slot and origin, for the slots (numbers of `slotOf`) from `first` up to, not including, `end`. */
    readonly clickCounts: (
      deeplinkId: DeeplinkId,
      first: number,
      end: number
    ) => Effect.Effect<ReadonlyArray<ClickCount>>
    /** Conversions by the time slot of their click and by origin. */
    readonly conversionCounts: (of: ConversionsOf) => Effect.Effect<ReadonlyArray<ConversionCount>>
    /** How many units have converted; one that did in several environments counts once. */
    readonly convertedUsers: (of: ConversionsOf) => Effect.Effect<number>
    /** At most `limit` converted units by environment and unit id, from after the given one; null starts with the first. */
    readonly convertedUnits: (
      of: ConversionsOf,
      after: Pick<ConvertedUnit, "environmentId" | "unitId"> | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConvertedUnit>>
    /** At most `limit` conversions, latest first, ties by click, unit and environment; null starts with the latest. */
    readonly conversions: (
      of: ConversionsOf,
      after: ConversionPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Conversion>>
    /** Removes clicks whose window ended before the instant (epoch ms); their counts stay. */
    readonly expire: (before: number) => Effect.Effect<void>
    /** All conversions of a unit in the environment, oldest first. */
    readonly ofUnit: (environmentId: EnvironmentId, unitId: string) => Effect.Effect<ReadonlyArray<Conversion>>
    /** Removes a unit's conversions and the clicks that led to them. */
    readonly eraseUnit: (environmentId: EnvironmentId, unitId: string) => Effect.Effect<void>
  }
>() {}

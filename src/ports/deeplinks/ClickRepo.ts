import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { Click, ClickCount, Conversion, Origin } from "../../domain/deeplinks/Click.ts"
import type { ApplicationId, DeeplinkId, EnvironmentId } from "../../domain/Ids.ts"

/** Conversions in any of the environments of clicks within [from, to), epoch milliseconds. */
export interface ConversionsOf {
  readonly deeplinkId: DeeplinkId
  readonly environmentIds: ReadonlyArray<EnvironmentId>
  readonly from: number
  readonly to: number
}

export interface ConversionCount extends Origin {
  readonly slot: number
  readonly conversions: number
}

/** Where a list of conversions goes on: after this one. */
export type ConversionPlace = Pick<Conversion, "convertedAt" | "interactionId" | "unitId">

/** From the first click that a unit came of to the last end of an attribution window, epoch milliseconds, inclusive. */
export interface ConvertedUnit {
  readonly environmentId: EnvironmentId
  readonly unitId: string
  readonly from: number
  readonly to: number
}

/** Clicks are counted for ever; each by itself is kept for as long as it may convert. */
export class ClickRepo extends Context.Tag("ports/deeplinks/ClickRepo")<
  ClickRepo,
  {
    /** Clicks of a deeplink that is gone by now are passed over. */
    readonly record: (clicks: ReadonlyArray<Click>) => Effect.Effect<void>
    readonly find: (interactionId: string) => Effect.Effect<Option.Option<Click>>
    /** False when this click has converted for this unit before. */
    readonly convert: (conversion: Conversion) => Effect.Effect<boolean>
    /** Of every deeplink of the project that has any. */
    readonly totals: (
      applicationId: ApplicationId,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) => Effect.Effect<
      ReadonlyArray<{ readonly deeplinkId: DeeplinkId; readonly clicks: number; readonly conversions: number }>
    >
    /** By slot and origin; slots from `first` up to before `end`. */
    readonly clickCounts: (
      deeplinkId: DeeplinkId,
      first: number,
      end: number
    ) => Effect.Effect<ReadonlyArray<ClickCount>>
    /** By slot of the click and origin. */
    readonly conversionCounts: (of: ConversionsOf) => Effect.Effect<ReadonlyArray<ConversionCount>>
    readonly convertedUnits: (of: ConversionsOf) => Effect.Effect<ReadonlyArray<ConvertedUnit>>
    /** Latest conversion first, then by click and unit; null starts at the first. */
    readonly conversions: (
      of: ConversionsOf,
      after: ConversionPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Conversion>>
    /** Forgets clicks that can no longer convert; they stay counted. */
    readonly expire: (now: number) => Effect.Effect<void>
    /** Every conversion of a unit in the environment, by instant. */
    readonly ofUnit: (environmentId: EnvironmentId, unitId: string) => Effect.Effect<ReadonlyArray<Conversion>>
    /** Forgets what a unit converted, and the clicks it came of. */
    readonly eraseUnit: (environmentId: EnvironmentId, unitId: string) => Effect.Effect<void>
  }
>() {}

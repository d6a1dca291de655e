import { Clock, DateTime, Effect, Either, Option, Schema } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { TimeRangeInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { ConversionsQuery, DeeplinkConversions } from "../../../schema/deeplinks/Deeplinks.ts"
import { MovingSum } from "../../domain/analytics/insight/Sum.ts"
import { textFlaw } from "../../domain/Characters.ts"
import type { RevenuePlan } from "../../domain/analytics/question/Question.ts"
import { planTime, type TimeQuery } from "../../domain/analytics/time/TimeQuery.ts"
import { type Conversion, slotOf, slotWidth } from "../../domain/deeplinks/Click.ts"
import { clicksByOrigin, clicksOverTime, clickTotals } from "../../domain/deeplinks/ClickReport.ts"
import { type DeeplinkId, EnvironmentId } from "../../domain/Ids.ts"
import {
  ClickRepo,
  type ConversionPlace,
  type ConversionsOf,
  type ConvertedUnit
} from "../../ports/deeplinks/ClickRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Clicks } from "./Clicks.ts"
import { Deeplinks } from "./Deeplinks.ts"
import { answered } from "../analytics/QueryFailure.ts"
import { dayMillis } from "../../domain/Durations.ts"
import type { ApplicationWhere } from "../Where.ts"

/** Days shown when no beginning is asked for. */
const defaultDays = 30

const StoredText = Schema.String.pipe(Schema.filter((text) => textFlaw(text) === undefined))

const Cursor = Schema.compose(
  Schema.StringFromBase64Url,
  Schema.parseJson(Schema.Tuple(Schema.Int, StoredText, StoredText, EnvironmentId))
)
const decode = Schema.decodeOption(Cursor)
const encode = Schema.encodeSync(Cursor)

const placeOf = (cursor: string | undefined) => {
  if (cursor === undefined) return Effect.succeed<ConversionPlace | null>(null)
  return Option.match(decode(cursor), {
    onNone: () => Effect.fail(new ValidationFailed({ message: "cursor: expected the nextCursor of the page before" })),
    onSome: ([convertedAt, interactionId, unitId, environmentId]) =>
      Effect.succeed<ConversionPlace | null>({ convertedAt, interactionId, unitId, environmentId })
  })
}

const itemOf = ({ unitId, clickedAt, convertedAt }: Conversion) => ({
  unitId,
  clickedAt: DateTime.unsafeMake(clickedAt),
  convertedAt: DateTime.unsafeMake(convertedAt),
  secondsToConvert: (convertedAt - clickedAt) / 1000,
  matchType: "interactionId" as const,
  matchGuaranteed: true as const
})

/** Converted units that are read and asked about at once. */
const unitsAtOnce = 20_000

const amounts = { argument: "revenue", purchase: { type: "Purchase", argument: "price" } }

/** What came of the clicks of a deeplink. */
export class Conversions extends Effect.Service<Conversions>()("services/deeplinks/Conversions", {
  effect: Effect.gen(function* () {
    const { weekStart } = yield* Settings
    const clicks = yield* Clicks
    const deeplinks = yield* Deeplinks
    const repo = yield* ClickRepo
    const store = yield* EventStore

    const timeOf = Effect.fnUntraced(function* ({ from, to, step }: ConversionsQuery, zone: string) {
      const now = yield* Clock.currentTimeMillis
      const end = to ?? DateTime.unsafeMake(now + 1)
      const start = from ?? DateTime.subtractDuration(end, defaultDays * dayMillis)
      const query: TimeQuery = { step, from: start, to: end }
      return yield* Either.mapLeft(
        planTime(query, { now, zone, weekStart }),
        ({ message }) => new TimeRangeInvalid({ message: message.replaceAll("time.", "") })
      )
    })

    /** What each of these units of one environment paid until its window ended, and how many had never been seen before their click. */
    const paidBy = Effect.fnUntraced(function* (environmentId: EnvironmentId, units: ReadonlyArray<ConvertedUnit>) {
      const plan: RevenuePlan = { ...amounts, units: units.map(({ unitId, from, to }) => ({ unitId, from, to })) }
      const { answer } = yield* answered(store.ask<"revenue">(environmentId, { kind: "revenue", plan }))
      const isNew = answer.filter(
        ({ firstSeenAt }, index) => firstSeenAt !== null && firstSeenAt >= (units[index]?.from ?? 0)
      )
      return { newUsers: isNew.length, revenues: answer.map(({ revenue }) => revenue) }
    })

    /** Units, those who had never been seen before their click, and what all of them paid. There may be a million: a page at a time. */
    const broughtBy = Effect.fnUntraced(function* (of: ConversionsOf) {
      let newUsers = 0
      const revenue = new MovingSum()
      let after: ConvertedUnit | null = null
      do {
        const page: ReadonlyArray<ConvertedUnit> = yield* repo.convertedUnits(of, after, unitsAtOnce)
        for (const environmentId of of.environmentIds) {
          const units = page.filter((unit) => unit.environmentId === environmentId)
          if (units.length === 0) continue
          const paid = yield* paidBy(environmentId, units)
          newUsers += paid.newUsers
          for (const each of paid.revenues) revenue.add(each)
        }
        after = page.length < unitsAtOnce ? null : (page.at(-1) ?? null)
      } while (after !== null)
      return { users: yield* repo.convertedUsers(of), newUsers, revenue: revenue.value }
    })

    const pageOf = Effect.fnUntraced(function* (of: ConversionsOf, { limit, cursor }: ConversionsQuery) {
      const found = yield* repo.conversions(of, yield* placeOf(cursor), limit + 1)
      const items = found.slice(0, limit)
      const last = items.at(-1)
      const nextCursor =
        found.length > items.length && last !== undefined
          ? encode([last.convertedAt, last.interactionId, last.unitId, last.environmentId])
          : null
      return { items: items.map(itemOf), nextCursor }
    })

    const get = Effect.fnUntraced(function* (place: ApplicationWhere, id: DeeplinkId, query: ConversionsQuery) {
      const { application, environmentIds } = yield* deeplinks.openOne("deeplinks:read", place, id)
      const { buckets, range } = yield* timeOf(query, application.timezone)
      yield* clicks.flushIfPossible
      const first = slotOf(range.from)
      const end = Math.ceil(range.to / slotWidth)
      const of = { deeplinkId: id, environmentIds, from: first * slotWidth, to: end * slotWidth }
      const clicked = yield* repo.clickCounts(id, first, end)
      const converted = yield* repo.conversionCounts(of)
      const overTime = clicksOverTime(clicked, converted, buckets)
      return {
        totals: { ...clickTotals(clicked, converted), ...(yield* broughtBy(of)) },
        overTime: overTime.map((totals, index) => ({
          bucket: DateTime.unsafeMake(buckets.boundaries[index] ?? range.from),
          ...totals
        })),
        sources: clicksByOrigin(clicked, converted, query.breakdown),
        ...(yield* pageOf(of, query))
      } satisfies DeeplinkConversions
    })

    return { get } as const
  })
}) {}

import { Clock, DateTime, Effect, Either, Option, Stream } from "effect"
import { QueryInvalid, ReferenceInvalid, TimeRangeInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type {
  MarkerExportDays,
  MarkerExportDaysQuery,
  MarkerExportQuery
} from "../../../schema/analytics/MarkerExports.ts"
import { planFilter } from "../../domain/analytics/filter/FilterRequest.ts"
import type { ListingCursor, ListingPlan, QuestionKind, QuestionOf } from "../../domain/analytics/question/Question.ts"
import { markerColumns, markerRow } from "../../domain/analytics/table/MarkerTable.ts"
import { limitAt } from "../../domain/analytics/markers/RetentionRule.ts"
import { dayMillis } from "../../domain/Durations.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Policy } from "../access/Policy.ts"
import { answered, complete } from "./QueryFailure.ts"
import { Retention } from "../operations/Retention.ts"
import { References } from "./References.ts"
import type { Where } from "../Where.ts"

/** Markers that are asked for at once. */
const pageSize = 1000

/** Days that are counted by one question, and days that an export may have. */
const daysAtOnce = 366
const mostDays = 10 * daysAtOnce

const dayOf = (instant: number): number => Math.floor(instant / dayMillis) * dayMillis

const wrongRange = (message: string) => Effect.fail(new TimeRangeInvalid({ message }))

const millis = (instant: DateTime.Utc | undefined): number | null =>
  instant === undefined ? null : DateTime.toEpochMillis(instant)

const typesOf = ({ types }: MarkerExportDaysQuery) => (types.length === 0 ? null : types)

/** All markers of an environment, or those that a filter chooses, for tables outside. */
export class MarkerExports extends Effect.Service<MarkerExports>()("services/analytics/MarkerExports", {
  effect: Effect.gen(function* () {
    const policy = yield* Policy
    const references = yield* References
    const store = yield* EventStore
    const retention = yield* Retention

    const open = ({ applicationId, environmentId }: Where) =>
      Effect.map(policy.environment("markers:read", applicationId, environmentId), ({ environment }) => environment.id)

    const ask = <Kind extends QuestionKind>(environmentId: EnvironmentId, question: QuestionOf<Kind>) =>
      complete(answered(store.ask(environmentId, question)))

    const planOf = Effect.fnUntraced(function* (query: MarkerExportQuery) {
      const { filters = [], match, unitId = null } = query
      const filter = yield* Either.mapLeft(planFilter({ filters, match }, ""), ({ kind, message }) =>
        kind === "invalid" ? new QueryInvalid({ message }) : new ReferenceInvalid({ message })
      )
      const from = millis(query.from) ?? Number.MIN_SAFE_INTEGER
      const to = millis(query.to) ?? Number.MAX_SAFE_INTEGER
      if (from >= to) return yield* wrongRange("to: must lie after from")
      return { range: { from, to }, types: typesOf(query), unitId, filter, limit: pageSize }
    })

    /** Asks for the first page before the answer begins, so that a question that cannot be answered is refused like any other. */
    const rows = Effect.fnUntraced(function* (where: Where, query: MarkerExportQuery) {
      const id = yield* open(where)
      const chosen = yield* planOf(query)
      yield* references.check(id, "listing", { ...chosen, after: null })
      const { highestSequence } = yield* store.version(id)
      const asOf = Math.min(query.asOf ?? highestSequence, highestSequence)
      const page = (after: ListingCursor) => {
        const plan: ListingPlan = { ...chosen, after }
        return Effect.map(ask<"listing">(id, { kind: "listing", plan }), ({ answer }) => answer)
      }
      const first = yield* page({ timestamp: chosen.range.to, sequence: 0, asOf })
      const rest = Stream.paginateEffect(first, (current) => {
        const own = current.items.map(markerRow)
        const { next } = current
        return next === null
          ? Effect.succeed([own, Option.none()] as const)
          : Effect.map(page(next), (following) => [own, Option.some(following)] as const)
      })
      return { asOf, columns: markerColumns, groups: rest }
    })

    /** The days of the range, as far as there are markers; null where there are none at all. */
    const spanOf = Effect.fnUntraced(function* (id: EnvironmentId, query: MarkerExportDaysQuery) {
      const now = yield* Clock.currentTimeMillis
      const seen = yield* ask<"types">(id, { kind: "types", plan: { now } })
      const types = typesOf(query)
      const own = seen.answer.filter(({ name }) => types === null || types.includes(name))
      if (own.length === 0) return null
      const first = Math.min(...own.map(({ firstSeenAt }) => firstSeenAt))
      const last = Math.max(...own.map(({ lastSeenAt }) => lastSeenAt))
      const from = Math.max(millis(query.from) ?? first, first)
      const to = Math.min(millis(query.to) ?? last + 1, last + 1)
      return from < to ? { from, to } : null
    })

    const days = Effect.fnUntraced(function* (where: Where, query: MarkerExportDaysQuery) {
      const id = yield* open(where)
      const [from, to] = [millis(query.from), millis(query.to)]
      if (from !== null && to !== null && from >= to) return yield* wrongRange("to: must lie after from")
      const { highestSequence } = yield* store.version(id)
      const span = yield* spanOf(id, query)
      if (span === null) return { asOf: highestSequence, days: [] } satisfies MarkerExportDays
      const starts: Array<number> = []
      for (let day = dayOf(span.from); day < span.to; day += dayMillis) {
        if (starts.length >= mostDays) return yield* wrongRange(`from, to: an export has at most ${mostDays} days`)
        starts.push(Math.max(day, span.from))
      }
      const types = typesOf(query)
      const { before } = limitAt(yield* retention.ruleFor(id), yield* Clock.currentTimeMillis)
      const found: Array<MarkerExportDays["days"][number]> = []
      // The sequence of the last answer goes for all: the answers before it may count fewer markers than there are up to it, but never
      // more.
      let asOf = 0
      for (let begin = 0; begin < starts.length; begin += daysAtOnce) {
        const boundaries = [...starts.slice(begin, begin + daysAtOnce), starts[begin + daysAtOnce] ?? span.to]
        const { answer, meta } = yield* ask<"typeCounts">(id, { kind: "typeCounts", plan: { boundaries } })
        asOf = meta.highestSequence
        const chosen = answer.filter(({ name }) => types === null || types.includes(name))
        for (const [at, start] of boundaries.slice(0, -1).entries()) {
          const markers = chosen.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)
          if (markers === 0) continue
          found.push({
            day: new Date(start).toISOString().slice(0, 10),
            from: DateTime.unsafeMake(start),
            to: DateTime.unsafeMake(boundaries[at + 1] ?? span.to),
            markers,
            ...(dayOf(start) < before ? { cut: true } : {})
          })
        }
      }
      return { asOf, days: found } satisfies MarkerExportDays
    })

    return { rows, days } as const
  })
}) {}

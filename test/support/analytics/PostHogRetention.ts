import { Either, Option } from "effect"
import { type Calendar, nextStart, shift } from "../../../src/domain/Calendar.ts"
import { instantOfLocal, zoneNamed } from "../../../src/domain/Zone.ts"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { Criterion, RetentionPlan } from "../../../src/domain/analytics/retention/RetentionPlan.ts"
import {
  type Case,
  type Entity,
  type Mapped,
  type Where,
  dimensionsOf,
  filterOf,
  markersOf,
  selectorOf,
  unreadKey
} from "./PostHog.ts"
import { stepOf, weekStartOf } from "./PostHogTrends.ts"

interface RetentionQuery {
  readonly period: string
  readonly intervals: number
  readonly target: Entity
  readonly returning: Entity
  readonly mode: string
  readonly lastInterval?: string
  readonly rows?: { readonly from: string; readonly to: string }
  readonly weekStartsOn: string
  readonly timezone: string
  readonly where?: Where
  readonly criterion?: string | { readonly brackets: ReadonlyArray<readonly [number, number]> }
  readonly timeMode?: string
  readonly minimumOccurrences?: number
  readonly breakdown?: { readonly type: string; readonly key: string }
}

type Rows = ReadonlyArray<ReadonlyArray<number>>

export type RetentionCase = Case<
  RetentionQuery,
  {
    readonly firstIntervalStart?: string
    readonly uniqueActors?: Rows
    readonly breakdowns?: Readonly<Record<string, Rows>>
  }
>

export interface MappedRetention {
  readonly events: ReadonlyArray<StoredEvent>
  readonly plan: RetentionPlan
}

const keys = [
  "kind",
  "period",
  "intervals",
  "target",
  "returning",
  "mode",
  "lastInterval",
  "rows",
  "weekStartsOn",
  "timezone",
  "actor",
  "where",
  "criterion",
  "timeMode",
  "minimumOccurrences",
  "breakdown"
]

const criteria: Readonly<Record<string, "on" | "onOrAfter" | "onOrBefore">> = {
  on: "on",
  onOrAfter: "onOrAfter",
  on_or_after: "onOrAfter",
  onOrBefore: "onOrBefore",
  on_or_before: "onOrBefore"
}

const criterionOf = ({ criterion = "on", intervals }: RetentionQuery): Mapped<Criterion> => {
  if (typeof criterion !== "string") return Either.right({ type: "brackets", brackets: criterion.brackets })
  const type = criteria[criterion]
  return type === undefined ? Either.left(`the criterion ${criterion}`) : Either.right({ type, columns: intervals - 1 })
}

const local = (text: string): number => Date.parse(`${text}Z`)

const rowStarts = (query: RetentionQuery, calendar: Calendar, step: "hour" | "day" | "week" | "month") => {
  const { zone } = calendar
  const last = instantOfLocal(zone, local(query.rows?.to ?? query.lastInterval ?? ""))
  const first =
    query.rows === undefined
      ? shift(zone, last, 1 - query.intervals, step)
      : instantOfLocal(zone, local(query.rows.from))
  const starts = [first]
  while (starts[starts.length - 1]! < last) starts.push(nextStart(calendar, step, starts[starts.length - 1]!))
  return starts
}

export const mapRetention = (retention: RetentionCase): Mapped<MappedRetention> =>
  Either.gen(function* () {
    const { query } = retention
    const unread = unreadKey(query, keys)
    if (unread !== undefined) return yield* Either.left(`the option ${unread}`)
    const step = stepOf(query.period)
    if (step === null) return yield* Either.left(`the interval ${query.period}`)
    if (query.mode !== "recurring" && query.mode !== "firstTime") return yield* Either.left(`the mode ${query.mode}`)
    const criterion = yield* criterionOf(query)
    const zone = Option.getOrNull(zoneNamed(query.timezone))
    if (zone === null) return yield* Either.left("an unknown zone")
    const calendar = { zone, weekStart: weekStartOf(query.weekStartsOn) }
    const boundaries = rowStarts(query, calendar, step)
    const rows = boundaries.length
    while (boundaries.length < rows + query.intervals) {
      boundaries.push(nextStart(calendar, step, boundaries[boundaries.length - 1]!))
    }
    const events = markersOf(retention)
    const { breakdown } = query
    const unreadBreakdown = unreadKey(breakdown ?? {}, ["type", "key"])
    if (unreadBreakdown !== undefined) return yield* Either.left(`a breakdown with ${unreadBreakdown}`)
    const plan: RetentionPlan = {
      start: yield* selectorOf(query.target, events),
      return: yield* selectorOf(query.returning, events),
      filter: yield* filterOf(query.where, events),
      periods: { step, zone: query.timezone, boundaries },
      firstRow: 0,
      rows,
      startMode: query.mode,
      criterion,
      window: query.timeMode === "24h" ? "rolling24h" : "calendar",
      minimumOccurrences: query.minimumOccurrences ?? 1,
      dateBy: "start",
      breakdowns: breakdown === undefined ? [] : yield* dimensionsOf(breakdown.type, [breakdown.key]),
      breakdownLimit: 25
    }
    return { events, plan }
  })

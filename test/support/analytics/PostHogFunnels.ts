import { Either } from "effect"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { Attribution, FunnelPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { resolve } from "../../../src/domain/analytics/time/TimeRange.ts"
import {
  type Case,
  type Entity,
  type Mapped,
  type Where,
  dimensionsOf,
  filterOf,
  markersOf,
  rangeOf,
  selectorOf,
  unreadKey
} from "./PostHog.ts"
import { stepOf, weekStartOf } from "./PostHogTrends.ts"

interface FunnelQuery {
  readonly order: "ordered" | "strict" | "unordered"
  readonly steps: ReadonlyArray<Entity & { readonly optional?: boolean }>
  readonly window: { readonly value: number; readonly unit: string }
  readonly range: { readonly from: string; readonly to: string }
  readonly timezone: string
  readonly where?: Where
  readonly breakdown?: {
    readonly type: string
    readonly keys: ReadonlyArray<string>
    readonly attribution: string
    readonly attributionStep?: number
    readonly limit?: number
  }
  readonly exclusions?: ReadonlyArray<Entity & { readonly fromStep: number; readonly toStep: number }>
  readonly interval?: string
  readonly weekStartsOn?: string
  readonly fromStep?: number
  readonly toStep?: number
}

interface StepExpected {
  readonly count?: number
  readonly avgSecondsFromPrevious?: number | null
  readonly medianSecondsFromPrevious?: number | null
}

/** Steps count from 0 in `steps`, from 1 in the lists of actors. */
export interface FunnelExpected {
  readonly steps?: Readonly<Record<string, StepExpected>>
  readonly actorsReachingStep?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly actorsDroppedBeforeStep?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly actorCountReachingStep?: Readonly<Record<string, number>>
  readonly actorCountDroppedBeforeStep?: Readonly<Record<string, number>>
  readonly breakdowns?: Readonly<Record<string, FunnelExpected>>
  /** The histogram of times to convert is no question of ours; the means and medians it summarizes are compared. */
  readonly timeToConvertBins?: unknown
}

export type FunnelCase = Case<FunnelQuery, FunnelExpected>

export type FunnelOverTimeCase = Case<
  FunnelQuery,
  {
    readonly buckets: Readonly<
      Record<string, { readonly reachedFrom?: number; readonly reachedTo?: number; readonly conversionRate?: number }>
    >
  }
>

export interface MappedFunnel {
  readonly events: ReadonlyArray<StoredEvent>
  readonly plan: FunnelPlan
}

const keys = [
  "kind",
  "order",
  "steps",
  "window",
  "range",
  "timezone",
  "where",
  "breakdown",
  "exclusions",
  "interval",
  "weekStartsOn",
  "fromStep",
  "toStep"
]

const seconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 }

const attributionOf = (name: string, step: number | undefined): Mapped<Attribution> => {
  if (name === "first_touch") return Either.right({ type: "first" })
  if (name === "last_touch") return Either.right({ type: "last" })
  if (name === "all_events") return Either.right({ type: "all" })
  if (name === "step") return Either.right({ type: "step", step: step ?? 0 })
  return Either.left(`the attribution ${name}`)
}

export const mapFunnel = (funnel: Case<FunnelQuery, unknown>): Mapped<MappedFunnel> =>
  Either.gen(function* () {
    const { query } = funnel
    const unread = unreadKey(query, keys)
    if (unread !== undefined) return yield* Either.left(`the option ${unread}`)
    if (query.steps.length < 2) return yield* Either.left("a funnel of one step")
    const unit = seconds[query.window.unit]
    if (unit === undefined) return yield* Either.left(`a window in ${query.window.unit}s`)
    const step = query.interval === undefined ? "day" : stepOf(query.interval)
    if (step === null) return yield* Either.left(`the interval ${query.interval}`)
    const events = markersOf(funnel)
    const time = yield* Either.mapLeft(
      resolve(
        { step, zone: query.timezone, weekStart: weekStartOf(query.weekStartsOn), span: rangeOf(query.range) },
        0,
        10_000
      ),
      ({ _tag }) => _tag
    )
    const steps: Array<FunnelPlan["steps"][number]> = []
    for (const one of query.steps) {
      steps.push({ selector: yield* selectorOf(one, events), optional: one.optional === true })
    }
    const exclusions: Array<FunnelPlan["exclusions"][number]> = []
    for (const one of query.exclusions ?? []) {
      exclusions.push({ selector: yield* selectorOf(one, events), fromStep: one.fromStep, toStep: one.toStep })
    }
    const { breakdown } = query
    const unreadBreakdown = unreadKey(breakdown ?? {}, ["type", "keys", "attribution", "attributionStep", "limit"])
    if (unreadBreakdown !== undefined) return yield* Either.left(`a breakdown with ${unreadBreakdown}`)
    const plan: FunnelPlan = {
      range: query.interval === undefined ? rangeOf(query.range) : time.range,
      steps,
      order: query.order,
      window: query.window.value * unit * 1000,
      exclusions,
      holdConstant: [],
      filter: yield* filterOf(query.where, events),
      breakdowns: breakdown === undefined ? [] : yield* dimensionsOf(breakdown.type, breakdown.keys),
      breakdownLimit: breakdown?.limit ?? 25,
      attribution:
        breakdown === undefined
          ? { type: "first" }
          : yield* attributionOf(breakdown.attribution, breakdown.attributionStep),
      overTime: query.interval === undefined ? null : time.buckets
    }
    return { events, plan }
  })

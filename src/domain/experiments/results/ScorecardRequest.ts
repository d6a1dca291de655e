import { Either, Option } from "effect"
import { type Checked, problem } from "../../analytics/question/QueryProblem.ts"
import { calendarEnd, calendarStart } from "../../analytics/time/TimeRange.ts"
import { type Calendar, nextStart, startOf } from "../../Calendar.ts"
import type { ExperimentId } from "../../Ids.ts"
import { zoneNamed } from "../../Zone.ts"
import type { PlannedMetric, ScorecardPlan } from "./ScorecardPlan.ts"
import { dayMillis } from "../../Durations.ts"

/** A request for a scorecard. Instants are epoch ms. */
export interface ScorecardRequest {
  readonly experimentId: ExperimentId
  readonly unitType: ScorecardPlan["unitType"]
  readonly groupIds: ScorecardPlan["groupIds"]
  readonly startsAt: number
  /** The starts of the phases, ascending; empty before the experiment starts. */
  readonly phases: ReadonlyArray<number>
  readonly metrics: ReadonlyArray<PlannedMetric>
  readonly multipleExposure: ScorecardPlan["multipleExposure"]
  /** Null: from the first exposure on. */
  readonly from: number | null
  /** Null: until the experiment's end, or now if it has not ended. */
  readonly to: number | null
  /** When the experiment ended; null before. */
  readonly endedAt: number | null
  readonly now: number
  /** The IANA zone that determines days. */
  readonly zone: string
}

const minute = 60_000
/** Days before a unit's first exposure whose markers CUPED adjusts by. */
export const priorDays = 14
const lookBackDays = 400
const maxDays = 1000

/** The present, rounded up to the minute (epoch ms): the same question can be answered from the cache for that long. */
export const roundedUp = (now: number): number => Math.ceil(now / minute) * minute

/**
 * Where the range ends: null for now. Unless the request says it, with the experiment: what players do once all have the base again says
 * nothing of its groups, and a p-value for one look would be looked at again with every later marker. A range that begins after it ends now.
 */
const endingOf = ({ from, to, endedAt }: ScorecardRequest): number | null =>
  to ?? (endedAt !== null && endedAt > (from ?? -Infinity) ? endedAt : null)

/** The starts of the days of [from, to), at most the last 1,000. */
export const daysOf = (calendar: Calendar, from: number, to: number): ReadonlyArray<number> => {
  const days = [startOf(calendar, "day", Math.max(from, to - maxDays * dayMillis))]
  for (let at = nextStart(calendar, "day", days[0]!); at < to; at = nextStart(calendar, "day", at)) days.push(at)
  return days
}

/**
 * Plans a scorecard, or tells why it cannot be asked. Days go back to the experiment's start or 400 days, whichever is
 * earlier, but at most 1,000. The present is rounded up to the minute, so that the same question can be answered from
 * the cache for that long.
 */
export const planScorecard = (request: ScorecardRequest): Checked<ScorecardPlan> => {
  const { experimentId, unitType, groupIds, startsAt, phases, metrics, multipleExposure, from, now, zone } = request
  const ending = endingOf(request)
  const to = ending ?? now + 1
  const first = from ?? Math.max(calendarStart, Math.min(startsAt, to - lookBackDays * dayMillis))
  if (first >= to) return problem("timeRange", "to: must lie after from")
  if (first < calendarStart || to > calendarEnd)
    return problem("timeRange", "from, to: lie between the years 1900 and 9999")
  const found = zoneNamed(zone)
  if (Option.isNone(found)) return problem("timeZone", `there is no time zone ${zone}`)
  return Either.right({
    experimentId,
    unitType,
    groupIds,
    range: { from: from ?? -Infinity, to },
    multipleExposure,
    metrics,
    priorLength: priorDays * dayMillis,
    asOf: Math.min(ending ?? Infinity, roundedUp(now)),
    phases: phases.length === 0 ? [startsAt] : phases,
    days: daysOf({ zone: found.value, weekStart: 0 }, first, to)
  })
}

import { type StoredEvent, valueNamed } from "../../analytics/markers/Event.ts"
import { selectorTest } from "../../analytics/filter/Selector.ts"
import { exactSum } from "../../analytics/insight/Sum.ts"
import { funnelMarkers, unitFunnel } from "../../analytics/funnel/UnitFunnel.ts"
import { numberOf } from "../../analytics/filter/Value.ts"
import type {
  Amount,
  AmountMetric,
  FunnelMetric,
  PlannedMetric,
  ScorecardPlan,
  ExposureWindow
} from "./ScorecardPlan.ts"

/** A unit's result for a metric. */
export interface UnitOutcome {
  readonly values: ReadonlyArray<number>
  readonly hasPrior: boolean
}

/**
 * Computes a unit's result from its markers, in any order, and the time of its first exposure (epoch ms); null while
 * the unit does not count yet.
 */
type OutcomeOf = (unitId: string, own: ReadonlyArray<StoredEvent>, exposedAt: number) => UnitOutcome | null

/** Whether a unit was exposed long enough ago to count. */
export const isCounted = ({ countsAfter }: ExposureWindow, exposedAt: number, asOf: number): boolean =>
  exposedAt + countsAfter <= asOf

const measured = ({ selector, filter, argument }: Amount) => {
  const isSelected = selectorTest(selector, filter)
  const valueOf = (event: StoredEvent): number | null =>
    argument === null ? 1 : numberOf(valueNamed(event.arguments, argument))
  return (own: ReadonlyArray<StoredEvent>, from: number, to: number): ReadonlyArray<number> =>
    own
      .filter((event) => event.timestamp >= from && event.timestamp < to && isSelected(event))
      .map(valueOf)
      .filter((value) => value !== null)
}

type Measured = ReturnType<typeof measured>

/** The values of the interval with the largest sum, of those that have any; intervals of a length follow each other from `from` on. */
const ofBestInterval =
  (measure: Measured, length: number): Measured =>
  (own, from, to) => {
    const intervals = new Set(own.map(({ timestamp }) => Math.floor((timestamp - from) / length)))
    const each = [...intervals].map((interval) => {
      const start = from + interval * length
      return measure(own, Math.max(from, start), Math.min(to, start + length))
    })
    return each.filter((values) => values.length > 0).sort((a, b) => exactSum(b) - exactSum(a))[0] ?? []
  }

const ofAmounts = ({ amounts, atLeast, window, interval }: AmountMetric, plan: ScorecardPlan): OutcomeOf => {
  const measures = amounts.map(measured)
  const counted = interval === undefined ? measures : measures.map((measure) => ofBestInterval(measure, interval))
  const sum = (values: ReadonlyArray<number>): number => {
    const total = exactSum(values)
    return atLeast === null ? total : total >= atLeast ? 1 : 0
  }
  return (_, own, exposedAt) => {
    if (!isCounted(window, exposedAt, plan.asOf)) return null
    const after = counted.map((measure) => measure(own, exposedAt + window.from, exposedAt + window.to))
    const before = measures.map((measure) => measure(own, exposedAt - plan.priorLength, exposedAt))
    return { values: [...after, ...before].map(sum), hasPrior: before.some((values) => values.length > 0) }
  }
}

const ofFunnel = ({ funnel }: FunnelMetric): OutcomeOf => {
  const always = { ...funnel, range: { from: -Infinity, to: Infinity }, overTime: null, breakdowns: [] }
  const markersOf = funnelMarkers(always)
  const run = unitFunnel(always)
  return (unitId, own, exposedAt) => {
    const markers = markersOf(own.filter(({ timestamp }) => timestamp >= exposedAt)).map((marker) => ({
      ...marker,
      event: { ...marker.event, unitId }
    }))
    return { values: [run(unitId, markers).reached === funnel.steps.length ? 1 : 0], hasPrior: false }
  }
}

/** Returns a function that computes the result of a metric for one unit. */
export const unitOutcome = (metric: PlannedMetric, plan: ScorecardPlan): OutcomeOf =>
  metric.type === "funnel" ? ofFunnel(metric) : ofAmounts(metric, plan)

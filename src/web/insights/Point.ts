import type { BodyOf } from "../api/Endpoints.ts"
import type { Answer } from "../api/Wire.ts"
import type { MeasureName } from "../builder/Measures.ts"
import type { FieldSource } from "../builder/Filters.ts"
import { countText, numberText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { bucketName } from "../text/Times.ts"
import { frozenTime } from "../who/Frozen.ts"
import type { ChartNumber } from "../who/Number.ts"
import type { InsightDraft } from "./Question.ts"
import type { ShownSeries } from "./Series.ts"

/** A number of an answer that somebody chose. */
export interface SeriesPoint {
  readonly series: ShownSeries
  /** The index of a bucket; null for the whole period. */
  readonly bucket: number | null
}

/** A point, and where its menu opens. */
export interface Chosen {
  readonly point: SeriesPoint
  readonly place: DOMRect
}

type Insight = Answer<"queries.insights">

/** Measures whose numbers are numbers of players. */
const countsPlayers: ReadonlySet<MeasureName> = new Set(["uniqueUsers", "firstTimeUsers", "dau", "wau", "mau"])

const valueAt = ({ series, bucket }: SeriesPoint): number | null | undefined =>
  bucket === null ? series.aggregate : series.values[bucket]

/** The number in words: `21 players · ios · Sun 8 Nov`. */
export const pointWords = (point: SeriesPoint, answer: Insight, isGrouped: boolean): string => {
  const { series, bucket } = point
  const value = valueAt(point)
  const isCounted = series.metric !== null && countsPlayers.has(series.metric.measure)
  const instant = bucket === null ? undefined : answer.buckets[bucket]
  return [
    isCounted && typeof value === "number" ? countText(value, "player") : `Players behind ${numberText(value)}`,
    ...(isGrouped || !isCounted ? [series.name] : []),
    instant === undefined ? "whole period" : bucketName(instant, answer.time.step, answer.time.timezone)
  ].join(" · ")
}

const valueNames: Partial<Readonly<Record<MeasureName, string>>> = {
  totalEvents: "Times",
  totalSessions: "Sessions",
  frequencyPerUser: "Times"
}

/** Why nobody can be named behind the point; null where somebody can. */
export const namelessBecause = (
  { series: { metric }, bucket }: SeriesPoint,
  { smoothing }: InsightDraft
): string | null =>
  metric === null
    ? "A formula counts no players: choose one of its metrics"
    : smoothing > 1 && bucket !== null
      ? "A moving average counts the players of several periods"
      : null

/** What a player's own value is called beside the list. */
export const valueWords = ({ series: { metric } }: SeriesPoint): string =>
  metric === null || countsPlayers.has(metric.measure) ? "Times" : (valueNames[metric.measure] ?? "Value")

/** The number as the server finds it again, over the time of the answer. */
export const numberOf = (
  { series, bucket }: SeriesPoint,
  { time, buckets }: Insight,
  spec: BodyOf<"queries.insights">
): ChartNumber | null => {
  if (series.metric === null) return null
  return {
    queryType: "insight",
    spec: { ...spec, time: frozenTime(spec.time, time) },
    select: {
      metricId: series.metric.id,
      bucket: bucket === null ? null : (buckets[bucket] ?? null),
      breakdown: series.breakdown
    }
  }
}

const dayOf = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone }).format(instant)

const narrower: Readonly<Record<Step, Step | null>> = { hour: null, day: "hour", week: "day", month: "day" }

/** The bucket as a period of its own, in narrower steps; null where there are none. */
export const opened = ({ bucket }: SeriesPoint, { buckets, time }: Insight) => {
  const step = narrower[time.step]
  const start = bucket === null ? undefined : buckets[bucket]
  if (step === null || bucket === null || start === undefined) return null
  const end = Date.parse(buckets[bucket + 1] ?? time.to) - 1
  const from = dayOf(Date.parse(start), time.timezone)
  return { step, period: { kind: "dates" as const, from, to: dayOf(end, time.timezone) } }
}

/** Whether a group has the values of a list, which the server writes as JSON. */
const isOfList = (group: ShownSeries["group"]): boolean => typeof group === "string" && /^\[.*\]$/s.test(group)

/** Why no filter can choose the point's group; null where one can, and where there is no group. */
export const unfilteredBecause = (
  { series: { group } }: SeriesPoint,
  { by, filters, match }: InsightDraft
): string | null => {
  if (by === null || group === undefined) return null
  if (match === "any" && filters.length > 0) return "The filters are joined by “or”"
  return isOfList(group) ? "Filters look at the elements of a list, not at all of it" : null
}

/** A condition that joins the others; null where the point has no group, or no filter can choose it. */
export const groupFilter = (point: SeriesPoint, question: InsightDraft, isKept: boolean) => {
  const { group } = point.series
  const { by } = question
  if (by === null || group === undefined || unfilteredBecause(point, question) !== null) return null
  const named: { readonly source: FieldSource; readonly name: string } = { source: by.source, name: by.name }
  return group === null
    ? { ...named, operator: isKept ? ("isNotSet" as const) : ("isSet" as const), values: [] }
    : { ...named, operator: isKept ? ("is" as const) : ("isNot" as const), values: [String(group)] }
}

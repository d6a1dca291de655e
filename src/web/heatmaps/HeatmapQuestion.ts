import type { BodyOf } from "../api/Endpoints.ts"
import { today } from "../builder/Days.ts"
import type { FilterState } from "../builder/Filters.ts"
import { filteringBody, filteringWords, filterOf, filterText } from "../builder/Filters.ts"
import type { Period } from "../builder/Period.ts"
import { movedPeriod, periodOf, periodText, periodWords, stepFor, timeBefore, timeBody } from "../builder/Period.ts"
import type { Step } from "../text/Times.ts"
import type { Codec } from "../url/Codec.ts"
import type { HeatmapComparison, Side } from "./Comparison.ts"
import { comparisonOf, comparisonText, comparisonWords, sideFilters } from "./Comparison.ts"
import type { Edges } from "./Grid.ts"
import type { RampName } from "./Ramp.ts"
import { ramps } from "./Ramp.ts"

export type HeatmapBody = BodyOf<"queries.heatmaps">

/** Cells along the longer side that the page offers. */
export const cellChoices = [32, 64, 128, 256] as const

const standardCells = 64
/** Bars that a picture in three dimensions can hold along a side. */
export const mostBars = 128
export const mostBlur = 6
const standardBlur = 1
const standardOpacity = 80

/** What the page of a heatmap asks and how it shows the answer. */
export interface HeatmapQuestion {
  /** Id of the map; empty where the page lists all of them. */
  readonly map: string
  /** Empty until one is chosen. */
  readonly marker: string
  readonly counts: "markers" | "players"
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
  /** Heights in world Y, both within; null where that side is open. */
  readonly low: number | null
  readonly high: number | null
  readonly period: Period
  readonly cells: number
  readonly comparison: HeatmapComparison | null
  /** By what the two sides of a comparison are divided before one is taken from the other. */
  readonly per: "players" | "share"
  /** The part of the world that is looked at closer. */
  readonly area: Edges | null
  readonly view: "flat" | "bars"
  /** Percent. */
  readonly opacity: number
  /** Cells. */
  readonly blur: number
  readonly ramp: RampName
}

const standardPeriod: Period = { kind: "relative", step: "day", value: 14 }

/** A whole number within limits, or the standard where the text is none. */
const wholeOf = (text: string | null, least: number, most: number, standard: number): number => {
  const value = Number(text ?? standard)
  return Number.isInteger(value) && value >= least && value <= most ? value : standard
}

const largestCoordinate = 1e12

const coordinateOf = (text: string | undefined): number | null => {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text)
  return Math.abs(value) <= largestCoordinate ? value : null
}

const edgesOf = (text: string): Edges | null => {
  const [x = null, z = null, toX = null, toZ = null] = text.split(",").map(coordinateOf)
  return x === null || z === null || toX === null || toZ === null ? null : [x, z, toX, toZ]
}

/** `?map=…&m=PlayerDied&y=0..20&vs=period&area=-10,4,20,30&view=bars` */
export const heatmapCodec: Codec<HeatmapQuestion> = {
  read: (parameters) => {
    const [low, high] = (parameters.get("y") ?? "").split("..").map(coordinateOf)
    const cells = Number(parameters.get("cells"))
    return {
      map: parameters.get("map") ?? "",
      marker: parameters.get("m") ?? "",
      counts: parameters.get("of") === "players" ? "players" : "markers",
      filters: parameters.getAll("f").flatMap((text) => filterOf(text) ?? []),
      match: parameters.get("match") === "any" ? "any" : "all",
      low: low ?? null,
      high: high ?? null,
      period: periodOf(parameters.get("range") ?? "") ?? standardPeriod,
      cells: cellChoices.find((each) => each === cells) ?? standardCells,
      comparison: comparisonOf(parameters.get("vs") ?? ""),
      per: parameters.get("per") === "share" ? "share" : "players",
      area: edgesOf(parameters.get("area") ?? ""),
      view: parameters.get("view") === "bars" ? "bars" : "flat",
      opacity: wholeOf(parameters.get("opacity"), 10, 100, standardOpacity),
      blur: wholeOf(parameters.get("blur"), 0, mostBlur, standardBlur),
      ramp: ramps.find((ramp) => ramp === parameters.get("ramp")) ?? "fire"
    }
  },
  write: (question) => {
    const parameters = new URLSearchParams()
    const { map, marker, low, high, comparison, area } = question
    if (map !== "") parameters.set("map", map)
    if (marker !== "") parameters.set("m", marker)
    if (question.counts === "players") parameters.set("of", "players")
    for (const filter of question.filters) parameters.append("f", filterText(filter))
    if (question.match === "any") parameters.set("match", "any")
    if (low !== null || high !== null) parameters.set("y", `${low ?? ""}..${high ?? ""}`)
    const range = periodText(question.period)
    if (range !== periodText(standardPeriod)) parameters.set("range", range)
    if (question.cells !== standardCells) parameters.set("cells", String(question.cells))
    if (comparison !== null) parameters.set("vs", comparisonText(comparison))
    if (question.per === "share") parameters.set("per", "share")
    if (area !== null) parameters.set("area", area.join(","))
    if (question.view === "bars") parameters.set("view", "bars")
    if (question.opacity !== standardOpacity) parameters.set("opacity", String(question.opacity))
    if (question.blur !== standardBlur) parameters.set("blur", String(question.blur))
    if (question.ramp !== "fire") parameters.set("ramp", question.ramp)
    return parameters
  }
}

const heightsOf = ({ low, high }: HeatmapQuestion) =>
  low === null && high === null ? {} : { y: [low ?? -largestCoordinate, high ?? largestCoordinate] as const }

/** Whether the heights are upside down, so that none lies between them. */
export const isUpsideDown = ({ low, high }: HeatmapQuestion): boolean => low !== null && high !== null && low > high

/**
 * The time that a side of the question is about. A map has no buckets: of what is compared, periods begin with a day or an hour, so that the
 * one before ends right there.
 */
const timeOf = (
  { period, comparison }: HeatmapQuestion,
  side: Side,
  timeZone: string,
  now: string,
  instant: number | undefined
) => {
  if (comparison?.kind !== "period") return timeBody(period, stepFor(period), timeZone, now)
  const step: Step = period.kind === "relative" && period.step === "hour" ? "hour" : "day"
  if (side === "first") return timeBody(period, step, timeZone, now)
  return period.kind === "relative"
    ? { step, ...timeBefore(period, timeZone, now, instant) }
    : timeBody(movedPeriod(period, -1, now), step, timeZone, now)
}

/** The question, or a side of its comparison, as the API takes it; null while a part of it is missing. */
export const heatmapBody = (
  question: HeatmapQuestion,
  timeZone: string,
  side: Side = "first",
  now = today(timeZone),
  instant?: number
): HeatmapBody | null => {
  const { map, marker, comparison } = question
  if (map === "" || marker === "" || isUpsideDown(question)) return null
  const own = comparison === null ? [] : sideFilters(comparison, side)
  return {
    time: timeOf(question, side, timeZone, now, instant),
    metrics: [{ id: "A", data: { type: "totalEvents", name: marker, ...(own.length === 0 ? {} : { filters: own }) } }],
    heatmapData: { id: map, ...heightsOf(question) },
    ...filteringBody(question),
    options: {
      display: question.counts === "players" ? "unique" : "count",
      cells: question.view === "bars" ? Math.min(mostBars, question.cells) : question.cells,
      points: "columns"
    }
  }
}

const heightWords = ({ low, high }: HeatmapQuestion): ReadonlyArray<string> => {
  if (low === null && high === null) return []
  if (low === null) return [`up to height ${high}`]
  return [high === null ? `from height ${low} on` : `between the heights ${low} and ${high}`]
}

/** The question in one sentence. */
export const heatmapWords = (question: HeatmapQuestion): string => {
  const filtered = filteringWords(question)
  const what = question.marker === "" ? "…" : question.marker
  return [
    question.counts === "players" ? `Where players have ${what}` : `Where ${what} happens`,
    ...(filtered === "" ? [] : [`where ${filtered}`]),
    ...heightWords(question),
    ...(question.comparison === null ? [] : [comparisonWords(question.comparison)]),
    periodWords(question.period)
  ].join(", ")
}

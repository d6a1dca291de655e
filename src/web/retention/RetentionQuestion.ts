import type { BodyOf } from "../api/Endpoints.ts"
import type { Codec } from "../url/Codec.ts"
import type { Benchmark } from "./Benchmark.ts"
import { benchmarksOf, benchmarksText } from "./Benchmark.ts"
import { joinList, splitList } from "../url/Parts.ts"

export const intervals = ["day", "week", "month"] as const
export type Interval = (typeof intervals)[number]

/** What the page of retention asks. Markers are empty until one is chosen. */
export interface RetentionQuestion {
  readonly start: string
  readonly back: string
  readonly interval: Interval
  /** Columns of the grid: intervals after the first marker. */
  readonly count: number
  /** Rows of the grid: intervals in which players began. Null: as many as columns. */
  readonly rows: number | null
  /** Beginnings of the rows that stand in the curve beside the average. */
  readonly picked: ReadonlyArray<string>
  /** What the studio wants to reach, by interval. */
  readonly benchmarks: ReadonlyArray<Benchmark>
}

const standardCount = 14
/** As the API has it. */
const mostColumns = 180
const mostRows = 366

const countOf = (text: string | null, most: number): number | null => {
  const count = Number(text ?? "")
  return Number.isInteger(count) && count >= 1 && count <= most ? count : null
}

/** Rows of the grid. */
export const rowsIn = ({ rows, count }: RetentionQuestion): number => rows ?? count

/** Rows that can be picked for the curve: as many as there are colours. */
export const mostPicked = 8

export const retentionCodec: Codec<RetentionQuestion> = {
  read: (parameters) => {
    const count = countOf(parameters.get("for"), mostColumns) ?? standardCount
    const rows = countOf(parameters.get("of"), mostRows)
    return {
      start: parameters.get("start") ?? "",
      back: parameters.get("back") ?? "",
      interval: intervals.find((each) => each === parameters.get("by")) ?? "day",
      count,
      rows: rows === count ? null : rows,
      picked: splitList(parameters.get("rows") ?? "").slice(0, mostPicked),
      benchmarks: benchmarksOf(parameters.get("goal") ?? "")
    }
  },
  write: ({ start, back, interval, count, rows, picked, benchmarks }) => {
    const parameters = new URLSearchParams()
    if (start !== "") parameters.set("start", start)
    if (back !== "") parameters.set("back", back)
    if (interval !== "day") parameters.set("by", interval)
    if (count !== standardCount) parameters.set("for", String(count))
    if (rows !== null) parameters.set("of", String(rows))
    if (picked.length > 0) parameters.set("rows", joinList(picked))
    if (benchmarks.length > 0) parameters.set("goal", benchmarksText(benchmarks))
    return parameters
  }
}

/** The question as the API takes it; null while a marker is missing. */
export const retentionBody = (question: RetentionQuestion): BodyOf<"queries.retention"> | null => {
  const { start, back, interval, count } = question
  return start === "" || back === ""
    ? null
    : {
        time: { step: interval, relative: { step: interval, value: rowsIn(question) } },
        start: { name: start },
        return: { name: back },
        interval,
        intervals: count,
        startMode: "firstTime"
      }
}

const intervalsText = (count: number, interval: Interval): string =>
  count === 1 ? `the last ${interval}` : `the last ${count} ${interval}s`

/** The question in one sentence. */
export const retentionWords = (question: RetentionQuestion): string => {
  const { start, back, interval, count, rows } = question
  const began = intervalsText(rowsIn(question), interval)
  const followed = rows === null ? "" : `, followed for ${count} ${interval}${count === 1 ? "" : "s"}`
  return `Players whose first ${start || "…"} was in ${began} and who come back with ${back || "…"}, by ${interval}${followed}`
}

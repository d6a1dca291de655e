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
  /** Rows and columns of the grid. */
  readonly count: number
  /** Beginnings of the rows that stand in the curve beside the average. */
  readonly picked: ReadonlyArray<string>
  /** What the studio wants to reach, by interval. */
  readonly benchmarks: ReadonlyArray<Benchmark>
}

const standardCount = 14
const mostColumns = 31

/** Rows that can be picked for the curve: as many as there are colours. */
export const mostPicked = 8

export const retentionCodec: Codec<RetentionQuestion> = {
  read: (parameters) => {
    const count = Number(parameters.get("for") ?? standardCount)
    return {
      start: parameters.get("start") ?? "",
      back: parameters.get("back") ?? "",
      interval: intervals.find((each) => each === parameters.get("by")) ?? "day",
      count: Number.isInteger(count) && count >= 2 && count <= mostColumns ? count : standardCount,
      picked: splitList(parameters.get("rows") ?? "").slice(0, mostPicked),
      benchmarks: benchmarksOf(parameters.get("goal") ?? "")
    }
  },
  write: ({ start, back, interval, count, picked, benchmarks }) => {
    const parameters = new URLSearchParams()
    if (start !== "") parameters.set("start", start)
    if (back !== "") parameters.set("back", back)
    if (interval !== "day") parameters.set("by", interval)
    if (count !== standardCount) parameters.set("for", String(count))
    if (picked.length > 0) parameters.set("rows", joinList(picked))
    if (benchmarks.length > 0) parameters.set("goal", benchmarksText(benchmarks))
    return parameters
  }
}

/** The question as the API takes it; null while a marker is missing. */
export const retentionBody = ({
  start,
  back,
  interval,
  count
}: RetentionQuestion): BodyOf<"queries.retention"> | null =>
  start === "" || back === ""
    ? null
    : {
        time: { step: interval, relative: { step: interval, value: count } },
        start: { name: start },
        return: { name: back },
        interval,
        intervals: count,
        startMode: "firstTime"
      }

/** The question in one sentence. */
export const retentionWords = ({ start, back, interval, count }: RetentionQuestion): string =>
  `Players whose first ${start || "…"} was in the last ${count} ${interval}s and who come back with ${back || "…"}, by ${interval}`

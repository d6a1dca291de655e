import type { BodyOf } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import type { ExportKind } from "../export/HandOut.ts"
import { handOut } from "../export/HandOut.ts"
import type { TableCell } from "../../domain/analytics/table/Table.ts"
import { bucketName, stampText } from "../text/Times.ts"
import type { RetentionSeries } from "./Cells.ts"
import { curveLines, statesOf } from "./Cells.ts"
import type { Interval, RetentionQuestion } from "./RetentionQuestion.ts"
import { retentionWords } from "./RetentionQuestion.ts"

interface Exported {
  readonly series: RetentionSeries
  readonly question: RetentionQuestion
  readonly body: BodyOf<"queries.retention">
  readonly where: Where
  readonly timezone: string
}

/** The grid as a table: players and percent of each interval. What has not begun is empty, what is not over holds the numbers so far. */
export const retentionRows = (
  { cohorts, total }: RetentionSeries,
  interval: Interval,
  now: number,
  timezone: string
): ReadonlyArray<ReadonlyArray<TableCell>> => [
  [
    "begins",
    "players",
    ...total.values.flatMap((each) => [`${interval} ${each.interval}`, `${interval} ${each.interval} %`])
  ],
  ...cohorts.map(({ start, size, values }) => {
    const states = statesOf(start, values, interval, now)
    return [
      stampText(start, timezone),
      size,
      ...values.flatMap(({ count, rate }, index) =>
        size === 0 || states[index] === "ahead" ? [null, null] : [count, rate]
      )
    ]
  })
]

/** Hands an answer of retention to its reader; what happened, in words. */
export const exportRetention = (
  kind: ExportKind,
  { series, question, body, where, timezone }: Exported
): Promise<string> => {
  const { interval, picked, benchmarks } = question
  const lines = curveLines(series, picked, (start) => bucketName(start, interval, timezone))
  const benchmark = benchmarks.length === 0 ? [] : [{ name: "Benchmark", color: "accent" as const }]
  return handOut(kind, {
    name: "retention",
    where,
    endpoint: "queries.retention",
    body,
    rows: () => retentionRows(series, interval, Date.now(), timezone),
    drawing: () => document.querySelector<SVGSVGElement>(".retention-curve svg"),
    words: () => ({
      title: "Retention",
      sentence: retentionWords(question),
      legend: [...lines.map(({ name, color }) => ({ name, color })), ...benchmark]
    })
  })
}

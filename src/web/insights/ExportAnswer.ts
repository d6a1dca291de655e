import type { BodyOf } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"
import type { ExportKind } from "../export/HandOut.ts"
import { handOut } from "../export/HandOut.ts"
import { stampText } from "../text/Times.ts"
import { questionWords } from "./Ask.ts"
import type { InsightDraft } from "./Question.ts"
import type { ShownSeries } from "./Series.ts"
import { shownSeries } from "./Series.ts"
import type { TableCell } from "../../domain/analytics/table/Table.ts"

interface Exported {
  readonly answer: Answer<"queries.insights">
  readonly question: InsightDraft
  /** The looks that series have on the page. */
  readonly colors: Map<string, number>
  readonly body: BodyOf<"queries.insights">
  readonly where: Where
}

/**
 * The table of an answer: a row for each bucket, a column for each series, and behind it one for its values in the previous period where these
 * were asked for, each beside the bucket that it is compared with.
 */
export const insightRows = (
  { buckets, time, series: answered }: Answer<"queries.insights">,
  series: ReadonlyArray<Pick<ShownSeries, "name">>
): ReadonlyArray<ReadonlyArray<TableCell>> => {
  const columns = answered.flatMap(({ values, compare }, at) => {
    const name = series[at]?.name ?? ""
    const own = { name, values }
    return compare === undefined ? [own] : [own, { name: `${name} (previous period)`, values: compare.values }]
  })
  return [
    ["begins", ...columns.map(({ name }) => name)],
    ...buckets.map((bucket, index) => [
      stampText(bucket, time.timezone),
      ...columns.map(({ values }) => values[index] ?? null)
    ])
  ]
}

/** Hands an answer of insights to its reader; what happened, in words. */
export const exportAnswer = (
  kind: ExportKind,
  { answer, question, colors, body, where }: Exported
): Promise<string> => {
  const series = shownSeries(answer, question, colors)
  return handOut(kind, {
    name: "insight",
    where,
    endpoint: "queries.insights",
    body,
    rows: () => insightRows(answer, series),
    drawing: () => document.querySelector<SVGSVGElement>(".chart svg"),
    words: () => ({
      title: "Insights",
      sentence: questionWords(question),
      legend: series.filter(({ isHidden }) => !isHidden).map(({ name, color }) => ({ name, color }))
    })
  })
}

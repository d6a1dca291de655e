import type { BodyOf } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"
import type { ExportKind } from "../export/HandOut.ts"
import { handOut } from "../export/HandOut.ts"
import { stampText } from "../text/Times.ts"
import { questionWords } from "./Ask.ts"
import type { InsightDraft } from "./Question.ts"
import { shownSeries } from "./Series.ts"

interface Exported {
  readonly answer: Answer<"queries.insights">
  readonly question: InsightDraft
  /** The looks that series have on the page. */
  readonly colors: Map<string, number>
  readonly body: BodyOf<"queries.insights">
  readonly where: Where
}

/** Hands an answer of insights to its reader; what happened, in words. */
export const exportAnswer = (
  kind: ExportKind,
  { answer, question, colors, body, where }: Exported
): Promise<string> => {
  const series = shownSeries(answer, question, colors)
  const { timezone } = answer.time
  return handOut(kind, {
    name: "insight",
    where,
    endpoint: "queries.insights",
    body,
    rows: () => [
      ["begins", ...series.map(({ name }) => name)],
      ...answer.buckets.map((bucket, index) => [
        stampText(bucket, timezone),
        ...series.map(({ values }) => values[index] ?? null)
      ])
    ],
    drawing: () => document.querySelector<SVGSVGElement>(".chart svg"),
    words: () => ({
      title: "Insights",
      sentence: questionWords(question),
      legend: series.filter(({ isHidden }) => !isHidden).map(({ name, color }) => ({ name, color }))
    })
  })
}

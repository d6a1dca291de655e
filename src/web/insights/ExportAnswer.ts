import type { BodyOf } from "../api/Endpoints.ts"
import { endpoints } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"
import { pngOf, svgText } from "../charts/Picture.ts"
import { csvOf } from "../text/Csv.ts"
import { curlText } from "../text/Curl.ts"
import { download } from "../text/Download.ts"
import type { Question } from "./Question.ts"
import { shownSeries } from "./Series.ts"

interface Exported {
  readonly answer: Answer<"queries.insights">
  readonly question: Question
  readonly body: BodyOf<"queries.insights">
  readonly sentence: string
  readonly where: Where
}

const csv = ({ answer, question }: Exported): string => {
  const series = shownSeries(answer, question, new Map())
  const head = ["begins", ...series.map(({ name }) => name)]
  const rows = answer.buckets.map((bucket, index) => [bucket, ...series.map(({ values }) => values[index] ?? null)])
  return csvOf([head, ...rows])
}

const legendOf = ({ answer, question }: Exported) =>
  shownSeries(answer, question, new Map())
    .filter(({ isHidden }) => !isHidden)
    .map(({ name, color }) => ({ name, color }))

/** Hands the answer to its reader in one of its forms; what happened, in words. */
export const exportAnswer = async (kind: "png" | "svg" | "csv" | "curl", exported: Exported): Promise<string> => {
  if (kind === "csv") {
    download("insight.csv", "text/csv", csv(exported))
    return "The table is downloaded"
  }
  if (kind === "curl") {
    const { applicationId, environmentId } = exported.where
    const [method = "", path = ""] = endpoints["queries.insights"].split(" ")
    const address = location.origin + path.replace(":applicationId", String(applicationId))
    await navigator.clipboard.writeText(curlText({ method, address, environmentId, body: exported.body }))
    return "The line is copied"
  }
  const chart = document.querySelector<SVGSVGElement>(".chart svg")
  if (chart === null) return "There is no chart to export"
  const svg = svgText(chart, { title: "Insights", sentence: exported.sentence, legend: legendOf(exported) })
  if (kind === "svg") download("insight.svg", "image/svg+xml", svg)
  else download("insight.png", "image/png", await pngOf(svg))
  return "The picture is downloaded"
}

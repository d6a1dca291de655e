import { stepFor } from "../builder/Period.ts"
import type { Kind } from "../saved/Kind.ts"
import { filtersIn, periodIn } from "../saved/Reading.ts"
import { asksTheSame } from "../saved/Same.ts"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"
import { cellChoices, heatmapBody, heatmapCodec, heatmapWords } from "./HeatmapQuestion.ts"

/** Heights that stand for none. */
const isFar = (height: number): boolean => Math.abs(height) >= 1e12

const heightIn = (height: number | undefined): number | null => (height === undefined || isFar(height) ? null : height)

/**
 * Questions of heatmaps, as they are saved and read again. A comparison is two questions and is not saved; how the map is drawn belongs to
 * the address.
 */
export const heatmapKind: Kind<HeatmapQuestion> = {
  queryType: "heatmap",
  codec: heatmapCodec,
  words: heatmapWords,
  definition: (question, timeZone) => {
    const spec = question.comparison === null ? heatmapBody(question, timeZone) : null
    return spec === null ? null : { queryType: "heatmap", spec }
  },
  read: (saved, timeZone) => {
    if (saved.queryType !== "heatmap") return null
    const { spec } = saved
    const period = periodIn(spec.time, timeZone)
    const filters = filtersIn(spec.filters)
    if (period === null || filters === null) return null
    const { cells, display } = spec.options
    const [low, high] = spec.heatmapData.y ?? []
    const question: HeatmapQuestion = {
      ...heatmapCodec.read(new URLSearchParams()),
      map: spec.heatmapData.id,
      marker: String(spec.metrics[0].data.name),
      counts: display === "unique" ? "players" : "markers",
      filters,
      match: spec.match,
      low: heightIn(low),
      high: heightIn(high),
      period,
      cells: cellChoices.find((each) => each === cells) ?? 64
    }
    const body = heatmapBody(question, timeZone)
    // Density and counts make the same picture, and the number of cells changes how fine it is.
    const metrics = spec.metrics.map((metric) => ({ ...metric, data: { ...metric.data, type: "totalEvents" } }))
    const asked = { ...spec, metrics, options: {}, time: { ...spec.time, step: stepFor(period) } }
    return body !== null && asksTheSame(asked, { ...body, options: {} }) ? question : null
  },
  essence: (question) => ({
    ...question,
    area: null,
    view: "flat",
    opacity: 80,
    blur: 1,
    ramp: "fire"
  })
}

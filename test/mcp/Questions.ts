import { funnelKind } from "../../src/web/funnels/FunnelKind.ts"
import { heatmapKind } from "../../src/web/heatmaps/HeatmapKind.ts"
import { insightKind } from "../../src/web/insights/InsightKind.ts"
import { retentionKind } from "../../src/web/retention/RetentionKind.ts"
import type { Definition, Kind } from "../../src/web/saved/Kind.ts"

export const logins = {
  time: { step: "day", relative: { step: "day", value: 14 } },
  metrics: [{ id: "A", data: { type: "uniqueUsers", name: "Login" } }],
  filters: [{ source: "property", name: "platform", operator: "is", value: "ios" }]
}

const { time } = logins

/** A question of each kind, and the tool that asks it. */
export const questionsOn = (map: string) =>
  [
    { tool: "ask_insight", kind: "insight", question: logins },
    {
      tool: "ask_funnel",
      kind: "funnel",
      question: {
        time,
        steps: [
          { id: "in", name: "Login" },
          { id: "buy", name: "Bought" }
        ],
        conversionWindow: { step: "day", value: 7 }
      }
    },
    {
      tool: "ask_retention",
      kind: "retention",
      question: {
        time: { step: "week", relative: { step: "week", value: 8 } },
        start: { name: "Login" },
        return: { name: "Bought" },
        interval: "week",
        intervals: 8,
        startMode: "firstTime"
      }
    },
    {
      tool: "ask_heatmap",
      kind: "heatmap",
      question: {
        time,
        metrics: [{ id: "deaths", data: { type: "totalEvents", name: "Died" } }],
        heatmapData: { id: map }
      }
    }
  ] as const

const [insight, funnel, retention, heatmap] = questionsOn("").map(({ question }) => question)

const weeks = { step: "week", timezone: "UTC", from: "2026-10-04T00:00:00Z", to: "2026-11-29T00:00:00Z" }

/** Tools that lead behind the numbers of a question, with a field that each answers. */
export const followUpsOn = (map: string) =>
  [
    ["ask_funnel_next", { ...funnel, step: 1, outcome: "dropped" }, "nothing"],
    ["list_funnel_players", { ...funnel, step: 1, outcome: "dropped" }, "items"],
    ["list_insight_players", { ...insight, select: { metricId: "A" } }, "items"],
    ["list_retention_players", { ...retention, time: weeks, select: { start: weeks.from, interval: 1 } }, "items"],
    ["list_heatmap_players", { ...heatmap, heatmapData: { id: map }, select: {} }, "items"],
    ["list_heatmap_arguments", { ...heatmap, heatmapData: { id: map }, select: {} }, "arguments"],
    ["read_markers", { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", limit: 10 }, "items"]
  ] as const

const specOf = <State>({ codec, definition }: Kind<State>, parameters: URLSearchParams) =>
  definition(codec.read(parameters), "UTC")?.spec

/** The question that a page asks at this address. Of heatmaps, how the cells are written is left to the page. */
export const shownBy = (kind: Definition["queryType"], parameters: URLSearchParams) =>
  ({
    insight: () => specOf(insightKind, parameters),
    funnel: () => specOf(funnelKind, parameters),
    retention: () => specOf(retentionKind, parameters),
    heatmap: () => ({ ...specOf(heatmapKind, parameters), options: {} })
  })[kind]()

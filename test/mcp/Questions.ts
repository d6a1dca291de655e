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

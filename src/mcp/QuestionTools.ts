import { Effect, Schema } from "effect"
import type { Definition } from "../web/saved/Kind.ts"
import { questionPage } from "./Pages.ts"
import { reading, type Tool } from "./Tool.ts"
import { bodyOf } from "./ToolSchema.ts"

/** A question that a page of the dashboard can show. */
const question = (
  name: string,
  queryType: Definition["queryType"],
  operation: string,
  title: string,
  description: string
): Tool => {
  const tool: Tool = { ...reading, name, title, operation, bodyName: "question", description }
  const schema = bodyOf(tool)
  return {
    ...tool,
    work: (asker, given) =>
      Effect.gen(function* () {
        const { question: asked, ...place } = given
        const answer = yield* asker.ask(operation, place, asked)
        const spec = schema === null ? Schema.Unknown : Schema.make<unknown, unknown>(schema.ast)
        const page = yield* questionPage(asker, queryType, place, spec, asked)
        return { ...page, answer }
      })
  }
}

/** A question about the answer of another one, which no page shows by itself. */
const followUp = (name: string, operation: string, title: string, description: string): Tool => ({
  ...reading,
  name,
  title,
  operation,
  bodyName: "question",
  description
})

const paged = "`nextCursor` of the answer, given as `cursor`, leads on."

/** Questions, and what lies behind their numbers. */
export const questionTools: ReadonlyArray<Tool> = [
  question(
    "ask_insight",
    "insight",
    "queries.insights",
    "Ask an insight",
    "Metrics over time (counts, unique players, sums, percentiles, formulas), with filters and breakdowns. Buckets whose `complete` is false are not over. The answer names the dashboard page that shows it."
  ),
  question(
    "ask_funnel",
    "funnel",
    "queries.funnels",
    "Ask a funnel",
    "How many players pass each step of a path, and where they drop out. Conversions are in percent. The answer names the dashboard page that shows it."
  ),
  question(
    "ask_retention",
    "retention",
    "queries.retention",
    "Ask about retention",
    "How many players come back, by the day they started on. A `rate` is in percent of `size`; where `complete` is false the period is not over. The answer names the dashboard page that shows it."
  ),
  question(
    "ask_heatmap",
    "heatmap",
    "queries.heatmaps",
    "Ask a heatmap",
    "Where in the world of the game markers happen. list_heatmaps gives the id of the map. The answer names the dashboard page that shows it."
  ),
  followUp(
    "ask_funnel_next",
    "queries.funnelNext",
    "What players did next",
    "What the players did next who passed a step of a funnel, or were lost after it."
  ),
  followUp(
    "list_heatmap_arguments",
    "queries.heatmapArguments",
    "Arguments in an area of a map",
    "What the markers in an area of a heatmap say in their arguments, most frequent first."
  ),
  followUp(
    "list_insight_players",
    "queries.insightUsers",
    "Players behind a number",
    `The players whom a number of an insight counts. ${paged}`
  ),
  followUp(
    "list_funnel_players",
    "queries.funnelUsers",
    "Players of a step",
    `The players who passed a step of a funnel, or were lost after it. ${paged}`
  ),
  followUp(
    "list_retention_players",
    "queries.retentionUsers",
    "Players of a cell",
    `The players of a cell of retention who came back, or did not. ${paged}`
  ),
  followUp(
    "list_heatmap_players",
    "queries.heatmapUsers",
    "Players in an area of a map",
    `The players whose markers lie in an area of a heatmap. ${paged}`
  ),
  followUp(
    "read_markers",
    "markers.raw",
    "Markers themselves",
    "Markers as they were sent, newest first, of a type, a player or a time. Ask for few: an answer has a limit."
  )
]

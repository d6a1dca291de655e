import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { warmUpQuestions } from "../../src/adapters/sqlite/events/threads/JitWarmUpPlans.ts"
import type { QuestionKind } from "../../src/domain/analytics/question/Question.ts"

/** The file of this folder that compares the answers of each kind with the pure functions. A new kind has to be added. */
const oracles: Readonly<Record<QuestionKind, string>> = {
  insight: "Insight.test.ts",
  funnel: "Funnel.test.ts",
  funnelUnits: "FunnelUnits.test.ts",
  retention: "Retention.test.ts",
  heatmap: "Heatmap.test.ts",
  funnelNext: "FunnelUnits.test.ts",
  insightUnits: "InsightUnits.test.ts",
  heatmapArguments: "HeatmapUnits.test.ts",
  retentionUnits: "RetentionUnits.test.ts",
  heatmapUnits: "HeatmapUnits.test.ts",
  scorecard: "Scorecard.test.ts",
  listing: "Listing.test.ts",
  countedUnits: "Listing.test.ts",
  profile: "Listing.test.ts",
  players: "Players.test.ts",
  revenue: "Listing.test.ts",
  unit: "Listing.test.ts",
  types: "Catalogue.test.ts",
  typeCounts: "Catalogue.test.ts",
  names: "Catalogue.test.ts",
  versions: "Catalogue.test.ts",
  values: "Catalogue.test.ts"
}

describe.each(Object.entries(oracles))("questions of the kind %s", (kind, file) => {
  it("have an oracle", () => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8")
    assert.isTrue(
      text.includes(`kind: "${kind}"`) && text.includes("agrees("),
      `test/oracle/${file} asks no question with kind: "${kind}" in agrees(...): it has to compare the scan with the pure function`
    )
  })

  it("are asked when a thread of readers warms up", () => {
    assert.isTrue(
      warmUpQuestions.some((question) => question.kind === kind),
      `warmUpQuestions of src/adapters/sqlite/events/threads/JitWarmUpPlans.ts has no question of the kind ${kind}: add one`
    )
  })
})

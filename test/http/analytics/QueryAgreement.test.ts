import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import { planInsight } from "../../../src/domain/analytics/insight/InsightQuery.ts"
import type { InsightQuery } from "../../../src/domain/analytics/insight/InsightQuery.ts"
import { insightSeriesSteps } from "../../../src/domain/analytics/insight/InsightResult.ts"
import { InsightQuery as InsightBody } from "../../../schema/analytics/Insights.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { start, week, metric, journeys, markerOf, eventOf, everyMeasure } from "../../support/analytics/Journeys.ts"
import { ended } from "../../support/Steps.ts"

describe.each(stores)("answers and the pure functions over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    await game.send(journeys!.map(markerOf))
  })

  it("answers what the pure functions answer over the same markers, for every measure and option", async () => {
    const stored = journeys!.map(eventOf).map((event, index) => ({ ...event, sequence: index + 1 }))
    const filters = [{ source: "argument", name: "price", operator: "greaterThanOrEqual", value: 1 }]
    const bodies = everyMeasure.flatMap((measure) => [
      { metrics: [metric("A", measure)] },
      {
        metrics: [
          metric("A", { ...measure, name: ["Level", "Buy"], filters }, { visible: false }),
          metric("B", {}),
          { id: "C", data: { type: "formula", formula: "100 * A / B" } }
        ],
        breakdowns: [
          { source: "argument", name: "item" },
          { source: "property", name: "platform" }
        ],
        breakdownLimit: 2,
        options: { cumulative: true, movingAverage: 2 }
      }
    ])
    for (const body of bodies) {
      const full = { time: { ...week, timezone: "Europe/Paris", step: "hour" }, ...body }
      const query: InsightQuery = Schema.decodeSync(InsightBody)(full as never)
      const planned = Either.getOrThrow(planInsight(query, { now: start, zone: "UTC", weekStart: 0 }))
      const expected = Either.getOrThrow(
        ended(insightSeriesSteps(planned, answerOf(stored, { kind: "insight", plan: planned.plan }), null)).value
      )
      const answer = await game.query("insights/execute", full)
      assert.deepStrictEqual(answer.body.series, JSON.parse(JSON.stringify(expected)), JSON.stringify(body))
    }
  })
})

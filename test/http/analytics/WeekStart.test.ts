import { assert, describe, it } from "@effect/vitest"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { metric } from "../../support/analytics/Journeys.ts"

describe("the day on which weeks begin", () => {
  const week = { step: "week", from: "2026-03-04T10:00:00Z", to: "2026-03-11T00:00:00Z" }
  const starts = async (settings: object) => {
    const { request } = testApp(stores[0][1], settings)
    const studio = await openStudio(request, "weeks")
    const game = await gameOf(request, studio)
    const insight = await game.query("insights/execute", { time: week, metrics: [metric("A", {})] })
    const retained = await game.query("retention/execute", {
      time: week,
      start: { name: "Level" },
      interval: "week",
      intervals: 2
    })
    const rows: ReadonlyArray<{ start: string }> = retained.body.series[0].cohorts
    assert.deepStrictEqual(
      rows.map((row) => row.start),
      insight.body.buckets
    )
    return insight.body.buckets.map((bucket: string) => bucket.slice(0, 10))
  }

  it("is Sunday", async () => assert.deepStrictEqual(await starts({}), ["2026-03-01", "2026-03-08"]))

  it("may be set", async () => assert.deepStrictEqual(await starts({ weekStart: 1 }), ["2026-03-02", "2026-03-09"]))
})

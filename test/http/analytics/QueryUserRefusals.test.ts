import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { range, week } from "../../support/analytics/Journeys.ts"
import {
  formula,
  levels,
  monday,
  nowhere,
  type PlacedWorld,
  placedWorld,
  placesOf,
  returning
} from "../../support/analytics/PlacedJourneys.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("refusals of the players behind numbers over %s", (_, store) => {
  const { request } = testApp(store)
  let world: PlacedWorld

  beforeAll(async () => {
    world = await placedWorld(request)
  })

  const byItem = { ...levels, breakdowns: [{ source: "argument", name: "item" }] }
  const toLevel = {
    time: week,
    steps: ["Start", "Level"].map((name) => ({ id: name, name })),
    conversionWindow: { step: "hour", value: 2 },
    step: 1,
    outcome: "converted"
  }
  type Row = readonly [name: string, path: string, status: number, code: string, words: RegExp, body: () => object]
  const of =
    (select: object, more: object = levels) =>
    () => ({ ...more, select })
  const rows: ReadonlyArray<Row> = [
    [
      "a formula",
      "insights",
      422,
      "QUERY_INVALID",
      /C is a formula.*A, B$/,
      of({ metricId: "C" }, { ...levels, metrics: [...levels.metrics, formula] })
    ],
    ["a metric that is not there", "insights", 422, "QUERY_INVALID", /no metric Z/, of({ metricId: "Z" })],
    ["a number of nothing", "insights", 400, "VALIDATION_FAILED", /select/, () => levels],
    ["no metric", "insights", 400, "VALIDATION_FAILED", /metricId/, of({})],
    [
      "a bucket that does not begin there",
      "insights",
      422,
      "QUERY_INVALID",
      /select\.bucket/,
      of({ metricId: "A", bucket: "2026-03-02T01:00:00Z" })
    ],
    [
      "the end of the last bucket",
      "insights",
      422,
      "QUERY_INVALID",
      /select\.bucket/,
      of({ metricId: "A", bucket: "2026-03-09T00:00:00Z" })
    ],
    [
      "a bucket of a moving average",
      "insights",
      422,
      "QUERY_INVALID",
      /moving average/,
      of({ metricId: "A", bucket: monday }, { ...levels, options: { movingAverage: 3 } })
    ],
    ["no group where there are groups", "insights", 422, "QUERY_INVALID", /item$/, of({ metricId: "A" }, byItem)],
    [
      "a group by another name",
      "insights",
      422,
      "QUERY_INVALID",
      /select\.breakdown/,
      of({ metricId: "A", breakdown: [{ name: "platform", value: "ios" }] }, byItem)
    ],
    [
      "a group where there are none",
      "insights",
      422,
      "QUERY_INVALID",
      /select\.breakdown/,
      of({ metricId: "A", breakdown: [{ name: "item", value: null }] })
    ],
    [
      "the other group where there are none",
      "insights",
      422,
      "QUERY_INVALID",
      /no other group/,
      of({ metricId: "A", breakdown: "other" })
    ],
    [
      "a range upside down",
      "insights",
      422,
      "TIME_RANGE_INVALID",
      /time/,
      of({ metricId: "A" }, { ...levels, time: range("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z") })
    ],
    [
      "a formula that breaks off",
      "insights",
      422,
      "FORMULA_INVALID",
      /formula/,
      of(
        { metricId: "A" },
        { ...levels, metrics: [...levels.metrics, { id: "C", data: { ...formula.data, formula: "A +" } }] }
      )
    ],
    [
      "an unknown cohort",
      "insights",
      422,
      "REFERENCE_INVALID",
      /cohort 7/,
      of({ metricId: "A" }, { ...levels, filters: [{ source: "cohort", name: "7", operator: "isIn", value: [7] }] })
    ],
    [
      "a row that is not there",
      "retention",
      422,
      "QUERY_INVALID",
      /select\.start/,
      of({ start: "2026-03-09T00:00:00Z", interval: 1 }, returning)
    ],
    [
      "an interval past the last",
      "retention",
      422,
      "QUERY_INVALID",
      /1 to 3/,
      of({ start: monday, interval: 4 }, returning)
    ],
    [
      "a group of a funnel without groups",
      "funnels",
      422,
      "QUERY_INVALID",
      /^breakdown: expected none/,
      () => ({ ...toLevel, breakdown: [{ name: "item", value: null }] })
    ],
    [
      "a bin of a funnel without times",
      "funnels",
      422,
      "QUERY_INVALID",
      /^bin: .*timeToConvert/,
      () => ({ ...toLevel, bin: 0 })
    ],
    [
      "a bin past the last",
      "funnels",
      422,
      "QUERY_INVALID",
      /^bin: .*0 to 4/,
      () => ({ ...toLevel, options: { display: "timeToConvert", timeToConvert: { bins: 5 } }, bin: 5 })
    ],
    [
      "a heatmap that is not there",
      "heatmaps",
      404,
      "HEATMAP_NOT_FOUND",
      /heatmap/i,
      () => ({ ...placesOf(world), heatmapData: { id: nowhere }, select: {} })
    ]
  ]

  it.each(rows)("refuses %s", async (__, path, status, code, words, body) => {
    const answer = await world.game.query(`${path}/users`, body())
    refused(answer, status, code)
    assert.match(answer.body.message, words)
  })
})

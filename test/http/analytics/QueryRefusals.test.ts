import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"
import { range, week, metric, journeys, markerOf } from "../../support/analytics/Journeys.ts"

describe.each(stores)("refusals of queries over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    await game.send(journeys!.map(markerOf))
  })

  const steps = [
    { id: "s", name: "Start" },
    { id: "l", name: "Level" },
    { id: "b", name: ["Buy"] }
  ]
  const conversionWindow = { step: "hour", value: 6 }
  const funnel = { time: week, steps, conversionWindow }

  type Row = readonly [name: string, kind: string, status: number, code: string, body: object]
  const one = { metrics: [metric("A", {})] }
  const formula = (text: string) => ({
    metrics: [metric("A", {}), { id: "B", data: { type: "formula", formula: text } }]
  })
  const filtered = (filter: object) => ({
    metrics: [metric("A", { filters: [{ source: "argument", name: "x", ...filter }] })]
  })
  const retention = { time: week, start: { name: "Start" }, interval: "day", intervals: 5 }
  const exclusion = (name: string, fromStep: number, toStep: number) => ({ exclusions: [{ name, fromStep, toStep }] })
  const rows: ReadonlyArray<Row> = [
    [
      "a time zone that does not exist",
      "insights/execute",
      422,
      "TIME_ZONE_UNKNOWN",
      { ...one, time: { ...week, timezone: "Mars/Base" } }
    ],
    [
      "a range upside down",
      "insights/execute",
      422,
      "TIME_RANGE_INVALID",
      { ...one, time: range("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z") }
    ],
    [
      "an instant without offset",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { ...one, time: range("2026-03-02T00:00:00", "2026-03-01T00:00:00Z") }
    ],
    [
      "an argument that no marker of the type has",
      "insights/execute",
      422,
      "REFERENCE_INVALID",
      { metrics: [metric("A", { type: "sum", argument: "prize" })] }
    ],
    [
      "too many periods",
      "insights/execute",
      422,
      "QUERY_LIMIT_EXCEEDED",
      { ...one, time: range("2016-01-01T00:00:00Z", "2026-01-01T00:00:00Z", { step: "hour" }) }
    ],
    [
      "16 metrics",
      "insights/execute",
      422,
      "QUERY_LIMIT_EXCEEDED",
      { metrics: Array.from({ length: 16 }, (_, i) => metric(`M${i}`, {})) }
    ],
    ["no metrics", "insights/execute", 400, "VALIDATION_FAILED", { metrics: [] }],
    [
      "formulas alone",
      "insights/execute",
      422,
      "QUERY_INVALID",
      { metrics: [{ id: "A", data: { type: "formula", formula: "1" } }] }
    ],
    [
      "two metrics of one id",
      "insights/execute",
      422,
      "QUERY_INVALID",
      { metrics: [metric("A", {}), metric("A", {})] }
    ],
    [
      "a sum without argument",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { metrics: [metric("A", { type: "sum" })] }
    ],
    [
      "a percentile of 101",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { metrics: [metric("A", { type: "percentile", argument: "x", percentile: 101 })] }
    ],
    ["a formula that breaks off", "insights/execute", 422, "FORMULA_INVALID", formula("A +")],
    ["a formula of an unknown metric", "insights/execute", 422, "FORMULA_INVALID", formula("A + Z")],
    ["a formula of itself", "insights/execute", 422, "FORMULA_INVALID", formula("A + B")],
    [
      "formulas that go round in a circle",
      "insights/execute",
      422,
      "FORMULA_INVALID",
      {
        metrics: [
          metric("A", {}),
          { id: "B", data: { type: "formula", formula: "A + C" } },
          { id: "C", data: { type: "formula", formula: "2 * B" } }
        ]
      }
    ],
    ["a formula that would run code", "insights/execute", 422, "FORMULA_INVALID", formula("process.exit()")],
    [
      "a comparison with a text",
      "insights/execute",
      422,
      "QUERY_INVALID",
      filtered({ operator: "greaterThan", value: "x" })
    ],
    [
      "a between upside down",
      "insights/execute",
      422,
      "QUERY_INVALID",
      filtered({ operator: "between", value: [2, 1] })
    ],
    ["an operator without its value", "insights/execute", 400, "VALIDATION_FAILED", filtered({ operator: "is" })],
    ["an unknown operator", "insights/execute", 400, "VALIDATION_FAILED", filtered({ operator: "like", value: 1 })],
    [
      "an unknown cohort",
      "insights/execute",
      422,
      "REFERENCE_INVALID",
      { ...one, filters: [{ source: "cohort", name: "7", operator: "isIn", value: [7] }] }
    ],
    [
      "an unknown experiment",
      "insights/execute",
      422,
      "REFERENCE_INVALID",
      { ...one, breakdowns: [{ source: "experiment", name: "7" }] }
    ],
    [
      "three breakdowns",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { ...one, breakdowns: ["a", "b", "c"].map((name) => ({ source: "argument", name })) }
    ],
    ["one step", "funnels/execute", 400, "VALIDATION_FAILED", { ...funnel, steps: steps.slice(1, 2) }],
    [
      "33 steps",
      "funnels/execute",
      422,
      "QUERY_LIMIT_EXCEEDED",
      { ...funnel, steps: Array.from({ length: 33 }, () => steps[0]) }
    ],
    [
      "an optional last step",
      "funnels/execute",
      422,
      "QUERY_INVALID",
      { ...funnel, steps: [steps[0], { ...steps[1], optional: true }] }
    ],
    ["an exclusion backwards", "funnels/execute", 400, "VALIDATION_FAILED", { ...funnel, ...exclusion("Quit", 2, 1) }],
    ["an exclusion of a step", "funnels/execute", 400, "VALIDATION_FAILED", { ...funnel, ...exclusion("Level", 0, 2) }],
    [
      "an unordered exclusion of a part",
      "funnels/execute",
      400,
      "VALIDATION_FAILED",
      { ...funnel, order: "unordered", ...exclusion("Quit", 0, 1) }
    ],
    [
      "an attribution past the last step",
      "funnels/execute",
      422,
      "QUERY_INVALID",
      { ...funnel, breakdownAttribution: { step: 3 } }
    ],
    ["dropping at the first step", "funnels/users", 422, "QUERY_INVALID", { ...funnel, step: 0, outcome: "dropped" }],
    [
      "brackets with a gap",
      "retention/execute",
      422,
      "QUERY_INVALID",
      {
        ...retention,
        criterion: {
          brackets: [
            [1, 2],
            [4, 5]
          ]
        }
      }
    ],
    [
      "dating by the return of a bracket",
      "retention/execute",
      422,
      "QUERY_INVALID",
      { ...retention, dateBy: "return", criterion: "onOrAfter" }
    ],
    ["181 intervals", "retention/execute", 400, "VALIDATION_FAILED", { ...retention, intervals: 181 }]
  ]

  it.each(rows)("refuses %s", async (_name, kind, status, code, body) => {
    const answer = await game.query(kind, { time: week, ...body })
    assert.deepStrictEqual([answer.status, answer.body.code], [status, code], answer.text)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), envelopeKeys)
    assert.isAbove(answer.body.message.length, 10)
  })

  it("needs an environment of the project", async () => {
    const answers = [
      await game.query("insights/execute", { time: week, ...one }, { environment_id: "987654" }),
      await game.query("insights/execute", { time: week, ...one }, { environment_id: "x" }),
      await game.query("insights/execute", { time: week, ...one }, { environment_id: "" })
    ]
    assert.deepStrictEqual(
      answers.map(({ status, body }) => [status, body.code]),
      [
        [404, "ENVIRONMENT_NOT_FOUND"],
        [400, "VALIDATION_FAILED"],
        [400, "VALIDATION_FAILED"]
      ]
    )
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { membersOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type CohortStudio, cohortStudioOf } from "../../support/cohorts/CohortStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { one, behaviour, nested } from "../../support/cohorts/Behaviours.ts"

const nowhere = 987_654

const hundred = Array.from({ length: 100 }, () => ({
  source: "property",
  name: "platform",
  operator: "is",
  value: "ios"
}))

/** Bodies of POST and PUT, and of execute as far as they have a definition. */
const unsound: ReadonlyArray<readonly [string, object]> = [
  ["without a name", { name: undefined }],
  ["with an empty name", { name: "" }],
  ["with a name too long", { name: "x".repeat(101) }],
  ["with a description too long", { description: "x".repeat(256) }],
  ["without a definition", { definition: undefined }],
  ["of an unknown kind", { kind: "sometimes" }],
  ["without conditions", { definition: { op: "and", children: [] } }],
  ["with an unknown operation", { definition: { op: "xor", children: [behaviour] } }],
  ["with an unknown condition", { definition: one({ type: "magic" }) }],
  ["nested 6 deep", { definition: nested(6) }],
  ["with 51 conditions", { definition: { op: "or", children: Array.from({ length: 51 }, () => behaviour) } }],
  ["that sum up nothing", { definition: one({ ...behaviour, measure: "sum" }) }],
  ["between one bound", { definition: one({ ...behaviour, operator: "between", value: 1 }) }],
  ["in a window of no time", { definition: one({ ...behaviour, window: { last: 0, unit: "day" } }) }],
  [
    "in a window without offset",
    { definition: one({ ...behaviour, window: { from: "2026-01-01", to: "2026-01-02" } }) }
  ],
  ["of cohort 0", { definition: membersOf(0) }]
]

/** Definitions that decode and cannot be. */
const impossible: ReadonlyArray<readonly [string, object, string]> = [
  [
    "more filters than may be together",
    { op: "or", children: Array.from({ length: 6 }, () => ({ ...behaviour, filters: hundred })) },
    "QUERY_INVALID"
  ],
  ["bounds the wrong way round", one({ ...behaviour, operator: "between", value: [2, 1] }), "QUERY_INVALID"],
  ["a count of an argument", one({ ...behaviour, argument: "x" }), "QUERY_INVALID"],
  [
    "different days of an argument, further down",
    one(one({ ...behaviour, measure: "distinctDays", argument: "x" })),
    "QUERY_INVALID"
  ],
  [
    "a number compared with a text",
    one({ type: "property", name: "age", operator: "greaterThan", value: "old" }),
    "QUERY_INVALID"
  ],
  [
    "a window the wrong way round",
    one({ ...behaviour, window: { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" } }),
    "TIME_RANGE_INVALID"
  ],
  ["a cohort that is not there", membersOf(nowhere), "REFERENCE_INVALID"],
  [
    "a cohort that is not there, in a filter",
    one({ ...behaviour, filters: [{ source: "cohort", name: "x", operator: "isIn", value: [nowhere] }] }),
    "REFERENCE_INVALID"
  ],
  ["an experiment that is not there", one({ type: "experiment", experimentId: nowhere }), "REFERENCE_INVALID"],
  [
    "an experiment that is not there, in a filter",
    one({
      ...behaviour,
      filters: [{ source: "experiment", name: String(nowhere), operator: "isIn", value: [1] }]
    }),
    "REFERENCE_INVALID"
  ]
]

describe.each(stores)("refused cohorts over %s", (_, store) => {
  const { request } = testApp(store)
  let analyst: CohortStudio["analyst"]
  let name: CohortStudio["name"]

  beforeAll(async () => {
    ;({ analyst, name } = await cohortStudioOf(request, "ada"))
  })

  it.each(unsound)("%s are refused, new or replaced, and nothing changes", async (_case, more) => {
    const { id } = await analyst.list(name(), [])
    const before = (await analyst.call("GET", "")).text
    const body = { name: name(), definition: nested(1), ...more }
    refused(await analyst.call("POST", "", body), 400, "VALIDATION_FAILED")
    refused(await analyst.call("PUT", `/${id}`, body), 400, "VALIDATION_FAILED")
    const isAboutDefinition = "definition" in more
    if (isAboutDefinition) refused(await analyst.call("POST", "/execute", body), 400, "VALIDATION_FAILED")
    assert.strictEqual((await analyst.call("GET", "")).text, before)
  })

  it.each(impossible)("with %s are refused, and nothing changes", async (_case, definition, code) => {
    const { id } = await analyst.define(name(), nested(1))
    const before = (await analyst.call("GET", "")).text
    refused(await analyst.call("POST", "", { name: name(), definition }), 422, code)
    refused(await analyst.call("PUT", `/${id}`, { name: name(), definition }), 422, code)
    refused(await analyst.call("POST", "/execute", { definition }), 422, code)
    assert.strictEqual((await analyst.call("GET", "")).text, before)
  })

  it("are told everything that is wrong with their definition at once", async () => {
    const backwards = { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }
    const text = { type: "property", name: "age", operator: "greaterThan", value: "old" }
    const children = [
      { ...behaviour, argument: "x", operator: "between", value: [2, 1], window: backwards },
      { op: "or", children: [text, { ...behaviour, argument: "y" }] }
    ]
    const answer = await analyst.call("POST", "", { name: name(), definition: { op: "and", children } })
    refused(answer, 422, "QUERY_INVALID")
    const idle = "count and distinctDays look at no argument: leave it out, or choose another measure"
    assert.deepStrictEqual(answer.body.message.split("; "), [
      `definition.children.0.argument: ${idle}`,
      `definition.children.1.children.1.argument: ${idle}`,
      "definition.children.0.value: between needs the value [low, high], and low is at most high",
      "definition.children.0.window.to: must lie after from",
      "definition.children.1.children.0.value: expected a number, since greaterThan compares numbers"
    ])
  })

  it("are told every cohort and experiment that is not there at once", async () => {
    const children = [
      ...[nowhere, nowhere + 1].map((cohortId) => ({ type: "cohort", cohortId, in: true })),
      { type: "experiment", experimentId: nowhere, in: true }
    ]
    const answer = await analyst.call("POST", "/execute", { definition: { op: "or", children } })
    refused(answer, 422, "REFERENCE_INVALID")
    assert.deepStrictEqual(answer.body.message.split("; "), [
      `There is no cohort ${nowhere} in this environment`,
      `There is no cohort ${nowhere + 1} in this environment`,
      `There is no experiment ${nowhere} in this environment`
    ])
  })

  it.each([
    ["a fraction", [1.5]],
    ["a number too large", [2 ** 53]],
    ["an empty text", [""]],
    ["a text too long", ["x".repeat(257)]],
    ["null", [null]],
    ["more than 100,000", Array.from({ length: 100_001 }, (_each, n) => n)]
  ])("of a list with %s are refused", async (_case, unitIds) => {
    refused(await analyst.call("POST", "", { name: name(), kind: "static", unitIds }), 400, "VALIDATION_FAILED")
  })
})

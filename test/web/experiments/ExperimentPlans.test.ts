import { assert, describe, it } from "@effect/vitest"
import { neededFor, neededWords } from "../../../src/web/experiments/create/Needed.ts"
import { askedMetrics, countedFilters, planBody } from "../../../src/web/experiments/create/PlanBody.ts"
import { locksOn } from "../../../src/web/configurations/Locks.ts"
import type { KeptMetric, PlanDraft } from "../../../src/web/experiments/create/PlanDraft.ts"
import { evenly, freshGroup, freshMetric, freshPlan } from "../../../src/web/experiments/create/PlanDraft.ts"
import { planOfRecord } from "../../../src/web/experiments/create/PlanOfRecord.ts"
import { countProblems, problemsOf } from "../../../src/web/experiments/create/PlanProblems.ts"
import { targetingWords } from "../../../src/web/experiments/TargetingWords.ts"
import { now, days, draft, experiment } from "./ExperimentParts.ts"

describe("a planned experiment", () => {
  const problems = (plan: PlanDraft) => problemsOf(plan, [], "UTC", now)

  it("is told what is not right, each at its field", () => {
    assert.strictEqual(countProblems(problems(draft())), 0)
    assert.strictEqual(countProblems(problems(freshPlan())), 4)
    const groups = (...all: ReadonlyArray<readonly [string, string]>) =>
      problems(draft({ groups: all.map(([name, percent]) => freshGroup(name, percent)) })).groups
    assert.strictEqual(groups(["A", "50"], ["B", "40"]), "The shares add up to 90 %, not to 100 %")
    assert.strictEqual(groups(["A", "33.33"], ["B", "33.33"], ["C", "33.34"]), null)
    assert.strictEqual(groups(["A", "50"], [" A ", "50"]), "Two groups are called A")
    assert.strictEqual(groups(["A", "150"], ["B", "-50"]), "Shares are numbers from 0 to 100")
    assert.strictEqual(problems(draft({ endDay: "2026-11-18" })).time, "It must end after it starts")
    const steps = [{ at: days(9), percent: 100 }]
    assert.strictEqual(problems(draft({ endDay: "2026-11-20", steps })).time, "A step lies after the planned end")
    assert.isNotNull(problems(draft({ percent: "" })).percent)
    assert.isNotNull(
      problems(draft({ conditions: [{ key: "c", property: "properties.level", operator: "is", value: "" }] })).targeting
    )
  })

  it("splits evenly to the last basis point", () => {
    const shares = evenly(["A", "B", "C"].map((name) => freshGroup(name, "0"))).map(({ percent }) => percent)
    assert.deepStrictEqual(shares, ["33.34", "33.33", "33.33"])
  })

  it("is sent as the API takes it: values by the type that their property has, whole basis points, and days of the zone", () => {
    const types = new Map([
      ["properties.level", "number"],
      ["properties.new", "boolean"]
    ] as const)
    const conditions = [
      { key: "1", property: "properties.level", operator: "is", value: "3, 4" },
      { key: "2", property: "properties.new", operator: "is", value: "true" },
      { key: "3", property: "roblox.country", operator: "isSet", value: "" }
    ] as const
    const plan = draft({ conditions, cohortIds: [9], startDay: "2026-12-01", layer: " shop " })
    const body = planBody(plan, "Europe/Berlin", types)
    assert.deepStrictEqual(body.targeting, {
      cohortIds: [9],
      conditions: [
        { property: "properties.level", operator: "is", value: [3, 4] },
        { property: "properties.new", operator: "is", value: true },
        { property: "roblox.country", operator: "isSet" }
      ],
      newUsersOnly: false
    })
    assert.deepStrictEqual([body.startsAt, body.exclusionLayer], ["2026-11-30T23:00:00.000Z", "shop"])
    assert.deepStrictEqual(
      body.groups.map(({ weight }) => weight),
      [5000, 5000]
    )
    assert.deepStrictEqual(
      body.metrics?.goals?.map(({ id, name }) => [id, name]),
      [["players-with-purchase-1", "Players with Purchase"]]
    )
    assert.deepStrictEqual(countedFilters(plan, new Set(["level"]), types), [
      { source: "cohort", name: "targeted", operator: "isIn", value: [9] },
      { source: "property", name: "level", operator: "is", value: [3, 4] }
    ])
    assert.deepStrictEqual(askedMetrics([freshMetric("goal")]), [])
  })

  it("is the same after the server has kept it, also in what no field can say", () => {
    const ratio = { ...freshMetric("guardrail"), kind: "ratio", marker: "Purchase", argument: "price" } as const
    const plan = draft({
      description: "Why",
      unitType: "server",
      assignmentMode: "roundRobin",
      autoAssignment: false,
      permanentEnrollment: false,
      holdout: "2.5",
      conditions: [{ key: "1", property: "properties.level", operator: "between", value: "5, 10" }],
      metrics: [
        { ...freshMetric("goal"), marker: "Purchase", days: "7" },
        { ...ratio, perMarker: "Login" }
      ],
      startDay: "2026-12-01",
      layer: "shop"
    })
    const body = planBody(plan, "Europe/Berlin", new Map())
    assert.deepStrictEqual(body.metrics?.guardrails?.[0], {
      id: "price-per-login-2",
      name: "price per Login",
      direction: "increase",
      type: "ratio",
      marker: "Purchase",
      aggregation: "sum",
      argument: "price",
      denominator: { marker: "Login" }
    })
    const filters = [{ source: "property", name: "level", operator: "is", value: 3 }] as const
    const kept: KeptMetric = {
      ...{ id: "m", name: "Kept", direction: "decrease", type: "proportion", marker: ["a", "b"], match: "all" },
      filters
    }
    const conditions = [{ property: "properties.level", operator: "is", value: [3, "x"] }] as const
    const targeting = { cohortIds: [4], conditions, newUsersOnly: true }
    const stored = experiment({ targeting, metrics: { goals: [kept], guardrails: [] }, holdoutPercent: 2.5 })
    const again = planBody(planOfRecord(stored, "Europe/Berlin"), "Europe/Berlin", new Map())
    const { groups, rollout, startsAt, endsAt, metrics } = stored
    assert.deepInclude(again, { rollout, startsAt, metrics, targeting, holdoutPercent: 2.5 })
    assert.deepStrictEqual([again.endsAt, again.groups.length], [endsAt ?? undefined, groups.length])
  })

  it("gives no metric the id of another", () => {
    const [first, second] = [
      { ...freshMetric("goal"), marker: "A" },
      { ...freshMetric("goal"), marker: "A", id: "players-with-a-1" }
    ]
    const ids = askedMetrics([first, second]).map(({ body }) => body.id)
    assert.deepStrictEqual(ids, ["players-with-a-3", "players-with-a-1"])
  })

  it("holds its paths from its plan to its end, also while it is paused", () => {
    const states = ["scheduled", "active", "paused", "completed", "terminated"] as const
    const held = states.filter((status) => locksOn([experiment({ status })], 5).length > 0)
    assert.deepStrictEqual(held, ["scheduled", "active", "paused"])
    assert.deepStrictEqual(locksOn([experiment()], 6), [])
  })

  it("names a metric after its marker with as many whole characters as a name may have", () => {
    const [asked] = askedMetrics([{ ...freshMetric("goal"), marker: "😀".repeat(100) }])
    assert.strictEqual(asked?.body.name, `Players with ${"😀".repeat(87)}`)
  })

  it("says whom it targets in a sentence", () => {
    const targeting = {
      cohortIds: [1],
      conditions: [{ property: "properties.level", operator: "greaterThanOrEqual" as const, value: 5 }],
      newUsersOnly: false
    }
    const words = (changes: Partial<typeof targeting>) => targetingWords({ ...targeting, ...changes }, () => "Whales")
    assert.strictEqual(words({}), "Players who are in Whales and have level ≥ 5")
    assert.strictEqual(words({ cohortIds: [], conditions: [] }), "All players")
    assert.strictEqual(words({ cohortIds: [], conditions: [], newUsersOnly: true }), "New players")
    const everywhere = targetingWords({ ...targeting, conditions: [] }, () => "Europe", "server")
    assert.strictEqual(everywhere, "Game servers that are in Europe")
  })

  it("says how many players and days it takes to see a change", () => {
    // Half of the players do it: 1,568 a group for a change of 10 %.
    const half = { mean: 0.5, variance: 0.25 }
    const byDay = [...Array.from({ length: 27 }, () => 200), 3]
    const needed = neededFor(half, 0.1, 0.5, byDay)
    assert.deepStrictEqual(needed, { unitsPerGroup: 1570, days: 16 })
    assert.strictEqual(
      neededWords(needed, 0.1),
      "To see +10 % you need 1,570 players a group: about 16 days at today's pace."
    )
    assert.strictEqual(neededFor({ mean: 0, variance: 0 }, 0.1, 0.5, byDay), null)
    assert.match(neededWords(null, 0.1), /Nobody does it yet/)
    assert.match(neededWords(neededFor(half, 0.001, 0.5, byDay), 0.001), /more than two years/)
    assert.match(neededWords(neededFor(half, 0.1, 0, byDay), -0.1), /^To see −10 % you need .* and nobody comes\.$/)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { dayMillis } from "../../src/domain/Durations.ts"
import { neededFor, neededWords } from "../../src/web/experiments/create/Needed.ts"
import { askedMetrics, countedFilters, planBody } from "../../src/web/experiments/create/PlanBody.ts"
import type { PlanDraft } from "../../src/web/experiments/create/PlanDraft.ts"
import { evenly, freshGroup, freshMetric, freshPlan } from "../../src/web/experiments/create/PlanDraft.ts"
import { countProblems, laneOf, problemsOf } from "../../src/web/experiments/create/PlanProblems.ts"
import type { Experiment } from "../../src/web/experiments/ExperimentWords.ts"
import { byLayer, lanesOf, ticksIn, windowAt } from "../../src/web/experiments/Lanes.ts"
import { listCodec, listed } from "../../src/web/experiments/ListState.ts"
import { outcomeOf } from "../../src/web/experiments/Outcome.ts"
import { targetingWords } from "../../src/web/experiments/TargetingWords.ts"

/** A Wednesday. */
const now = Date.parse("2026-11-18T12:00:00Z")
const days = (count: number) => new Date(now + count * dayMillis).toISOString()

const experiment = (changes: Partial<Experiment> = {}): Experiment => ({
  id: 1,
  applicationId: 1,
  environmentId: 1,
  name: "Cheaper pack",
  description: null,
  hypothesis: null,
  status: "active",
  unitType: "user",
  assignmentMode: "weightedHash",
  baseConfigurationId: 5,
  groups: ["price", "gems"].map((key, ordinal) => ({
    id: ordinal + 1,
    ordinal,
    name: key,
    label: null,
    weight: 5000,
    isControl: ordinal === 0,
    changeset: { operations: [{ op: "set", path: ["shop", key], value: 1 }] }
  })),
  targeting: { cohortIds: [], conditions: [], newUsersOnly: false },
  autoAssignment: true,
  permanentEnrollment: true,
  exclusionLayer: null,
  holdoutPercent: 0,
  rollout: { percent: 50, steps: [] },
  metrics: { goals: [], guardrails: [] },
  phases: [{ from: days(-10), weights: [5000, 5000], percent: 50 }],
  degraded: false,
  missingPaths: [],
  startsAt: days(-10),
  endsAt: days(10),
  terminatedAt: null,
  terminationReason: null,
  winnerGroupId: null,
  cohortComputations: [],
  createdBy: null,
  createdAt: days(-10),
  ...changes
})

const horizon = now + 60 * dayMillis

const draft = (changes: Partial<PlanDraft> = {}): PlanDraft => ({
  ...freshPlan(),
  name: "Plan",
  baseId: 5,
  groups: [
    freshGroup("A", "50", true),
    { ...freshGroup("B", "50"), operations: [{ op: "set", path: ["rewards"], value: 2 }] }
  ],
  metrics: [{ ...freshMetric("goal"), marker: "Purchase" }],
  ...changes
})

const collisionsOf = (plan: PlanDraft, others: ReadonlyArray<Experiment>) =>
  lanesOf(others, now, horizon, laneOf(plan, "UTC", now)).find(({ id }) => id === null)?.collisions ?? []

describe("the calendar of experiments", () => {
  it("draws phases as they were, and what is planned by the steps to come until the end", () => {
    const steps = [
      { at: days(-5), percent: 20 },
      { at: days(4), percent: 100 }
    ]
    const phases = [
      { from: days(-10), weights: [], percent: 10 },
      { from: days(-5), weights: [], percent: 20 }
    ]
    const [lane] = lanesOf([experiment({ phases, rollout: { percent: 20, steps } })], now, horizon)
    assert.deepStrictEqual(
      lane?.segments.map(({ from, to, percent, isPlanned }) => [
        (from - now) / dayMillis,
        (to - now) / dayMillis,
        percent,
        isPlanned
      ]),
      [
        [-10, -5, 10, false],
        [-5, 0, 20, false],
        [0, 4, 20, true],
        [4, 10, 100, true]
      ]
    )
  })

  it("ends those that were ended early where they ended, and draws those without an end until the edge", () => {
    const ended = experiment({ status: "terminated", terminatedAt: days(-2) })
    const endless = experiment({ id: 2, endsAt: null })
    const [first, second] = lanesOf([ended, endless], now, horizon)
    assert.deepStrictEqual(
      first?.segments.map(({ to }) => to),
      [now - 2 * dayMillis]
    )
    assert.strictEqual(second?.segments.at(-1)?.to, horizon)
    assert.isNull(second?.endsAt ?? null)
  })

  it("marks a plan that would hold what another experiment holds at the same time, by the path that both hold", () => {
    const shop = draft({
      groups: [freshGroup("A", "50"), { ...freshGroup("B", "50"), operations: [{ op: "delete", path: ["shop"] }] }]
    })
    assert.deepStrictEqual(collisionsOf(shop, [experiment()]), [{ id: 1, name: "Cheaper pack", path: ["shop"] }])
    assert.deepStrictEqual(collisionsOf({ ...shop, baseId: 6 }, [experiment()]), [])
    assert.deepStrictEqual(collisionsOf({ ...shop, startDay: "2026-11-29" }, [experiment()]), [])
    assert.deepStrictEqual(collisionsOf(shop, [experiment({ status: "completed", endsAt: days(-1) })]), [])
    assert.deepStrictEqual(collisionsOf(draft(), [experiment()]), [])
  })

  it("begins on a Monday, and holds the present day in its ninth week", () => {
    const window = windowAt(now, 0)
    assert.strictEqual(new Date(window.from).toISOString(), "2026-09-21T00:00:00.000Z")
    assert.strictEqual(new Date(window.to).toISOString(), "2026-12-14T00:00:00.000Z")
    assert.strictEqual(windowAt(now, 6).from - window.from, 42 * dayMillis)
    assert.strictEqual(ticksIn(window).length, 6)
  })

  it("groups lanes by layer, those without one last", () => {
    const lanes = lanesOf(
      [experiment(), experiment({ id: 2, exclusionLayer: "shop" }), experiment({ id: 3, exclusionLayer: "menu" })],
      now,
      horizon
    )
    assert.deepStrictEqual(
      byLayer(lanes).map(([layer, own]) => [layer, own.map(({ id }) => id)]),
      [
        ["menu", [3]],
        ["shop", [2]],
        [null, [1]]
      ]
    )
  })
})

describe("the list of experiments", () => {
  it("keeps its state in the address", () => {
    const states = [
      { view: "table", search: "", standing: "all", weeks: 0, shown: 50 },
      { view: "calendar", search: "a&b", standing: "ended", weeks: -6, shown: 100 }
    ] as const
    for (const state of states) assert.deepStrictEqual(listCodec.read(listCodec.write(state)), state)
    assert.strictEqual(listCodec.write(states[0]).toString(), "")
    assert.deepStrictEqual(listCodec.read(new URLSearchParams("view=x&status=x&weeks=1e9&shown=0")), states[0])
  })

  it("shows what runs first, and finds by name, words and owner", () => {
    const all = [
      experiment({ id: 1, status: "completed" }),
      experiment({ id: 2, status: "scheduled", hypothesis: "Sells more" }),
      experiment({ id: 3, status: "paused", createdBy: { id: "u", email: "ada@example.com" } }),
      experiment({ id: 4, startsAt: days(-1) })
    ]
    const shown = (search: string, standing: "all" | "ended") => listed(all, { search, standing }).map(({ id }) => id)
    assert.deepStrictEqual(shown("", "all"), [4, 3, 2, 1])
    assert.deepStrictEqual(shown("", "ended"), [1])
    assert.deepStrictEqual([shown("SELLS", "all"), shown("ada@", "all")], [[2], [3]])
  })

  it("says one word: a guardrail that loses outweighs goals that win, and nothing is said of an unfair split", () => {
    type Verdict = Parameters<typeof outcomeOf>[0]["metrics"][number]["comparisons"][number]["verdict"]
    const metrics = (role: "goal" | "guardrail", verdicts: ReadonlyArray<Verdict>) =>
      verdicts.map((verdict) => ({ role, comparisons: [{ verdict }] }))
    const words = (goals: ReadonlyArray<Verdict>, guardrails: ReadonlyArray<Verdict> = [], isFair = true) =>
      outcomeOf({
        metrics: [...metrics("goal", goals), ...metrics("guardrail", guardrails)],
        srm: { verdict: isFair ? "healthy" : "unhealthy" }
      })
    assert.deepStrictEqual(
      [
        words([]),
        words(["collecting"]),
        words(["collecting", "inconclusive"]),
        words(["winning", "inconclusive"]),
        words(["winning"], ["losing"]),
        words(["winning", "losing"]),
        words(["losing"], ["winning"]),
        words(["winning"], [], false)
      ],
      ["noGoal", "collecting", "inconclusive", "winning", "losing", "mixed", "losing", "unhealthy"]
    )
  })
})

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

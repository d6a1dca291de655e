import { assert, describe, it } from "@effect/vitest"
import { dayMillis } from "../../../src/domain/Durations.ts"
import { freshGroup } from "../../../src/web/experiments/create/PlanDraft.ts"
import { byLayer, lanesOf, ticksIn, windowAt } from "../../../src/web/experiments/Lanes.ts"
import { listCodec, listed } from "../../../src/web/experiments/ListState.ts"
import { outcomeOf } from "../../../src/web/experiments/Outcome.ts"
import { now, days, experiment, horizon, draft, collisionsOf } from "./ExperimentParts.ts"

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

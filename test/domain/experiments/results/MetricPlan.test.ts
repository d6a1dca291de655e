import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { planGoalQuery, planMetric } from "../../../../src/domain/experiments/results/MetricPlan.ts"
import type { ScorecardRequest } from "../../../../src/domain/experiments/results/ScorecardRequest.ts"
import { planScorecard } from "../../../../src/domain/experiments/results/ScorecardRequest.ts"
import { ExperimentGroupId, ExperimentId } from "../../../../src/domain/Ids.ts"
import { named } from "../../../support/analytics/Markers.ts"

const day = 86_400_000
const amount = (type: string, argument: string | null = null) => ({
  selector: named(type),
  filter: unfiltered,
  argument
})
const open = { from: 0, to: Infinity, countsAfter: -Infinity }

describe("a metric asks", () => {
  it("whether, how often or how much within days of the exposure", () => {
    assert.deepEqual(Either.getOrThrow(planMetric({ type: "proportion", marker: "buy", withinDays: 3 })), {
      type: "amounts",
      amounts: [amount("buy")],
      atLeast: 1,
      window: { ...open, to: 3 * day }
    })
    assert.deepEqual(
      Either.getOrThrow(planMetric({ type: "mean", marker: "buy", aggregation: "sum", argument: "price" })),
      {
        type: "amounts",
        amounts: [amount("buy", "price")],
        atLeast: null,
        window: open
      }
    )
    const ratio = { type: "ratio", marker: "buy", aggregation: "count", denominator: { marker: "play" } } as const
    assert.deepEqual(Either.getOrThrow(planMetric(ratio)), {
      type: "amounts",
      amounts: [amount("buy"), amount("play")],
      atLeast: null,
      window: open
    })
  })

  it("whether a unit came back on the day, once that is over", () => {
    assert.deepInclude(Either.getOrThrow(planMetric({ type: "retention", marker: "login", day: 7 })), {
      atLeast: 1,
      window: { from: 7 * day, to: 8 * day, countsAfter: 8 * day }
    })
  })

  it("nothing when a sum has no argument", () => {
    assert.isTrue(Either.isLeft(planMetric({ type: "mean", marker: "buy", aggregation: "sum" })))
  })
})

const time = { step: "day", relative: { step: "day", value: 30 } } as const
const asking = { now: 400 * day, zone: "UTC", weekStart: 0 } as const

describe("a saved query as a metric", () => {
  const returning = (criterion: "on" | "onOrBefore" | "onOrAfter") =>
    Either.getOrThrow(
      planGoalQuery(
        {
          queryType: "retention",
          spec: {
            time,
            start: { name: "install" },
            return: { name: "login" },
            interval: "week",
            intervals: 2,
            startMode: "firstTime",
            criterion,
            window: "calendar",
            minimumOccurrences: 3,
            dateBy: "start",
            breakdowns: [],
            breakdownLimit: 25
          }
        },
        asking
      )
    )

  it("of retention counts returns in its last column from the exposure on", () => {
    assert.deepEqual(returning("on"), {
      type: "amounts",
      amounts: [amount("login")],
      atLeast: 3,
      window: { from: 14 * day, to: 21 * day, countsAfter: 21 * day }
    })
    const interval = 7 * day
    const before = { window: { from: 7 * day, to: 21 * day, countsAfter: 21 * day }, interval }
    assert.deepInclude(returning("onOrBefore"), before)
    const after = { window: { from: 14 * day, to: Infinity, countsAfter: 21 * day }, interval }
    assert.deepInclude(returning("onOrAfter"), after)
  })

  it("of a funnel forgets when and by what it was asked", () => {
    const planned = (now: number) =>
      planGoalQuery(
        {
          queryType: "funnel",
          spec: {
            time,
            steps: ["see", "buy"].map((name) => ({ id: name, name, optional: false })),
            order: "ordered",
            conversionWindow: { step: "day", value: 1 },
            exclusions: [],
            holdConstant: [],
            breakdowns: [{ source: "property", name: "country" }],
            breakdownLimit: 25,
            breakdownAttribution: "first",
            options: { display: "overTime" }
          }
        },
        { ...asking, now }
      )
    assert.deepEqual(planned(400 * day), planned(401 * day))
    const metric = Either.getOrThrow(planned(400 * day))
    assert(metric.type === "funnel")
    assert.deepInclude(metric.funnel, { breakdowns: [], overTime: null, window: day })
  })
})

describe("a scorecard asks", () => {
  const request: ScorecardRequest = {
    experimentId: ExperimentId.make(7),
    unitType: "user",
    groupIds: [1, 2].map((id) => ExperimentGroupId.make(id)),
    startsAt: 390 * day,
    phases: [390 * day],
    metrics: [],
    multipleExposure: "exclude",
    from: null,
    to: null,
    endedAt: null,
    now: 400 * day + 1,
    zone: "Europe/Berlin"
  }
  const planned = (changes: Partial<ScorecardRequest>) => planScorecard({ ...request, ...changes })

  it("for everything up to now, and is one question for the rest of the minute", () => {
    const plan = Either.getOrThrow(planned({}))
    assert.deepEqual(plan.range, { from: -Infinity, to: 400 * day + 2 })
    assert.strictEqual(plan.asOf, 400 * day + 60_000)
    const later = Either.getOrThrow(planned({ now: 400 * day + 59_999 }))
    assert.deepEqual({ ...later, range: plan.range }, plan)
  })

  it("of an experiment that has ended for everything up to its end, and later where the request says so", () => {
    const endedAt = 397 * day
    const plan = Either.getOrThrow(planned({ endedAt }))
    assert.deepEqual([plan.range, plan.asOf], [{ from: -Infinity, to: endedAt }, endedAt])
    assert.deepEqual(Either.getOrThrow(planned({ endedAt, now: 500 * day })), plan)
    const later = Either.getOrThrow(planned({ endedAt, to: 399 * day }))
    assert.deepEqual([later.range.to, later.asOf], [399 * day, 399 * day])
    assert.strictEqual(Either.getOrThrow(planned({ endedAt, from: 398 * day })).range.to, 400 * day + 2)
  })

  it("for what can be asked, however long ago it is said to have begun", () => {
    const { days } = Either.getOrThrow(planned({ startsAt: Date.parse("1850-01-01T00:00:00Z") }))
    assert.isAtMost(days.length, 1001)
  })

  it("for local days, those asked for or 400", () => {
    const hour = 3_600_000
    const { days } = Either.getOrThrow(planned({ from: 398 * day, to: 400 * day }))
    assert.deepEqual(days, [398 * day - hour, 399 * day - hour, 400 * day - hour])
    assert.isAtLeast(Either.getOrThrow(planned({})).days.length, 400)
    assert.isAtMost(Either.getOrThrow(planned({ from: 0, to: 20_000 * day })).days.length, 1001)
  })

  it("not for a range that ends before it begins, or outside the calendar", () => {
    for (const range of [{ from: 10 * day, to: 10 * day }, { from: 401 * day }, { to: Number.MAX_SAFE_INTEGER }]) {
      const { kind } = Either.getOrThrow(Either.flip(planned(range)))
      assert.strictEqual(kind, "timeRange")
    }
  })

  it("for the start as its only phase while none has begun", () => {
    assert.deepEqual(Either.getOrThrow(planned({ phases: [] })).phases, [390 * day])
  })
})

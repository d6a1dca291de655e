import { assert, it } from "@effect/vitest"
import { DateTime, Either } from "effect"
import { planFunnel } from "../../../../src/domain/analytics/funnel/FunnelQuery.ts"
import { planInsight } from "../../../../src/domain/analytics/insight/InsightQuery.ts"
import { eachOf, problem, together } from "../../../../src/domain/analytics/question/QueryProblem.ts"
import { planRetention } from "../../../../src/domain/analytics/retention/RetentionQuery.ts"

const asking = { now: Date.parse("2026-03-20T00:00:00Z"), zone: "UTC", weekStart: 1 } as const
const instant = (text: string) => DateTime.unsafeMake(text)
const upsideDown = {
  step: "day",
  timezone: "Europe/Berln",
  from: instant("2026-03-02T00:00:00Z"),
  to: instant("2026-03-01T00:00:00Z")
} as const
const timeProblems = [
  "time.timezone: there is no time zone Europe/Berln, did you mean Europe/Berlin?",
  "time.to: must lie after time.from"
]
const unread = [{ source: "argument", name: "price", operator: "greaterThan", value: "x" }] as const
const plain = { breakdowns: [], breakdownLimit: 25 }
const metric = (id: string) => ({
  id,
  visible: true,
  data: { type: "totalEvents", name: "Login", filters: unread } as const
})

const told = (planned: Either.Either<unknown, { readonly kind: string; readonly message: string }>) =>
  Either.isLeft(planned) ? [planned.left.kind, ...planned.left.message.split("; ")] : []

it("an insight is told all that is wrong with it, with the code of the first problem", () => {
  const query = { ...plain, time: upsideDown, options: { cumulative: false } }
  const breakdowns = [{ source: "cohort", name: "x" }] as const
  assert.deepStrictEqual(told(planInsight({ ...query, breakdowns, metrics: [metric("A"), metric("A")] }, asking)), [
    "invalid",
    "metrics: two have the id A",
    ...timeProblems,
    "metrics.0.data.filters.0.value: expected a number, since greaterThan compares numbers",
    "metrics.1.data.filters.0.value: expected a number, since greaterThan compares numbers",
    "breakdowns.0.name: there is no cohort x in this environment"
  ])
  const many = Array.from({ length: 16 }, (_, index) => metric(`m${index}`))
  assert.deepStrictEqual(told(planInsight({ ...query, metrics: many }, asking)), [
    "limit",
    "metrics: expected at most 15",
    ...timeProblems
  ])
})

it("an id is written as the server writes it, or names nothing", () => {
  const time = { step: "day", relative: { step: "day", value: 7 } } as const
  const name = (source: "cohort" | "experiment", id: string) =>
    told(
      planInsight(
        {
          ...plain,
          time,
          options: { cumulative: false },
          breakdowns: [{ source, name: id }],
          metrics: [{ ...metric("A"), data: { type: "totalEvents", name: "Login" } }]
        },
        asking
      )
    )
  for (const source of ["cohort", "experiment"] as const) {
    assert.deepStrictEqual(name(source, "7"), [])
    for (const id of ["7.0", "07", "+7", "7e0", "0x7", "0", "", "9007199254740993"])
      assert.deepStrictEqual(name(source, id), [
        "reference",
        `breakdowns.0.name: there is no ${source} ${id} in this environment`
      ])
  }
})

it("a funnel and a retention are told all that is wrong with them", () => {
  const steps = ["a", "a"].map((id) => ({ id, name: "Login", optional: false, filters: unread }))
  const filters = ["steps.0.filters.0.value", "steps.1.filters.0.value"].map(
    (path) => `${path}: expected a number, since greaterThan compares numbers`
  )
  const funnel = {
    ...plain,
    time: upsideDown,
    steps,
    conversionWindow: { step: "day", value: 1 },
    order: "ordered",
    exclusions: [],
    holdConstant: [],
    breakdownAttribution: "first",
    options: {}
  } as const
  const twice = "steps.1.id: an earlier step has the same id"
  assert.deepStrictEqual(told(planFunnel(funnel, asking)), ["timeZone", ...timeProblems, ...filters, twice])
  const retention = {
    ...plain,
    time: upsideDown,
    start: { name: "Login", filters: unread },
    interval: "day",
    intervals: 7,
    startMode: "recurring",
    criterion: "on",
    window: "calendar",
    minimumOccurrences: 0,
    dateBy: "start"
  } as const
  assert.deepStrictEqual(told(planRetention(retention, asking)), [
    "invalid",
    "minimumOccurrences: expected at least 1",
    ...timeProblems,
    "start.filters.0.value: expected a number, since greaterThan compares numbers",
    "return.filters.0.value: expected a number, since greaterThan compares numbers"
  ])
})

it("problems of parts are told together, twenty of them, each once", () => {
  assert.deepStrictEqual(together({ one: Either.right(1), two: Either.right("x") }), Either.right({ one: 1, two: "x" }))
  assert.deepStrictEqual(eachOf([]), Either.right([]))
  const all = Array.from({ length: 25 }, (_, index) => problem("invalid", `p${index}`))
  const message = told(eachOf([problem("limit", "p0"), ...all]))
  assert.deepStrictEqual(message.slice(0, 3), ["limit", "p0", "p1"])
  assert.deepStrictEqual(message.slice(-2), ["p19", "and 5 more"])
})

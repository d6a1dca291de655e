import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { FunnelPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { excluding, planOf } from "../../support/analytics/FunnelPlans.ts"
import { freshEnvironment, id, marker, stores } from "../../support/analytics/EventStores.ts"

const exposure = (experimentId: number) => ({ type: "$exposure", arguments: { experimentId, groupId: 2 } })

const strict = (steps: string, more: Partial<FunnelPlan> = {}): FunnelPlan =>
  planOf(steps, { order: "strict", range: { from: base - day, to: base + day }, window: day, ...more })

const ofExperiment = (experimentId: number): FunnelPlan => {
  const [login, exposed, purchase] = strict("Login $exposure Purchase").steps
  const conditions = [
    { source: "argument" as const, name: "experimentId", operator: "equal" as const, operands: [experimentId] }
  ]
  const chosen = { selector: { ...exposed!.selector, filter: { match: "all" as const, conditions } }, optional: false }
  return strict("Login Purchase", { steps: [login!, chosen, purchase!] })
}

/** The plans, and how many stand at each step. */
const cases: ReadonlyArray<readonly [title: string, plan: FunnelPlan, counts: ReadonlyArray<number>]> = [
  ["end no attempt", strict("Login Purchase"), [3, 2]],
  [
    "end no attempt beneath a filter",
    strict("Login Purchase", {
      filter: {
        match: "all",
        conditions: [{ source: "argument", name: "groupId", operator: "isNot", operands: ["9"] }]
      }
    }),
    [3, 2]
  ],
  [
    "end no attempt over time",
    strict("Login Purchase", { overTime: { step: "day", zone: "UTC", boundaries: [base - day, base + day] } }),
    [3, 2]
  ],
  ["are a step that asks for them, once or twice", strict("Login $exposure Purchase"), [3, 1, 1]],
  ["of another experiment end no attempt either", ofExperiment(1), [3, 1, 1]],
  ["exclude where they are excluded", strict("Login Purchase", { exclusions: [excluding("$exposure", 0, 1)] }), [2, 1]]
]

for (const [label, store] of stores) {
  layer(store)(`exposures between the steps of a strict funnel in ${label}`, (it) => {
    it.effect.each(cases)("%s", ([, plan, counts]) =>
      Effect.gen(function* () {
        const { append, ask, maintain } = yield* EventStore
        const environment = freshEnvironment()
        yield* TestClock.setTime(base)
        yield* append(environment, base, [
          marker({ markerId: id(1), unitId: "exposed", type: "Login" }),
          marker({ ...exposure(1), markerId: id(2), unitId: "exposed", timestamp: base + 1 }),
          marker({ ...exposure(2), markerId: id(3), unitId: "exposed", timestamp: base + 2 }),
          marker({ markerId: id(4), unitId: "exposed", timestamp: base + 3, type: "Purchase" }),
          marker({ markerId: id(5), unitId: "direct", type: "Login" }),
          marker({ markerId: id(6), unitId: "direct", timestamp: base + 1, type: "Purchase" }),
          marker({ markerId: id(7), unitId: "elsewhere", type: "Login" }),
          marker({ markerId: id(8), unitId: "elsewhere", timestamp: base + 1, type: "Level" }),
          marker({ markerId: id(9), unitId: "elsewhere", timestamp: base + 2, type: "Purchase" })
        ])
        const counted = Effect.map(ask(environment, { kind: "funnel", plan }), ({ answer }) =>
          answer.series[0]!.steps.map(({ count }) => count)
        )
        assert.deepStrictEqual(yield* counted, counts)
        yield* maintain({ now: base, retention: [] })
        assert.deepStrictEqual(yield* counted, counts)
      })
    )
  })
}

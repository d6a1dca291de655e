import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Event, Value } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered, type Filter } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"
import type { Question } from "../../../src/domain/analytics/question/Question.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { freshEnvironment, id, insight, listing, marker, stores } from "../../support/analytics/EventStores.ts"

/** Names that every object inherits, so that a marker seems to have a value of them when it has none. */
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty"]

const range = { from: base - day, to: base + 5 * day }
const named = (value: Value) => Object.fromEntries(["plain", ...inherited].map((name) => [name, value]))

const events: ReadonlyArray<Event> = [
  marker({ markerId: id(1), unitId: "u1", arguments: named(2), properties: named("x") }),
  marker({ markerId: id(2), unitId: "u1", timestamp: base + day, arguments: { other: 5 }, properties: { other: "x" } }),
  marker({ markerId: id(3), unitId: "u2", arguments: { other: 5 } }),
  marker({ markerId: id(4), unitId: "u2", timestamp: base + day, arguments: named(3), properties: named("y") }),
  marker({ markerId: id(5), unitId: "u3", arguments: named("text"), properties: named("x") })
]

const login: Selector = { types: ["Login"], filter: unfiltered }

const isSet = (name: string): Filter => ({
  match: "all",
  conditions: [{ source: "property", name, operator: "isSet", operands: [] }]
})

const insightBy = (name: string, filter: Filter) => ({
  ...insight,
  filter,
  metrics: [
    { id: "A", selector: login, measure: { type: "totalEvents" as const } },
    { id: "B", selector: login, measure: { type: "sum" as const, argument: name } }
  ],
  breakdowns: [{ source: "property" as const, name }],
  breakdownLimit: 10
})

/** Questions in which the name decides, of the kinds whose answers do not say it. */
const questionsAbout = (name: string): ReadonlyArray<Question> => [
  { kind: "insight", plan: insightBy(name, unfiltered) },
  { kind: "insight", plan: { ...insightBy(name, isSet(name)), breakdowns: [{ source: "argument", name }] } },
  {
    kind: "funnel",
    plan: {
      range,
      steps: [
        { selector: login, optional: false },
        { selector: login, optional: false }
      ],
      order: "ordered",
      window: 2 * day,
      filter: unfiltered,
      exclusions: [],
      holdConstant: [],
      breakdowns: [{ source: "property", name }],
      breakdownLimit: 10,
      attribution: { type: "first" },
      overTime: null
    }
  },
  {
    kind: "retention",
    plan: {
      periods: insight.buckets,
      firstRow: 0,
      rows: 4,
      criterion: { type: "on", columns: 2 },
      window: "calendar",
      minimumOccurrences: 1,
      dateBy: "start",
      start: login,
      return: login,
      startMode: "recurring",
      filter: unfiltered,
      breakdowns: [{ source: "property", name }],
      breakdownLimit: 10
    }
  },
  { kind: "listing", plan: { ...listing, filter: isSet(name) } }
]

for (const [label, store] of stores) {
  layer(store)(`names that every object inherits, in ${label}`, (it) => {
    it.effect("have values in those markers only that say one", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environmentId = freshEnvironment()
        yield* append(environmentId, base, events)
        const answersAbout = (name: string) =>
          Effect.forEach(questionsAbout(name), (question) =>
            Effect.map(ask(environmentId, question), ({ answer }) => answer)
          )
        const expected = yield* answersAbout("plain")
        for (const name of inherited) assert.deepStrictEqual(yield* answersAbout(name), expected, name)
        const { answer } = yield* ask(environmentId, {
          kind: "insight",
          plan: insightBy("__proto__", unfiltered)
        })
        assert.deepStrictEqual(
          answer.groups.map(({ values }) => values),
          [["x"], [null], ["y"]]
        )
        const { answer: profile } = yield* ask(environmentId, { kind: "profile", plan: { unitId: "u1" } })
        assert.sameMembers(Object.keys(profile), ["other", "plain", ...inherited])
      })
    )
  })
}

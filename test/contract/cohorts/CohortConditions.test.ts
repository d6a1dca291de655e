import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { everything } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"
import type { CohortPlan, PlannedCondition } from "../../../src/domain/cohorts/CohortPlan.ts"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { freshEnvironment, marker, stores } from "../../support/cohorts/CohortStores.ts"

const only = (condition: PlannedCondition): CohortPlan => ({ op: "and", negate: false, children: [condition] })

const sequence = (first: Selector["types"], next: Selector["types"]): CohortPlan =>
  only({
    type: "sequence",
    first: { types: first, filter: everything },
    next: { types: next, filter: everything },
    within: 1000,
    window: { since: "epoch", from: base - day, to: base + day }
  })

for (const [label, store] of stores) {
  layer(store)(`conditions of cohorts in ${label}`, (it) => {
    it.effect("a sequence within one millisecond does not depend on the order of arrival", () =>
      Effect.gen(function* () {
        const { append } = yield* EventStore
        const { evaluate } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [
          marker("inOrder", "A"),
          marker("inOrder", "B"),
          marker("reversed", "B"),
          marker("reversed", "A"),
          marker("earlier", "B", { timestamp: base - 1 }),
          marker("earlier", "A"),
          marker("late", "A"),
          marker("late", "B", { timestamp: base + 1001 })
        ])
        const found = yield* evaluate(environment, sequence(["A"], ["B"]), 10)
        assert.deepInclude(found, { count: 2, sample: ["inOrder", "reversed"] })
      })
    )

    it.effect("a marker that is both steps of a sequence serves as one of them", () =>
      Effect.gen(function* () {
        const { append } = yield* EventStore
        const { evaluate } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [
          marker("once", "A"),
          marker("twice", "A"),
          marker("twice", "A"),
          marker("other", "B"),
          marker("other", "A")
        ])
        const found = yield* evaluate(environment, sequence(["A"], ["A", "B"]), 10)
        assert.deepInclude(found, { count: 2, sample: ["other", "twice"] })
      })
    )
  })
}

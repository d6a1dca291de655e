import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
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
    first: { types: first, filter: unfiltered },
    next: { types: next, filter: unfiltered },
    within: 1000,
    window: { since: "epoch", from: base - day, to: base + day }
  })

/** Markers on at least so many days of a zone. */
const onDays = (value: number, zone: string): CohortPlan =>
  only({
    type: "behaviour",
    did: true,
    selector: { types: ["Play"], filter: unfiltered },
    measure: "distinctDays",
    argument: "",
    zone,
    operator: "greaterThanOrEqual",
    value: [value, value],
    window: { since: "epoch", from: base, to: base + 60 * day }
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

    it.effect("days are those of the zone, with 23 or 25 hours where clocks change", () =>
      Effect.gen(function* () {
        const { append } = yield* EventStore
        const { evaluate } = yield* CohortMembers
        const environment = freshEnvironment()
        const played = (unitId: string, ...instants: ReadonlyArray<string>) =>
          instants.map((instant) => marker(unitId, "Play", { timestamp: Date.parse(instant) }))
        yield* append(environment, base, [
          ...played("overMidnight", "2026-03-10T22:30:00Z", "2026-03-10T23:30:00Z"),
          ...played("shortDay", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z"),
          ...played("afterIt", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"),
          ...played("oneEvening", "2026-03-10T23:30:00Z", "2026-03-11T00:30:00Z")
        ])
        const ofZone = (zone: string) => Effect.map(evaluate(environment, onDays(2, zone), 10), ({ sample }) => sample)
        assert.deepStrictEqual(yield* ofZone("Europe/Berlin"), ["afterIt", "overMidnight"])
        assert.deepStrictEqual(yield* ofZone("UTC"), ["oneEvening", "shortDay"])
      })
    )
  })
}

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base } from "../../support/analytics/FewMarkers.ts"
import { stores, freshEnvironment, marker, cohort, did, ids, firstPage } from "../../support/cohorts/CohortStores.ts"

for (const [label, store] of stores) {
  layer(store)(`generations of members in ${label}`, (it) => {
    it.effect("a generation tells who entered and left, and the one before stays known", () =>
      Effect.gen(function* () {
        const { append } = yield* EventStore
        const { recompute, members, count, membership, ofUnit } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login"), marker("u2", "Login"), marker("u2", "Level")])
        const first = yield* recompute(environment, cohort, did("Login"), base)
        assert.deepInclude(first, { at: base, memberCount: 2, entered: 2, left: 0, highestSequence: 3 })
        yield* append(environment, base, [marker("u3", "Level")])
        const second = yield* recompute(environment, cohort, did("Level"), base + 10)
        assert.deepInclude(second, { at: base + 10, memberCount: 2, entered: 1, left: 1, highestSequence: 4 })
        assert.deepStrictEqual(yield* members(environment, cohort, firstPage), [
          { unitId: "u2", enteredAt: base },
          { unitId: "u3", enteredAt: base + 10 }
        ])
        assert.deepStrictEqual(ids(yield* members(environment, cohort, { ...firstPage, at: base + 9 })), ["u1", "u2"])
        assert.deepStrictEqual(yield* members(environment, cohort, { ...firstPage, at: base - 1 }), [])
        assert.strictEqual(yield* count(environment, cohort, base), 2)
        assert.strictEqual(yield* count(environment, cohort, base - 1), 0)
        const stays = yield* membership(environment, cohort, ["u1", "u2", "nobody"], null)
        assert.deepStrictEqual(stays, [
          { isMember: false, enteredAt: base, leftAt: base + 10 },
          { isMember: true, enteredAt: base, leftAt: null },
          { isMember: false, enteredAt: null, leftAt: null }
        ])
        assert.deepStrictEqual(yield* membership(environment, cohort, ["u1"], base + 9), [
          { isMember: true, enteredAt: base, leftAt: null }
        ])
        assert.deepStrictEqual(yield* ofUnit(environment, "u3"), [{ cohortId: cohort, enteredAt: base + 10 }])
        assert.deepStrictEqual(yield* ofUnit(environment, "u1"), [])
      })
    )

    it.effect("two generations of one instant are a millisecond apart, and who comes back has a new stay", () =>
      Effect.gen(function* () {
        const { replace, membership } = yield* CohortMembers
        const environment = freshEnvironment()
        const generations = [
          yield* replace(environment, cohort, ["u1"], base),
          yield* replace(environment, cohort, [], base),
          yield* replace(environment, cohort, ["u1", "u1"], base - 5)
        ]
        assert.deepStrictEqual(
          generations.map(({ at, memberCount }) => [at, memberCount]),
          [
            [base, 1],
            [base + 1, 0],
            [base + 2, 1]
          ]
        )
        assert.deepStrictEqual(yield* membership(environment, cohort, ["u1"], base + 1), [
          { isMember: false, enteredAt: base, leftAt: base + 1 }
        ])
        assert.deepStrictEqual(yield* membership(environment, cohort, ["u1"], null), [
          { isMember: true, enteredAt: base + 2, leftAt: null }
        ])
      })
    )

    it.effect("recomputations of one cohort at the same time take turns", () =>
      Effect.gen(function* () {
        const { append } = yield* EventStore
        const { recompute, members } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login"), marker("u2", "Level")])
        const [logins, levels] = [did("Login"), did("Level")]
        const plans = [logins, levels, logins, levels]
        const generations = yield* Effect.forEach(plans, (plan) => recompute(environment, cohort, plan, base), {
          concurrency: "unbounded"
        })
        const instants = generations.map(({ at }) => at)
        assert.deepStrictEqual(instants.toSorted(), [base, base + 1, base + 2, base + 3])
        const latest = plans[instants.indexOf(base + 3)]
        assert.deepStrictEqual(ids(yield* members(environment, cohort, firstPage)), [latest === logins ? "u1" : "u2"])
      })
    )
  })
}

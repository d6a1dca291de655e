import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Filter } from "../../../src/domain/analytics/filter/Filter.ts"
import { exposureType } from "../../../src/domain/analytics/filter/Memberships.ts"
import type { CohortPlan } from "../../../src/domain/cohorts/CohortPlan.ts"
import { CohortId, ExperimentId } from "../../../src/domain/Ids.ts"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day } from "../../support/analytics/FewMarkers.ts"
import { stores, freshEnvironment, marker, cohort, did, ids, firstPage } from "../../support/cohorts/CohortStores.ts"
const other = CohortId.make(8)

const counting = (filter: Filter) => ({
  kind: "countedUnits" as const,
  plan: {
    selector: { types: ["Login"] as const, filter },
    range: { from: base - day, to: base + day },
    minimum: 1,
    maximum: null,
    limit: 10
  }
})

for (const [label, store] of stores) {
  layer(store)(`members of cohorts in ${label}`, (it) => {
    it.effect("a cohort that nobody computed has no members", () =>
      Effect.gen(function* () {
        const { members, count, membership, ofUnit } = yield* CohortMembers
        const environment = freshEnvironment()
        assert.deepStrictEqual(yield* members(environment, cohort, firstPage), [])
        assert.strictEqual(yield* count(environment, cohort, null), 0)
        assert.deepStrictEqual(yield* ofUnit(environment, "u1"), [])
        assert.deepStrictEqual(yield* membership(environment, cohort, ["u1"], null), [
          { isMember: false, enteredAt: null, leftAt: null }
        ])
      })
    )

    it.effect("pages of a list go on after the last unit, in the order of UTF-16 code units", () =>
      Effect.gen(function* () {
        const { replace, members } = yield* CohortMembers
        const environment = freshEnvironment()
        const all = ["b", "a", "Z", "🎮", "\uFFFD", "0190b5c2-7f3a-4d21-9c4e-5b6f7a8b9c0d", "é"]
        yield* replace(environment, cohort, all, base)
        const inPages = Effect.fnUntraced(function* (limit: number) {
          const found: Array<string> = []
          for (;;) {
            const page = yield* members(environment, cohort, { at: null, after: found.at(-1) ?? null, limit })
            assert.isAtMost(page.length, limit)
            if (page.length === 0) return found
            found.push(...ids(page))
          }
        })
        for (const limit of [1, 4, 100]) assert.deepStrictEqual(yield* inPages(limit), all.toSorted())
      })
    )

    it.effect("a unit without markers can be put into a cohort, and is the same unit when its first marker comes", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const { replace, recompute, evaluate, members } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login")])
        yield* replace(environment, cohort, ["u2", "u1"], base)
        const isMember: CohortPlan = {
          op: "and",
          negate: false,
          children: [{ type: "reference", reference: { source: "cohort", cohortIds: [cohort], isIn: true } }]
        }
        assert.deepInclude(yield* evaluate(environment, isMember, 10), { count: 1, sample: ["u1"] })
        yield* append(environment, base, [marker("u2", "Login"), marker("u3", "Login")])
        assert.deepInclude(yield* recompute(environment, other, isMember, base), { memberCount: 2, entered: 2 })
        assert.deepStrictEqual(ids(yield* members(environment, other, firstPage)), ["u1", "u2"])
        const outside: Filter = { match: "all", conditions: [{ source: "cohort", cohortIds: [cohort], isIn: false }] }
        assert.deepStrictEqual((yield* ask(environment, counting(outside))).answer, { count: 1, unitIds: ["u3"] })
      })
    )

    it.effect("an evaluation keeps nothing", () =>
      Effect.gen(function* () {
        const { append, version } = yield* EventStore
        const { evaluate, ofUnit } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u2", "Login"), marker("u1", "Login"), marker("u3", "Level")])
        const before = yield* version(environment)
        const { rowsScanned, ...found } = yield* evaluate(environment, did("Login"), 1)
        assert.deepStrictEqual(found, { count: 2, sample: ["u1"], highestSequence: 3 })
        assert.isAbove(rowsScanned, 0)
        assert.deepStrictEqual(yield* ofUnit(environment, "u1"), [])
        assert.deepStrictEqual(yield* version(environment), before)
      })
    )

    it.effect("the version of the data moves when members change, and only then", () =>
      Effect.gen(function* () {
        const { append, version } = yield* EventStore
        const { recompute, remove } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login")])
        const before = yield* version(environment)
        yield* recompute(environment, cohort, did("Login"), base)
        const computed = yield* version(environment)
        assert.notDeepEqual(computed, before)
        yield* recompute(environment, cohort, did("Login"), base + 1)
        assert.deepStrictEqual(yield* version(environment), computed)
        yield* remove(environment, cohort)
        assert.notDeepEqual(yield* version(environment), computed)
      })
    )

    it.effect("a cohort that was removed begins anew, and others keep their members", () =>
      Effect.gen(function* () {
        const { replace, remove, membership, ofUnit } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* replace(environment, cohort, ["u1"], base)
        yield* replace(environment, other, ["u1"], base)
        yield* remove(environment, cohort)
        assert.deepStrictEqual(yield* ofUnit(environment, "u1"), [{ cohortId: other, enteredAt: base }])
        yield* replace(environment, cohort, ["u2"], base - 10)
        assert.deepStrictEqual(yield* membership(environment, cohort, ["u1", "u2"], null), [
          { isMember: false, enteredAt: null, leftAt: null },
          { isMember: true, enteredAt: base - 10, leftAt: null }
        ])
      })
    )

    it.effect("an erased unit is no member and never was, whether it had markers or not", () =>
      Effect.gen(function* () {
        const { append, erase } = yield* EventStore
        const { replace, members, count, membership } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login")])
        yield* replace(environment, cohort, ["u1", "u2", "u3"], base)
        yield* erase(environment, "u1")
        yield* erase(environment, "u2")
        assert.deepStrictEqual(ids(yield* members(environment, cohort, firstPage)), ["u3"])
        assert.strictEqual(yield* count(environment, cohort, null), 1)
        assert.strictEqual(yield* count(environment, cohort, base), 1)
        assert.deepStrictEqual(yield* membership(environment, cohort, ["u1", "u2"], base), [
          { isMember: false, enteredAt: null, leftAt: null },
          { isMember: false, enteredAt: null, leftAt: null }
        ])
      })
    )

    it.effect("a unit that is erased just before its cohort's members are stored is none of them", () =>
      Effect.gen(function* () {
        const { append, erase } = yield* EventStore
        const { recompute, members, count } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login"), marker("u2", "Login")])
        const erased = yield* Effect.once(erase(environment, "u1"))
        const { memberCount } = yield* recompute(environment, cohort, did("Login"), base, Effect.as(erased, true))
        assert.strictEqual(memberCount, 1)
        assert.deepStrictEqual(ids(yield* members(environment, cohort, firstPage)), ["u2"])
        assert.strictEqual(yield* count(environment, cohort, null), 1)
      })
    )

    it.effect("a unit that is erased while its cohort is computed is none of its members", () =>
      Effect.gen(function* () {
        const { append, erase } = yield* EventStore
        const { recompute, members } = yield* CohortMembers
        const environment = freshEnvironment()
        yield* append(environment, base, [marker("u1", "Login"), marker("u2", "Login")])
        const erasing = yield* Effect.fork(erase(environment, "u1"))
        yield* Effect.yieldNow()
        const { memberCount } = yield* recompute(environment, cohort, did("Login"), base)
        yield* Fiber.join(erasing)
        assert.strictEqual(memberCount, 1)
        assert.deepStrictEqual(ids(yield* members(environment, cohort, firstPage)), ["u2"])
      })
    )

    it.effect("environments do not see each other's members", () =>
      Effect.gen(function* () {
        const { replace, members } = yield* CohortMembers
        const [mine, yours] = [freshEnvironment(), freshEnvironment()]
        yield* replace(mine, cohort, ["u1"], base)
        assert.deepStrictEqual(yield* members(yours, cohort, firstPage), [])
      })
    )

    it.effect("units of an experiment are those exposed to one group of it", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        const exposed = (unitId: string, groupId: number | string) =>
          marker(unitId, exposureType, { arguments: { experimentId: 5, groupId } })
        yield* append(environment, base, [
          ...["u1", "u2", "u3", "u4"].map((unitId) => marker(unitId, "Login")),
          exposed("u1", 1),
          exposed("u2", "2"),
          exposed("u3", 1),
          exposed("u3", 2)
        ])
        const of = (groupIds: ReadonlyArray<never>, isIn: boolean): Filter => ({
          match: "all",
          conditions: [{ source: "experiment", experimentId: ExperimentId.make(5), groupIds, isIn }]
        })
        assert.deepStrictEqual((yield* ask(environment, counting(of([], true)))).answer.unitIds, ["u1", "u2"])
        assert.deepStrictEqual((yield* ask(environment, counting(of([], false)))).answer.unitIds, ["u3", "u4"])
      })
    )
  })
}

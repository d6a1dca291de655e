import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { type Cohort, waitAfter } from "../../../src/domain/cohorts/Cohort.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { idOf, newCohort } from "../../support/cohorts/Cohorts.ts"
import { aProject, at } from "../../support/analytics/SavedQueries.ts"
import { everyStore } from "../../support/Stores.ts"

for (const [label, store] of everyStore) {
  layer(store)(`cohorts that were cut off in ${label}`, (it) => {
    it.effect("begin again at once, and wait where that happens again", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const added = (cohort: Parameters<typeof cohorts.insert>[0]) => Effect.flatten(cohorts.insert(cohort))
        const { application, production } = yield* aProject
        for (const each of yield* cohorts.every) yield* cohorts.remove(each.id)
        const deadly = yield* added(newCohort(application.id, production, { dueAt: at(1) }))
        const calm = yield* added(newCohort(application.id, production, { dueAt: at(2) }))
        const told: Array<unknown> = []
        const tell = (before: Cohort, after: Cohort) =>
          Effect.sync(() => void told.push([before.id, before.status, after.status, after.failures]))
        const claim = (now: number) =>
          Effect.map(cohorts.claim(at(now), "a", at(now + 9), [], tell), (one) =>
            Option.getOrNull(Option.map(one, idOf))
          )
        assert.deepStrictEqual([yield* claim(1), yield* claim(20), ...told], [deadly.id, deadly.id])
        assert.strictEqual((yield* cohorts.every).find(({ id }) => id === deadly.id)?.failures, 1)
        // Of two that are due the other one comes, and this one by and by.
        assert.deepStrictEqual([yield* claim(40), yield* claim(41)], [calm.id, null])
        assert.deepStrictEqual(told, [[deadly.id, deadly.status, "failed", 2]])
        const failed = Option.getOrThrow(yield* cohorts.find(production, deadly.id))
        assert.deepStrictEqual([failed.status, failed.failures, failed.startedAt], ["failed", 2, null])
        assert.include(failed.error ?? "", "The server ended, or stood still, while this was computed")
        assert.strictEqual(failed.dueAt?.epochMillis, DateTime.addDuration(at(40), waitAfter(2)).epochMillis)
      })
    )
  })
}

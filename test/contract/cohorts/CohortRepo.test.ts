import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { started } from "../../../src/domain/cohorts/Cohort.ts"
import { CohortId } from "../../../src/domain/Ids.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { fullCohort, idOf, newCohort, run } from "../../support/cohorts/Cohorts.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { aProject, at } from "../../support/analytics/SavedQueries.ts"
import { everyStore } from "../../support/Stores.ts"

const added = (...parameters: Parameters<typeof newCohort>) =>
  Effect.flatMap(CohortRepo, (cohorts) => Effect.orDie(Effect.flatten(cohorts.insert(newCohort(...parameters)))))

for (const [label, store] of everyStore) {
  layer(store)(`cohorts in ${label}`, (it) => {
    it.effect("gives back every field, in the environment it was put into", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production, development } = yield* aProject
        const full = fullCohort(application.id, production)
        const cohort = Option.getOrThrow(yield* cohorts.insert(full))
        assert.deepStrictEqual(cohort, { ...full, id: cohort.id })
        const second = yield* added(application.id, production)
        assert.deepStrictEqual(yield* cohorts.find(production, cohort.id), Option.some(cohort))
        assert.deepStrictEqual(yield* cohorts.find(development, cohort.id), Option.none())
        assert.deepStrictEqual(yield* cohorts.find(production, CohortId.make(987_654)), Option.none())
        assert.deepStrictEqual(yield* cohorts.list(production), [cohort, second])
        assert.deepStrictEqual(yield* cohorts.list(development), [])
        const outlines = [cohort, second].map(({ definition: _, ...outline }) => outline)
        assert.deepStrictEqual(yield* cohorts.outlines(production), outlines)
        assert.deepStrictEqual(yield* cohorts.outlines(development), [])
        assert.includeDeepMembers([...(yield* cohorts.every)], outlines)
        const definitions = [cohort, second].map(({ definition }) => definition ?? "")
        assert.deepStrictEqual(yield* cohorts.size(production), { count: 2, characters: definitions.join("").length })
        assert.deepStrictEqual(yield* cohorts.size(development), { count: 0, characters: 0 })
      })
    )

    it.effect("changes the one cohort, and keeps the nulls", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        const full = Option.getOrThrow(yield* cohorts.insert(fullCohort(application.id, production)))
        const other = yield* added(application.id, production)
        const bare = { ...newCohort(application.id, production, { definition: null, dueAt: null }), id: full.id }
        assert.deepStrictEqual(yield* cohorts.update(bare), Option.some(bare))
        assert.deepStrictEqual(yield* cohorts.list(production), [bare, other])
      })
    )

    it.effect("takes a name once in an environment, whatever its case, and finds it so", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production, development } = yield* aProject
        const whales = yield* added(application.id, production, { name: "Wähler" })
        const elsewhere = yield* added(application.id, development, { name: "Wähler" })
        const taken = newCohort(application.id, production, { name: "WÄHLER" })
        assert.deepStrictEqual(yield* cohorts.insert(taken), Option.none())
        const other = yield* added(application.id, production)
        assert.deepStrictEqual(yield* cohorts.update({ ...other, name: "wähler" }), Option.none())
        assert.deepStrictEqual(yield* cohorts.list(production), [whales, other])
        const renamed = { ...whales, name: "WÄHLER" }
        assert.deepStrictEqual(yield* cohorts.update(renamed), Option.some(renamed))
        assert.deepStrictEqual(yield* cohorts.findByName(production, "wähler"), Option.some(renamed))
        assert.deepStrictEqual(yield* cohorts.findByName(development, "wÄhler"), Option.some(elsewhere))
        assert.deepStrictEqual(yield* cohorts.findByName(production, "Wahler"), Option.none())
      })
    )

    it.effect("gives out the cohort that is due for longest, ties by id, and each to one owner", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        for (const each of yield* cohorts.every) yield* cohorts.remove(each.id)
        const add = (fields: Parameters<typeof newCohort>[2]) => added(application.id, production, fields)
        yield* add({ dueAt: null })
        const later = yield* add({ dueAt: at(3) })
        const first = yield* add({ dueAt: at(2) })
        const second = yield* add({ dueAt: at(2) })
        const claim = (now: number) => cohorts.claim(at(now), "a", at(now + 9), [])
        assert.isFalse(yield* cohorts.isAnyDue(at(1)))
        assert.deepStrictEqual(yield* claim(1), Option.none())
        assert.isTrue(yield* cohorts.isAnyDue(at(2)))
        const both = yield* Effect.all([claim(2), claim(2), claim(2)], { concurrency: "unbounded" })
        assert.deepStrictEqual(both, [
          Option.some(started(first, at(2))),
          Option.some(started(second, at(2))),
          Option.none()
        ])
        assert.deepStrictEqual(yield* cohorts.find(production, first.id), Option.some(started(first, at(2))))
        assert.isFalse(yield* cohorts.isAnyDue(at(2)))
        assert.deepStrictEqual(yield* claim(3), Option.some(started(later, at(3))))
      })
    )

    it.effect("gives out those of organizations that have not been served first, and then the others", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const [busy, quiet] = [yield* aProject, yield* aProject]
        for (const each of yield* cohorts.every) yield* cohorts.remove(each.id)
        const own = [
          yield* added(busy.application.id, busy.production),
          yield* added(busy.application.id, busy.production)
        ]
        const other = yield* added(quiet.application.id, quiet.production, { dueAt: at(5) })
        const served = [busy.application.organizationId]
        const claimed: Array<CohortId> = []
        for (const now of [9, 9, 9, 9]) {
          const one = yield* cohorts.claim(at(now), "a", at(now + 9), served)
          claimed.push(...Option.toArray(Option.map(one, idOf)))
        }
        assert.deepStrictEqual(claimed, [other, ...own].map(idOf))
      })
    )

    it.effect("gives out what a clock planned or claimed that was ahead by hours, and is set back", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        for (const each of yield* cohorts.every) yield* cohorts.remove(each.id)
        const ahead = 3 * 3600
        const planned = yield* added(application.id, production, { dueAt: at(ahead) })
        assert.deepStrictEqual(
          Option.map(yield* cohorts.claim(at(ahead), "a", at(ahead + 15), []), idOf),
          Option.some(planned.id)
        )
        assert.deepStrictEqual(Option.map(yield* cohorts.claim(at(1), "b", at(16), []), idOf), Option.some(planned.id))
        yield* cohorts.update({ ...planned, startedAt: null, dueAt: at(ahead) })
        assert.deepStrictEqual(Option.map(yield* cohorts.claim(at(1), "b", at(16), []), idOf), Option.some(planned.id))
      })
    )

    it.effect("leaves a computation to its owner until the claim runs out or somebody changes the cohort", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        for (const each of yield* cohorts.every) yield* cohorts.remove(each.id)
        const [kept, lost, changed] = yield* Effect.all(
          Array.from({ length: 3 }, () => added(application.id, production, { dueAt: at(1) }))
        )
        for (const { id } of [kept!, lost!, changed!]) {
          const claimed = yield* cohorts.claim(at(1), "a", at(15), [])
          assert.deepStrictEqual(Option.map(claimed, idOf), Option.some(id))
        }
        yield* cohorts.update({ ...changed!, startedAt: null, dueAt: null })
        assert.deepStrictEqual(yield* cohorts.renew("a", at(30), [kept!.id, changed!.id]), [kept!.id])
        assert.deepStrictEqual(yield* cohorts.renew("b", at(30), [kept!.id, lost!.id]), [])
        assert.deepStrictEqual(yield* cohorts.renew("a", at(30), []), [])
        assert.isFalse(yield* cohorts.isAnyDue(at(15)))
        assert.isTrue(yield* cohorts.isAnyDue(at(16)))
        const again = Option.getOrThrow(yield* cohorts.claim(at(16), "b", at(40), []))
        assert.deepStrictEqual([again.id, again.startedAt], [lost!.id, at(16)])
        assert.deepStrictEqual(yield* cohorts.renew("a", at(50), [lost!.id]), [])
        assert.isFalse(yield* cohorts.isAnyDue(at(30)))
      })
    )

    it.effect("keeps the latest thousand runs of each, oldest first", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        const busy = yield* added(application.id, production)
        const calm = yield* added(application.id, production)
        yield* cohorts.addRun(calm.id, run(0, 0))
        for (let n = 0; n < 1003; n++) yield* cohorts.addRun(busy.id, run(n % 2, n))
        const runs = yield* cohorts.runs(busy.id)
        assert.deepStrictEqual(
          runs.map(({ memberCount }) => memberCount),
          Array.from({ length: 1000 }, (_, n) => n + 3)
        )
        assert.deepStrictEqual(runs[0], run(1, 3))
        assert.deepStrictEqual(yield* cohorts.runs(calm.id), [run(0, 0)])
      })
    )

    it.effect("removes one with its history, and gives its id to no other", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        const [kept, gone] = [yield* added(application.id, production), yield* added(application.id, production)]
        for (const { id } of [kept, gone]) yield* cohorts.addRun(id, run(0, 1))
        yield* cohorts.remove(gone.id)
        yield* cohorts.remove(gone.id)
        assert.deepStrictEqual((yield* cohorts.list(production)).map(idOf), [kept.id])
        assert.deepStrictEqual(yield* cohorts.runs(gone.id), [])
        assert.lengthOf(yield* cohorts.runs(kept.id), 1)
        assert.isAbove((yield* added(application.id, production)).id, gone.id)
      })
    )

    it.effect("goes with its environment and with its project, history and all", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const projects = yield* ProjectRepo
        const [lost, left] = [yield* aProject, yield* aProject]
        const [first, second] = [
          yield* added(lost.application.id, lost.production),
          yield* added(lost.application.id, lost.development)
        ]
        const kept = yield* added(left.application.id, left.production)
        for (const { id } of [first, second, kept]) yield* cohorts.addRun(id, run(0, 1))
        yield* projects.removeEnvironment(lost.production)
        yield* clearRemoved
        assert.deepStrictEqual(yield* cohorts.list(lost.production), [])
        assert.deepStrictEqual((yield* cohorts.list(lost.development)).map(idOf), [second.id])
        yield* projects.remove(lost.application.id)
        yield* clearRemoved
        assert.deepStrictEqual(yield* cohorts.list(lost.development), [])
        assert.deepStrictEqual([...(yield* cohorts.runs(first.id)), ...(yield* cohorts.runs(second.id))], [])
        assert.deepStrictEqual(yield* cohorts.list(left.production), [kept])
        assert.lengthOf(yield* cohorts.runs(kept.id), 1)
      })
    )

    it.effect("forgets what a failed transaction wrote", () =>
      Effect.gen(function* () {
        const cohorts = yield* CohortRepo
        const { application, production } = yield* aProject
        const cohort = yield* added(application.id, production)
        const write = Effect.zipRight(cohorts.addRun(cohort.id, run(0, 1)), cohorts.update({ ...cohort, revision: 2 }))
        yield* Effect.flip((yield* Transaction).run(Effect.zipRight(write, Effect.fail("no"))))
        assert.deepStrictEqual(yield* cohorts.list(production), [cohort])
        assert.deepStrictEqual(yield* cohorts.runs(cohort.id), [])
      })
    )
  })
}

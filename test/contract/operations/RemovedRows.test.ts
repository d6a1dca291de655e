import { assert, it, layer } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { DeeplinkRepo } from "../../../src/ports/deeplinks/DeeplinkRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ErasureRepo } from "../../../src/ports/operations/ErasureRepo.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { RemovedRows } from "../../../src/ports/operations/RemovedRows.ts"
import { newCohort } from "../../support/cohorts/Cohorts.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { aProject, anExecution, aSavedQuery, at } from "../../support/analytics/SavedQueries.ts"
import { aDeeplink } from "../../support/deeplinks/Links.ts"
import { anExperimentOf } from "../../support/experiments/StoredExperiments.ts"
import { inFile, metadataStores } from "../../support/Stores.ts"

type Project = Effect.Effect.Success<typeof aProject>

/** One of each that is found without its project or environment. */
const oneOfEach = Effect.fnUntraced(function* ({ application, production }: Project) {
  const query = aSavedQuery(application.id)
  yield* (yield* SavedQueryRepo).insert(query)
  yield* (yield* ExecutionRepo).insert(anExecution(query, production, {}))
  yield* (yield* CohortRepo).insert(newCohort(application.id, production, { dueAt: at(0) }))
  yield* (yield* ErasureRepo).begin({ environmentId: production, unitId: "ann", erasedAt: 1 })
  yield* (yield* ExperimentRepo).insert(yield* anExperimentOf(application.id, production))
  const link = aDeeplink(application.id, {})
  yield* (yield* DeeplinkRepo).insert(link)
  return { query, link }
})

const found = Effect.gen(function* () {
  const due = yield* (yield* CohortRepo).isAnyDue(DateTime.unsafeMake(Date.UTC(2027, 0, 1)))
  return {
    cohorts: (yield* (yield* CohortRepo).every).length,
    due,
    experiments: (yield* (yield* ExperimentRepo).everyOpen(() => null)).length,
    erasures: (yield* (yield* ErasureRepo).unfinished).length,
    claimed: Option.isSome(yield* (yield* ExecutionRepo).claim(at(1), "a", at(2), []))
  }
})

for (const [label, store] of metadataStores) {
  layer(store)(`what was removed, in ${label}`, (it) => {
    it.effect("E8: is hidden at once, before it is deleted", () =>
      Effect.gen(function* () {
        const project = yield* aProject
        const { link } = yield* oneOfEach(project)
        const deeplinks = yield* DeeplinkRepo
        yield* (yield* ProjectRepo).remove(project.application.id)
        const nothing = { cohorts: 0, due: false, experiments: 0, erasures: 0, claimed: false }
        assert.deepStrictEqual(yield* found, nothing)
        assert.deepStrictEqual(yield* deeplinks.findBySlug(link.slug), Option.none())
        const next = aDeeplink((yield* aProject).application.id, { slug: link.slug })
        assert.deepStrictEqual(yield* deeplinks.insert(next), Option.some(next))
        yield* clearRemoved
        assert.deepStrictEqual(yield* found, nothing)
        assert.deepStrictEqual(yield* deeplinks.findBySlug(link.slug), Option.some(next))
      })
    )

    it.effect("is hidden and deleted, while its neighbour stays", () =>
      Effect.gen(function* () {
        const [gone, kept] = [yield* aProject, yield* aProject]
        yield* oneOfEach(gone)
        yield* oneOfEach(kept)
        yield* (yield* ProjectRepo).removeEnvironment(gone.production)
        yield* clearRemoved
        assert.deepStrictEqual(yield* found, { cohorts: 1, due: true, experiments: 1, erasures: 1, claimed: true })
      })
    )
  })
}

const many = 1700

/** Assignments of the environment as another program writes them. */
const fill = (file: string, environmentId: number) => {
  const database = new Database(file)
  database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
    insert into assignments
      select 1, 'u' || i, ${environmentId}, 'user', 1, 1, null, 'active', 'weightedHash', 1, i, null, null from n`)
  database.close()
}

const counting = (file: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Database(file, { readonly: true })),
      (database) => Effect.sync(() => database.close())
    ),
    (database) => ({
      rows: () =>
        database.prepare<[], { count: number }>("select count(*) as count from assignments").get()?.count ?? 0,
      lost: () => database.pragma("foreign_key_check")
    })
  )

it.scoped("E8: no turn of the event loop deletes more than 500 rows of what was removed", () =>
  Effect.gen(function* () {
    const { file, layer: store } = yield* inFile
    const context = yield* Layer.build(store)
    const counts: Array<number> = []
    const work = Effect.gen(function* () {
      const { production } = yield* aProject
      fill(file, production)
      const { rows, lost } = yield* counting(file)
      const look = Effect.zipRight(
        Effect.sync(() => counts.push(rows())),
        nextTurn
      )
      yield* Effect.forkScoped(Effect.forever(look))
      yield* nextTurn
      yield* (yield* ProjectRepo).removeEnvironment(production)
      yield* nextTurn
      yield* clearRemoved
      yield* nextTurn
      yield* nextTurn
      assert.deepStrictEqual(lost(), [])
    })
    yield* Effect.provide(work, context)
    assert.strictEqual(counts[0], many)
    assert.strictEqual(counts.at(-1), 0)
    counts.reduce((before, after) => {
      assert.isAtMost(before - after, 500)
      return after
    })
  })
)

it.scoped("E8: what a process did not come to delete is deleted by the next", () =>
  Effect.gen(function* () {
    const { file, layer: store } = yield* inFile
    const begun = Effect.gen(function* () {
      const project = yield* aProject
      yield* oneOfEach(project)
      fill(file, project.production)
      yield* (yield* ProjectRepo).remove(project.application.id)
    })
    yield* Effect.provide(begun, store)
    const { rows, lost } = yield* counting(file)
    assert.strictEqual(rows(), many)
    const next = yield* Layer.build(store)
    yield* Context.get(next, RemovedRows).clear
    assert.strictEqual(rows(), 0)
    assert.deepStrictEqual(lost(), [])
    const emptied = [
      "configurations",
      "cohorts",
      "deeplinks",
      "saved_queries",
      "executions",
      "erasures",
      "experiments",
      "experiment_drafts"
    ]
    const database = new Database(file, { readonly: true })
    for (const table of emptied) assert.deepStrictEqual(database.prepare(`select * from ${table}`).all(), [], table)
    database.close()
  })
)

// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FastCheck as fc, Option } from "effect"
import type { Execution } from "../../../src/domain/analytics/question/Execution.ts"
import { EnvironmentId, ExecutionId } from "../../../src/domain/Ids.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import type { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { aProject, aSavedQuery, anExecution, at } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { runCount } from "../../support/Runs.ts"
import { everyStore } from "../../support/Stores.ts"

type Step =
  | { readonly do: "insert"; readonly project: number; readonly key: string | null }
  | { readonly do: "claim" | "requeue" | "sweep" }
  | { readonly do: "cancel" | "finish"; readonly nth: number }

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("insert" as const), project: fc.integer({ min: 0, max: 1 }), key: fc.constant(null) }),
    fc.record({ do: fc.constantFrom("claim" as const, "claim" as const, "requeue" as const, "sweep" as const) }),
    fc.record({ do: fc.constantFrom("cancel" as const, "finish" as const), nth: fc.integer({ min: 0, max: 5 }) })
  ),
  { maxLength: 14 }
)

/** What the queue must do, in the simplest words. */
const model = () => {
  let rows: Array<{ id: string; project: number; state: string; ended: number }> = []
  const busy = (project: number) => rows.filter((row) => row.project === project && row.state === "running").length
  return {
    rows: () => rows.map(({ id, state }) => [id, state]),
    waiting: (project: number) =>
      rows.filter((row) => row.project === project && ["queued", "running"].includes(row.state)).length,
    insert: (id: string, project: number) => rows.push({ id, project, state: "queued", ended: -1 }),
    claim: () => {
      const queued = rows.filter(({ state }) => state === "queued")
      const least = Math.min(...queued.map(({ project }) => busy(project)))
      const first = queued.find(({ project }) => busy(project) === least)
      if (first !== undefined) first.state = "running"
      return first?.id ?? null
    },
    requeue: () => rows.forEach((row) => row.state === "running" && (row.state = "queued")),
    end: (id: string, states: ReadonlyArray<string>, next: string, ended: number) => {
      const found = rows.find((row) => row.id === id && states.includes(row.state))
      if (found !== undefined) Object.assign(found, { state: next, ended })
      return found !== undefined
    },
    sweep: (before: number) => (rows = rows.filter(({ ended }) => ended < 0 || ended >= before))
  }
}

const idOf = (run: number, n: number) =>
  ExecutionId.make(`00000000-0000-4000-8000-${String(run * 100 + n).padStart(12, "0")}`)

let runs = 0

const owner = "this process"

const twoProjects = Effect.acquireRelease(Effect.all([aProject, aProject]), (projects) =>
  Effect.forEach(projects, ({ application }) => Effect.flatMap(ProjectRepo, (repo) => repo.remove(application.id)))
)

/** Plays the steps on a repository with projects of its own and on the model; they must agree after each. */
const play = Effect.fnUntraced(function* (script: ReadonlyArray<Step>) {
  const repo = yield* ExecutionRepo
  const queries = yield* SavedQueryRepo
  const projects = yield* twoProjects
  const saved = yield* Effect.forEach(projects, ({ application }) => queries.insert(aSavedQuery(application.id)))
  const expected = model()
  const run = ++runs
  const known: Array<ExecutionId> = []
  for (const [time, step] of script.entries()) {
    if (step.do === "insert") {
      const id = idOf(run, known.length)
      known.push(id)
      expected.insert(id, step.project)
      yield* repo.insert(anExecution(saved[step.project]!, projects[step.project]!.production, { id }))
    } else if (step.do === "claim") {
      const claimed = yield* repo.claim(at(time), owner, at(time + 1), [])
      assert.strictEqual(Option.getOrNull(Option.map(claimed, ({ id }) => id)), expected.claim())
      if (Option.isSome(claimed)) assert.deepStrictEqual(claimed.value.startedAt, at(time))
    } else if (step.do === "requeue") {
      expected.requeue()
      yield* repo.requeue(at(1000))
    } else if (step.do === "sweep") {
      expected.sweep(time - 3)
      yield* repo.removeFinished(at(time - 3))
    } else if ("nth" in step && step.nth < known.length) {
      const id = known[step.nth]!
      const isEnded =
        step.do === "cancel"
          ? Option.isSome(yield* repo.cancel(id, at(time)))
          : yield* repo.finish(id, owner, {
              state: "succeeded",
              result: "{}",
              error: null,
              rowsScanned: 1,
              rowsTotal: 2,
              finishedAt: at(time)
            })
      const states = step.do === "cancel" ? ["queued", "running"] : ["running"]
      assert.strictEqual(isEnded, expected.end(id, states, step.do === "cancel" ? "canceled" : "succeeded", time))
    }
    const present: Array<ReadonlyArray<string>> = []
    for (const id of known) {
      for (const { id: queryId } of saved) {
        const found = yield* repo.find(queryId, id)
        if (Option.isSome(found)) present.push([id, found.value.state])
      }
    }
    assert.deepStrictEqual(present, expected.rows())
    for (const [n, { application }] of projects.entries()) {
      assert.strictEqual(yield* repo.unfinished(application.id), expected.waiting(n))
    }
  }
})

for (const [name, store] of everyStore) {
  layer(store)(`executions in ${name}`, (it) => {
    it.effect(
      "the queue does what its model does",
      () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<ExecutionRepo | SavedQueryRepo | ProjectRepo | OrganizationRepo>()
          const check = fc.asyncProperty(steps, (script) =>
            Effect.runPromise(Effect.provide(Effect.scoped(play(script)), context)).then(() => undefined)
          )
          yield* Effect.promise(() => fc.assert(check, { numRuns: runCount(1000) }))
        }),
      120_000
    )

    it.effect("keeps every field, and finds by idempotency key within query and environment", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const { application, production } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        const execution: Execution = anExecution(query, production, {
          idempotencyKey: "once",
          requester: { kind: "session", userId: query.createdBy!.id },
          rowsTotal: 7
        })
        assert.deepStrictEqual(yield* repo.insert(execution), execution)
        assert.deepStrictEqual(yield* repo.findByKey(query.id, production, "once"), Option.some(execution))
        assert.deepStrictEqual(yield* repo.findByKey(query.id, production, "twice"), Option.none())
        assert.deepStrictEqual(yield* repo.findByKey(query.id, EnvironmentId.make(1e6), "once"), Option.none())
        yield* repo.claim(at(1), owner, at(2), [])
        const error = { code: "FORBIDDEN", message: "no" }
        const ending = {
          state: "failed",
          result: null,
          error,
          rowsScanned: 3,
          rowsTotal: 9,
          finishedAt: at(2)
        } as const
        assert.isTrue(yield* repo.finish(execution.id, owner, ending))
        assert.deepStrictEqual(
          yield* repo.find(query.id, execution.id),
          Option.some({ ...execution, ...ending, attempts: 1, startedAt: at(1) })
        )
      })
    )

    it.effect("G2: removes what has ended and passes a test, in its environment", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const { application, production, development } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        const insert = (environmentId: EnvironmentId, fields: Partial<Execution>) =>
          Effect.map(repo.insert(anExecution(query, environmentId, fields)), ({ id }) => id)
        const ended = { state: "succeeded", finishedAt: at(1) } as const
        const kept = [
          yield* insert(production, { ...ended, result: '["other"]' }),
          yield* insert(production, { ...ended, state: "failed" }),
          yield* insert(development, { ...ended, result: '["gone"]' }),
          yield* insert(production, { definition: '["gone"]' })
        ]
        const removed = [
          yield* insert(production, { ...ended, result: '["gone"]' }),
          yield* insert(production, { ...ended, definition: '["gone"]', result: "{}" })
        ]
        yield* repo.removeMentioning(production, (json) => json === '["gone"]')
        for (const id of kept) assert.isTrue(Option.isSome(yield* repo.find(query.id, id)))
        for (const id of removed) assert.isTrue(Option.isNone(yield* repo.find(query.id, id)))
        yield* (yield* ProjectRepo).remove(application.id)
      })
    )

    it.effect("goes with its query, its environment and its project", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const queries = yield* SavedQueryRepo
        const projects = yield* ProjectRepo
        const { application, production, development } = yield* aProject
        const [a, b, c] = [aSavedQuery(application.id), aSavedQuery(application.id), aSavedQuery(application.id)]
        for (const query of [a, b, c]) {
          yield* queries.insert(query)
          yield* repo.insert(anExecution(query, query === b ? development : production, {}))
        }
        yield* queries.remove(application.id, a.id)
        assert.strictEqual(yield* repo.unfinished(application.id), 2)
        yield* projects.removeEnvironment(development)
        assert.strictEqual(yield* repo.unfinished(application.id), 1)
        yield* projects.remove(application.id)
        assert.strictEqual(yield* repo.unfinished(application.id), 0)
        yield* clearRemoved
        assert.deepStrictEqual(yield* queries.find(application.id, c.id), Option.none())
        assert.isTrue(Option.isNone(yield* repo.claim(DateTime.unsafeMake(0), owner, at(1), [])))
      })
    )
  })
}

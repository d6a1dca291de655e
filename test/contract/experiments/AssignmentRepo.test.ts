// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, it, layer } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, Effect, FastCheck as fc, Layer, Option, Ref } from "effect"
import { MemoryMetadata } from "../../../src/adapters/memory/Memory.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { assignments } from "../../../src/adapters/sql/sums/SummedTables.ts"
import type { Exposure } from "../../../src/domain/experiments/Exposure.ts"
import { groupIn, type StoredAssignment } from "../../../src/domain/experiments/StoredAssignment.ts"
import { ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { type AssignmentFilter, AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { giveSums } from "../../support/operations/RowSums.ts"
import { assigned, exposureOf } from "../../support/experiments/Exposed.ts"
import { inFile, metadataStores } from "../../support/Stores.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { runCount } from "../../support/Runs.ts"

const group = (id: number) => ExperimentGroupId.make(id)
const experiment = (id: number) => ExperimentId.make(id)

const anAssignment = (more: Partial<StoredAssignment> = {}) => assigned(experiment(1), "u1", more)

const anyone: AssignmentFilter = { search: null, source: null, status: null, groupId: null }

for (const [label, store] of metadataStores) {
  layer(store)(`assignments in ${label}`, (it) => {
    it.effect("keeps the first of a unit, and tells everyone which that is", () =>
      Effect.gen(function* () {
        const { production } = yield* aProject
        const repo = yield* AssignmentRepo
        const first = anAssignment({ experimentId: experiment(11) })
        assert.deepStrictEqual(yield* repo.enrol(production, [first]), [first])
        const second = { ...first, automaticGroupId: group(2), assignedAt: 2000 }
        const other = { ...second, distinctId: "u2" }
        assert.deepStrictEqual(yield* repo.enrol(production, [second, other]), [first, other])
        assert.deepStrictEqual(yield* repo.find(production, experiment(11), "u1"), Option.some(first))
        assert.deepStrictEqual(yield* repo.find(production, experiment(12), "u1"), Option.none())
        assert.deepStrictEqual(yield* repo.ofUnits(production, "user", ["u2", "u1", "nobody"]), [first, other])
        assert.deepStrictEqual(yield* repo.ofUnits(production, "server", ["u1"]), [])
        const third = { ...first, distinctId: "u3" }
        const again = { ...third, automaticGroupId: group(2) }
        assert.deepStrictEqual(yield* repo.enrol(production, [third, again]), [third, third])
      })
    )

    it.effect("finds parts of ids as they are written", () =>
      Effect.gen(function* () {
        const { production } = yield* aProject
        const repo = yield* AssignmentRepo
        const ids = ["a%b", "a_b", "aXb", "A\\B", "Émile", "émile"]
        yield* repo.put(
          production,
          ids.map((distinctId) => anAssignment({ experimentId: experiment(31), distinctId }))
        )
        const found = (search: string) =>
          Effect.map(repo.page(experiment(31), { ...anyone, search }, 0, 10), ({ items }) =>
            items.map(({ distinctId }) => distinctId)
          )
        assert.deepStrictEqual(yield* found("%"), ["a%b"])
        assert.deepStrictEqual(yield* found("_"), ["a_b"])
        assert.deepStrictEqual(yield* found("\\"), ["A\\B"])
        assert.deepStrictEqual(yield* found("AxB"), ["aXb"])
        assert.deepStrictEqual(yield* found("É"), ["Émile"])
      })
    )

    it.effect("go with their environment", () =>
      Effect.gen(function* () {
        const { production, development } = yield* aProject
        const repo = yield* AssignmentRepo
        const [gone, kept] = [41, 42].map((id) => anAssignment({ experimentId: experiment(id) }))
        yield* repo.put(production, [gone!])
        yield* repo.put(development, [kept!])
        yield* (yield* ProjectRepo).removeEnvironment(production)
        yield* clearRemoved
        assert.deepStrictEqual(yield* repo.find(production, experiment(41), "u1"), Option.none())
        assert.deepStrictEqual(yield* repo.counts(production), [])
        assert.deepStrictEqual(yield* repo.counts(development), [{ experimentId: experiment(42), count: 1 }])
      })
    )
  })
}

const id = fc.constantFrom("u1", "u2", "U2x", "\uff21", "😀")
const groupId = fc.integer({ min: 1, max: 2 }).map(group)

const some: fc.Arbitrary<StoredAssignment> = fc.record({
  experimentId: fc.integer({ min: 1, max: 2 }).map(experiment),
  unitType: fc.constant("user" as const),
  distinctId: id,
  automaticGroupId: groupId,
  overrideGroupId: fc.option(groupId),
  status: fc.constantFrom("active" as const, "unenrolled" as const),
  source: fc.constantFrom("weightedHash" as const, "manual" as const),
  version: fc.integer({ min: 1, max: 3 }),
  assignedAt: fc.integer({ min: 1, max: 3 }),
  firstExposedAt: fc.option(fc.integer({ min: 1, max: 3 }))
})

const all = fc.array(some, { maxLength: 3 })
const step = fc.oneof(
  fc.record({ do: fc.constant("enrol" as const), all }),
  fc.record({ do: fc.constant("put" as const), all }),
  fc.record({ do: fc.constant("remove" as const), one: some }),
  fc.record({ do: fc.constant("erase" as const), one: some }),
  fc.record({ do: fc.constant("expose" as const), one: some }),
  fc.record({ do: fc.constant("mark" as const), one: some })
)

const page = fc.record({
  filter: fc.record({
    search: fc.option(fc.constantFrom("u", "2", "X")),
    source: fc.option(fc.constantFrom("weightedHash" as const, "manual" as const)),
    status: fc.option(fc.constantFrom("active" as const, "unenrolled" as const)),
    groupId: fc.option(groupId)
  }),
  offset: fc.integer({ min: 0, max: 2 }),
  limit: fc.integer({ min: 1, max: 3 })
})

type Steps = ReadonlyArray<typeof step extends fc.Arbitrary<infer Step> ? Step : never>
type Page = typeof page extends fc.Arbitrary<infer Asked> ? Asked : never

/** Without the environment, whose id differs by store. */
const unplaced = ({ environmentId: _, ...exposure }: Exposure) => exposure

const played = (steps: Steps, { filter, offset, limit }: Page) =>
  Effect.gen(function* () {
    const { production } = yield* aProject
    const repo = yield* AssignmentRepo
    const exposures = yield* ExposureRepo
    const said: Array<unknown> = []
    const exposure = (assignment: StoredAssignment) => exposureOf(production, assignment, assignment.assignedAt)
    for (const each of steps) {
      if (each.do === "enrol") said.push(yield* repo.enrol(production, each.all))
      else if (each.do === "put") yield* repo.put(production, each.all)
      else if (each.do === "remove") yield* repo.remove(production, each.one.experimentId, each.one.distinctId)
      else if (each.do === "erase") said.push(yield* repo.eraseUnit(production, each.one.distinctId))
      else if (each.do === "expose") said.push((yield* exposures.record([exposure(each.one)], [])).map(unplaced))
      else yield* exposures.record([], [exposure(each.one)])
    }
    said.push((yield* exposures.unmarked(10, 10)).map(unplaced))
    said.push(
      yield* repo.ofUnits(production, "user", ["u1", "u2", "U2x", "\uff21", "😀"]),
      yield* repo.counts(production)
    )
    for (const one of [experiment(1), experiment(2)]) {
      said.push(yield* repo.page(one, filter, offset, limit))
      const totals = yield* repo.totals(one)
      const { items } = yield* repo.page(one, anyone, 0, 100)
      for (const { groupId, status, count } of totals)
        assert.strictEqual(items.filter((item) => groupIn(item) === groupId && item.status === status).length, count)
      said.push(totals)
    }
    return said
  })

/** What a store says of a program; it is empty again afterwards. */
const answers = (steps: Steps, asked: Page) =>
  Effect.gen(function* () {
    const said = yield* Ref.make<ReadonlyArray<unknown>>([])
    const program = Effect.flatMap(played(steps, asked), (all) => Ref.set(said, all))
    yield* Effect.flip((yield* Transaction).run(Effect.zipRight(program, Effect.fail("undone"))))
    return yield* Ref.get(said)
  })

it.scoped("E5: what a listing counts is read in a thread, while this one goes on", () =>
  Effect.gen(function* () {
    const { file, layer } = yield* inFile
    const context = yield* Layer.build(layer)
    const repo = Context.get(context, AssignmentRepo)
    const database = new Database(file)
    database.pragma("foreign_keys = off")
    database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000)
      insert into assignments
        select 1, 'u' || i, 1, 'user', 1, 1, null, 'active', 'weightedHash', 1, i, null, null from n`)
    giveSums(database, assignments)
    database.close()
    let turns = 0
    const turn: NodeJS.Timeout = setInterval(() => turns++, 1)
    const { items, total } = yield* repo.page(experiment(1), { ...anyone, search: "9", source: "weightedHash" }, 0, 10)
    clearInterval(turn)
    assert.strictEqual(items.length, 10)
    assert.strictEqual(total, [...Array(60_000).keys()].filter((index) => String(index + 1).includes("9")).length)
    assert.isAbove(turns, 2)
  })
)

it.scoped("random programs say the same of both stores", () =>
  Effect.gen(function* () {
    const memory = yield* Layer.build(MemoryMetadata)
    const sqlite = yield* Layer.build(SqliteMetadata(":memory:"))
    const agree = fc.asyncProperty(fc.array(step, { maxLength: 8 }), page, (steps, asked) =>
      Effect.runPromise(
        Effect.gen(function* () {
          const program = answers(steps, asked)
          const one = yield* Effect.provide(program, memory)
          assert.isNotEmpty(one)
          assert.deepStrictEqual(one, yield* Effect.provide(program, sqlite))
        })
      )
    )
    yield* Effect.promise(() => fc.assert(agree, { numRuns: runCount(1000) }))
  })
)

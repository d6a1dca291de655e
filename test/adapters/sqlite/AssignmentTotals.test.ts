// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, Effect, FastCheck as fc, Layer } from "effect"
import { rmSync } from "node:fs"
import { assignments as summed } from "../../../src/adapters/sql/sums/SummedTables.ts"
import { MetadataRepairs } from "../../../src/adapters/sqlite/operations/MetadataRepairs.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { ExperimentGroupId } from "../../../src/domain/Ids.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { assigned } from "../../support/experiments/Exposed.ts"
import { anExperiment, anExperimentOf } from "../../support/experiments/StoredExperiments.ts"
import { forgetMigrations } from "../../support/operations/OlderMetadata.ts"
import { giveSums } from "../../support/operations/RowSums.ts"
import { runCount } from "../../support/Runs.ts"
import { inFile } from "../../support/Stores.ts"

/** What the totals say, and what there is, by experiment, group and status. */
const counted = (file: string) => {
  const database = new Database(file, { readonly: true })
  const columns = "experiment_id, environment_id, group_id, status"
  const said = database.prepare(`select ${columns}, count from assignment_totals where count <> 0 order by ${columns}`)
  const there = database.prepare(`select ${columns}, count(*) as count from assignments group by ${columns}`)
  const both = [said.all(), there.all()] as const
  database.close()
  return both
}

const step = fc.record({
  does: fc.constantFrom("enrolAll", "enrol", "put", "remove", "erase", "reassign"),
  units: fc.array(
    fc.record({
      unit: fc.constantFrom("ann", "bob", "cid", "dan", "eve"),
      experiment: fc.integer({ min: 0, max: 1 }),
      group: fc.integer({ min: 0, max: 1 }),
      status: fc.constantFrom<"active" | "unenrolled">("active", "unenrolled"),
      isOverridden: fc.boolean()
    }),
    { minLength: 1, maxLength: 6 }
  )
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

it.scoped("assignments are counted by group and status, whichever way they come, move and go", () =>
  Effect.gen(function* () {
    const { file, layer } = yield* inFile
    // Rows that a version counted with a trigger stay counted.
    const experiments = yield* Effect.gen(function* () {
      const repo = yield* ExperimentRepo
      const first = yield* Effect.flatMap(anExperiment, (each) => repo.insert(each))
      const { applicationId, environmentId } = first
      const other = yield* Effect.flatMap(anExperimentOf(applicationId, environmentId), (each) => repo.insert(each))
      return [first, other] as const
    }).pipe(Effect.provide(SqliteMetadata(file)))
    const { environmentId } = experiments[0]
    const older = new Database(file)
    forgetMigrations(older, 35)
    const insert = older.prepare(
      "insert into assignments select ?, ?, ?, 'user', 1, 1, null, 'active', 'weightedHash', 1, 1, null, null"
    )
    for (const unit of ["ann", "old"]) insert.run(experiments[0].id, unit, environmentId)
    giveSums(older, summed)
    older.close()
    rmSync(`${file}-sums`)
    const context = yield* Layer.build(layer)
    const [repo, enrolments] = [Context.get(context, AssignmentRepo), Context.get(context, EnrolmentRepo)]
    const repairs = Context.get(context, MetadataRepairs)
    const revisions = new Map(experiments.map(({ id, revision }) => [id, revision]))
    const play = ({ does, units }: Step) => {
      const all = units.map(({ unit, experiment, group, status, isOverridden }) => {
        const own = experiments[experiment] ?? experiments[0]
        const groupId = own.groups[group]?.id ?? ExperimentGroupId.make(1)
        return assigned(own.id, unit, {
          automaticGroupId: groupId,
          overrideGroupId: isOverridden ? (own.groups[0]?.id ?? null) : null,
          status
        })
      })
      const [one] = all
      if (one === undefined) return Effect.void
      if (does === "enrolAll") return enrolments.enrolAll([{ environmentId, revisions, assignments: all }])
      if (does === "enrol") return repo.enrol(environmentId, all)
      if (does === "put") return repo.put(environmentId, all)
      if (does === "remove") return repo.remove(environmentId, one.experimentId, one.distinctId)
      if (does === "erase") return repo.eraseUnit(environmentId, one.distinctId)
      return repairs.reassign(
        all.map(({ experimentId, distinctId, automaticGroupId }) => ({
          ...{ environmentId, experimentId, distinctId, unitType: "user", at: 5 },
          groupId: automaticGroupId ?? 1
        }))
      )
    }
    assert.deepStrictEqual(...counted(file))
    const property = fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      for (const each of steps) await Effect.runPromise(play(each))
      assert.deepStrictEqual(...counted(file))
    })
    yield* Effect.promise(() => fc.assert(property, { numRuns: runCount(100) }))
    assert.isNotEmpty(counted(file)[0])
  })
)

import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, Effect, Layer, Option } from "effect"
import { rmSync } from "node:fs"
import { checkRows } from "../../../../src/adapters/sqlite/operations/RowCheck.ts"
import { SqliteMetadata } from "../../../../src/adapters/sqlite/Sqlite.ts"
import { type EnvironmentId, ExperimentId } from "../../../../src/domain/Ids.ts"
import { CredentialRepo } from "../../../../src/ports/access/CredentialRepo.ts"
import { ConfigurationRepo } from "../../../../src/ports/configuration/ConfigurationRepo.ts"
import { AssignmentRepo } from "../../../../src/ports/experiments/AssignmentRepo.ts"
import { ExposureRepo } from "../../../../src/ports/experiments/ExposureRepo.ts"
import { addEnvironments, addOrganization, newKey } from "../../../support/access/Tenants.ts"
import { newConfiguration } from "../../../support/configuration/NewConfigurations.ts"
import { assigned, exposureOf } from "../../../support/experiments/Exposed.ts"
import { forgetMigrations } from "../../../support/operations/OlderMetadata.ts"
import { inFile } from "../../../support/Stores.ts"

const units = 4_500

/** Takes the checksums away, as a version without them has left the file. */
const makeOlder = (file: string, environmentId: number) => {
  const database = new Database(file)
  database
    .prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
       insert into assignments select 1, 'u' || i, ?, 'user', 1, 1, null, 'active', 'weightedHash', 1, i, nullif(i % 3, 0), null
       from n`
    )
    .run(units, environmentId)
  database.prepare("insert into assignment_totals values (1, ?, 1, 'active', ?)").run(environmentId, units)
  forgetMigrations(database, 19)
  database.close()
  rmSync(`${file}-sums`)
}

it.scopedLive("rows of an older version get their checksums at the start, some at a time", () =>
  Effect.gen(function* () {
    const { file } = yield* inFile
    const { environment, configuration, key } = yield* Effect.gen(function* () {
      const [one] = yield* addEnvironments
      const configurations = yield* ConfigurationRepo
      for (let at = 0; at < 45; at++) yield* configurations.insert(newConfiguration(one, `other ${at}`))
      const added = yield* configurations.insert(newConfiguration(one, "main", { document: { gold: 5 } }))
      const { id } = yield* addOrganization
      const credential = yield* (yield* CredentialRepo).insert(newKey(id))
      return { environment: one.id, configuration: added, key: credential }
    }).pipe(Effect.provide(SqliteMetadata(file)))
    makeOlder(file, environment)
    const context = yield* Layer.build(SqliteMetadata(file))
    const found = yield* Context.get(context, ConfigurationRepo).find(environment, configuration.id)
    assert.deepStrictEqual(found, Option.some(configuration))
    assert.deepStrictEqual(yield* Context.get(context, CredentialRepo).list(key.organizationId), [key])
    const { total, items } = yield* Context.get(context, AssignmentRepo).page(
      ExperimentId.make(1),
      { search: null, source: null, status: null, groupId: null },
      0,
      units
    )
    assert.deepStrictEqual([total, items.length], [units, units])
    assert.deepStrictEqual(
      (yield* checkRows(file, true)).map(({ isGood }) => isGood),
      [true]
    )
  })
)

it.scopedLive(
  "assignments of an older version are the same in the order of units, counted as before, with their exposures",
  () =>
    Effect.gen(function* () {
      const { file } = yield* inFile
      const said = (environmentId: EnvironmentId) =>
        Effect.gen(function* () {
          const [assignments, exposures] = [yield* AssignmentRepo, yield* ExposureRepo]
          return {
            units: yield* assignments.ofUnits(environmentId, "user", ["ann", "bob", "cid"]),
            totals: yield* Effect.forEach([1, 2, 3], (id) => assignments.totals(ExperimentId.make(id))),
            pages: yield* Effect.forEach([1, 2, 3], (id) =>
              assignments.page(
                ExperimentId.make(id),
                { search: null, source: null, status: null, groupId: null },
                0,
                10
              )
            ),
            unmarked: yield* exposures.unmarked(100, 100)
          }
        })
      const [environmentId, before] = yield* Effect.gen(function* () {
        const [one] = yield* addEnvironments
        const all = [1, 2, 3].flatMap((id) =>
          ["cid", "ann", "bob"].map((unit, at) => ({ ...assigned(ExperimentId.make(id), unit), assignedAt: id + at }))
        )
        yield* (yield* AssignmentRepo).put(one.id, all)
        const exposed = all.slice(0, 5).map((each) => exposureOf(one.id, each, 7))
        yield* (yield* ExposureRepo).record(exposed, [])
        return [one.id, yield* said(one.id)] as const
      }).pipe(Effect.provide(SqliteMetadata(file)))
      assert.deepStrictEqual([before.units.length, before.unmarked.length], [9, 5])
      const database = new Database(file)
      forgetMigrations(database, 32)
      database.close()
      rmSync(`${file}-sums`)
      const context = yield* Layer.build(SqliteMetadata(file))
      assert.deepStrictEqual(yield* Effect.provide(said(environmentId), context), before)
      const erased = Context.get(context, AssignmentRepo).eraseUnit(environmentId, "ann")
      assert.strictEqual(yield* erased, 3)
      const after = yield* Effect.provide(said(environmentId), context)
      assert.deepStrictEqual(
        after.totals.map(([total]) => total?.count),
        [2, 2, 2]
      )
    })
)

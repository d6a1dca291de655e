import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { examine } from "../../../../src/adapters/sqlite/operations/Doctor.ts"
import { linesOf, repair } from "../../../../src/adapters/sqlite/salvage/Repair.ts"
import { caller } from "../../../support/Caller.ts"
import { laboratoryOf, units } from "../../../support/experiments/Laboratory.ts"
import { copyFolder, serverOver } from "../../../support/operations/DamageWorld.ts"
import { withFolder } from "../../../support/Server.ts"

const repaired = (data: string, to: string) =>
  Effect.runPromise(repair({ data, to }).pipe(Effect.map(linesOf), Effect.provide(NodeContext.layer)))

const problemsIn = async (folder: string) =>
  (await Effect.runPromise(examine(folder, true, 36_500).pipe(Effect.provide(NodeContext.layer)))).filter(
    ({ isGood }) => !isGood
  )

const pageSize = 4096

/** Overwrites the last leaf of a table, which is its only page where it is small. */
const destroy = (folder: string, table: string) => {
  const file = join(folder, "metadata.sqlite")
  const database = new Database(file, { readonly: true })
  const last = "select max(pageno) from dbstat where name = ? and pagetype = 'leaf'"
  const page = Number(database.prepare(last).pluck().get(table))
  database.close()
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, new Uint8Array(pageSize).fill(0x5a), 0, pageSize, (page - 1) * pageSize)
  closeSync(descriptor)
}

describe("salvaging metadata", () => {
  it("leaves counters and totals that go on, whatever is lost of them", { timeout: 120_000 }, () =>
    withFolder(async (parent) => {
      const [sound, data, to] = [join(parent, "sound"), join(parent, "data"), join(parent, "to")]
      const first = serverOver(sound)
      const lab = await laboratoryOf(first.request, "ada")
      await lab.end((await lab.begin()).path)
      const begun = await lab.begin()
      for (const player of units(120, "a player with a name of some length "))
        await lab.evaluate(begun.configuration.name, player)
      const groups = new Map((await lab.exposed(begun.path)).map(({ distinctId, groupId }) => [distinctId, groupId]))
      const [own] = (await lab.call("GET", `/application/${lab.studio.applicationId}/v2/configurations`)).body
      await first.close()

      const destroyed: ReadonlyArray<readonly [table: string, lines: ReadonlyArray<RegExp>]> = [
        ["experiment_numbers", [/^metadata\.sqlite: experiment_numbers keeps 0 rows; 1 page of it cannot be read$/]],
        ["sqlite_sequence", [/^metadata\.sqlite: how far ids were given is lost: they go on after the highest/]],
        ["assignment_totals", []],
        ["audit_chains", [/^metadata\.sqlite: audit_chains keeps 0 rows; 1 page of it cannot be read$/]],
        ["assignments", [/^metadata\.sqlite: assignments keeps \d+ rows; 1 page of it cannot be read$/]]
      ]
      for (const [table, lines] of destroyed) {
        copyFolder(sound, data)
        destroy(data, table)
        const folder = join(to, table)
        const told = await repaired(data, folder)
        assert.strictEqual(told.length, lines.length, `${table}: ${told.join("\n")}`)
        for (const [at, line] of lines.entries()) assert.match(told[at] ?? "", line)
        assert.deepStrictEqual(await problemsIn(folder), [])

        const again = serverOver(folder)
        await again.request("GET", "/health")
        const call = caller(again.request, {
          ...lab.studio.cookie,
          environment_id: String(lab.studio.development)
        })
        const counts = (await call("GET", `${begun.path}/assignment-counts`)).body
        const { total } = (await call("GET", `${begun.path}/assignments?pageSize=1000`)).body
        const counted = counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
        const database = new Database(join(folder, "metadata.sqlite"), { readonly: true })
        const left = database.prepare("select count(*) from assignments").pluck().get()
        database.close()
        assert.deepStrictEqual([counted, total], [left, left], table)
        // Everybody was exposed, and the first start gives back the groups that were lost.
        assert.strictEqual(left, 120, table)
        const { items } = (await call("GET", `${begun.path}/assignments?pageSize=1000`)).body
        for (const { distinctId, groupId } of items) assert.strictEqual(groupId, groups.get(distinctId))

        const created = await call("POST", `${lab.root}/experiments`, lab.plan(own.id))
        assert.strictEqual(created.status, 201, created.text)
        assert.isAbove(created.body.id, begun.experiment.id)
        const groupIds = (experiment: { groups: ReadonlyArray<{ id: number }> }) =>
          experiment.groups.map(({ id }) => id)
        assert.isAbove(Math.min(...groupIds(created.body)), Math.max(...groupIds(begun.experiment)))
        const { body: configuration } = await call("POST", `${lab.root}/configuration`, {
          name: "after",
          configuration: {}
        })
        assert.isAbove(configuration.id, begun.configuration.id)
        await again.close()
        assert.deepStrictEqual(again.errors, [])
      }
    })
  )

  it("says which organizations nobody owns any more, and what was lost with other rows", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const data = join(parent, "data")
      const server = serverOver(data)
      const { studio } = await laboratoryOf(server.request, "ada")
      await server.close()
      destroy(data, "roles")
      const lines = await repaired(data, join(parent, "to"))
      assert.include(lines, "metadata.sqlite: roles keeps 0 rows; 1 page of it cannot be read")
      assert.include(
        lines,
        "metadata.sqlite: grants keeps 0 rows; 1 row of it is not whole, or of what is lost elsewhere"
      )
      assert.match(
        lines.join("\n"),
        new RegExp(`^Nobody owns organization ${studio.organizationId} \\(.+\\) any more`, "m")
      )
    })
  )

  it("refuses what another version wrote, whose tables are not these", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const [data, to] = [join(parent, "data"), join(parent, "to")]
      const server = serverOver(data)
      await laboratoryOf(server.request, "ada")
      await server.close()
      const database = new Database(join(data, "metadata.sqlite"))
      const newest = Number(database.prepare("select max(migration_id) from effect_sql_migrations").pluck().get())
      database.prepare("delete from effect_sql_migrations where migration_id = ?").run(newest)
      database.close()
      rmSync(join(data, "metadata.sqlite-sums"))
      const refusal = await repaired(data, to).catch((cause: unknown) => String(cause))
      assert.include(String(refusal), `has schema ${newest - 1}, and only schema ${newest} can be repaired`)
    })
  )
})

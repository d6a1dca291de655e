import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { ClickHouse, ClickHouseFound } from "../../src/adapters/clickhouse/ClickHouse.ts"
import { openStudio } from "../support/access/Studio.ts"
import { secret, withAddresses } from "../support/cluster/Addresses.ts"
import { byOperator } from "../support/cluster/Database.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import { gameOf } from "../support/game/Game.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

const time = { step: "day", timezone: "UTC", relative: { step: "week", value: 1 } }
const insight = { time, metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }] }
const logins = [1, 2, 3].map((n) => ({
  markerId: `00000000-0000-4000-8000-00000000000${n}`,
  timestamp: Date.now(),
  type: "Login",
  userId: "u1",
  value: {}
}))

/** Three markers of one environment, all of them in ClickHouse. */
const play = async (folder: string, env: Record<string, string>) => {
  const server = await startServer(folder, [], env)
  const request = fetchRequest(server.url)
  const game = await gameOf(request, await openStudio(request, "ada"))
  assert.strictEqual((await game.send(logins)).body.ingestedMarkersCount, 3)
  const { body, text } = await game.query("insights/execute", insight)
  assert.strictEqual(body.series[0].aggregate, 3, text)
  assert.strictEqual((await server.stop()).code, 0)
}

const inPostgres = ({ postgres }: Databases, statement: string) =>
  Effect.runPromise(byOperator(statement, new URL(postgres).pathname.slice(1)))

const inClickHouse = ({ clickHouse }: Databases, statement: string) =>
  Effect.runPromise(
    Effect.flatMap(ClickHouse, ({ run }) => run(statement)).pipe(
      Effect.provide(ClickHouseFound({ ...clickHouse, timeout: 60_000 }))
    )
  )

describe("The commands migrate and doctor over PostgreSQL and ClickHouse", () => {
  it("make what is missing, find both sound while nothing is lost, and name what is", () =>
    withFolder((folder) =>
      withAddresses(async (env, databases) => {
        const data = join(folder, "none")
        const doctor = async (...args: ReadonlyArray<string>) => {
          const { code, out, err } = await gamekeeper(["doctor", "--data", data, ...args], env).ended
          assert.notInclude(out + err, secret)
          return { code, out, err }
        }
        const before = await doctor()
        assert.strictEqual(before.code, 1, before.out)
        assert.match(before.out, /ok {3}PostgreSQL answers/)
        assert.match(before.out, /BAD {2}ClickHouse/)

        const migrated = await gamekeeper(["migrate", "--data", data], env).ended
        assert.strictEqual(migrated.code, 0, migrated.err)
        assert.include(migrated.out, "The databases of --metadata and --events are up to date")
        assert.strictEqual((await doctor()).code, 0)

        await play(data, env)
        const sound = await doctor("--deep")
        assert.strictEqual(sound.code, 0, sound.out)
        assert.include(sound.out, "agree about 3 markers of 1 environments")
        assert.include(sound.out, "Every part of the table marker in ClickHouse is as it was written")

        await inPostgres(databases, "update event_head set highest = 2, flushed = 2")
        const ahead = await doctor()
        assert.strictEqual(ahead.code, 1, ahead.out)
        assert.match(ahead.out, /BAD {2}ClickHouse has marker 3 of environment \d+, .* only given numbers up to 2/)
        await inPostgres(databases, "update event_head set highest = 3, flushed = 3")

        const rows = "select * from marker where sequence = 2"
        await inClickHouse(databases, `insert into marker ${rows}`)
        const twice = await doctor()
        assert.match(twice.out, /BAD {2}ClickHouse has 1 or more markers of environment \d+ twice/)

        await inClickHouse(databases, "alter table marker delete where sequence = 2 settings mutations_sync = 2")
        const lost = await doctor()
        assert.strictEqual(lost.code, 1, lost.out)
        assert.match(lost.out, /BAD {2}ClickHouse lacks 1 markers of environment \d+ that it had/)

        await inPostgres(databases, "update event_head set removals = 2")
        assert.strictEqual((await doctor()).code, 0)

        const silent = await doctor("--events", "clickhouse://127.0.0.1:1/gone")
        assert.strictEqual(silent.code, 1)
        assert.match(silent.out, /ok {3}PostgreSQL answers/)
        assert.match(silent.out, /BAD {2}ClickHouse cannot be used/)
        for (const option of ["--accept", "--delete-set-aside"]) {
          const refused = await doctor(option)
          assert.strictEqual(refused.code, 1)
          assert.include(refused.out + refused.err, `${option} is for a data folder`)
        }
        await inPostgres(databases, "insert into effect_sql_migrations (migration_id, name) values (999, 'tomorrow')")
        assert.match((await doctor()).out, /BAD {2}PostgreSQL has schema 999, this version knows \d+ and older ones/)
        assert.isFalse(existsSync(data))
      })
    ))
})

import { DuckDBInstance } from "@duckdb/node-api"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import S3rver from "s3rver"
import { locked } from "../../src/adapters/sqlite/FileLock.ts"
import { defaults } from "../../src/app/Config.ts"
import { lastExportOf } from "../../src/app/commands/ServerExport.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { marker } from "../support/analytics/SentMarkers.ts"
import { eventually } from "../support/Npm.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

const key = { GAMEKEEPER_S3_ACCESS_KEY_ID: "S3RVER", GAMEKEEPER_S3_SECRET_ACCESS_KEY: "S3RVER" }

const rowsOf = async (files: string) => {
  const connection = await (await DuckDBInstance.create()).connect()
  const answer = await connection.runAndReadAll(
    `select count(*)::int, count(distinct sequence)::int, sum((arguments->>'price')::int)::int
       from read_parquet('${files}', hive_partitioning = true)`
  )
  connection.closeSync()
  return answer.getRowsJson()[0]
}

describe("exports of a whole folder", () => {
  it(
    "are days of Parquet beside a running server, of which later runs write what has changed",
    { timeout: 180_000 },
    () =>
      withFolder(async (folder) => {
        const [data, lake, store] = [join(folder, "data"), join(folder, "lake"), join(folder, "store")]
        const server = await startServer(data, ["--sign-up", "open"])
        const request = fetchRequest(server.url)
        const studio = await openStudio(request, "ada")
        const authorization = await mintKey(request, studio, { type: "public" })
        const now = Date.now()
        const send = async (environment: string, count: number, hours: number) => {
          const markers = Array.from({ length: count }, (_, index) =>
            marker("ItemBought", now - index * hours * 3_600_000, { userId: `u${index % 7}`, value: { price: index } })
          )
          const sent = await request("POST", "/sdk/v1/markers", {
            headers: { authorization, environment },
            body: { markers }
          })
          assert.strictEqual(sent.body.ingestedMarkersCount, count)
        }
        await send("production", 60, 3)
        await send("development", 5, 0)
        const run = (to: string, ...args: ReadonlyArray<string>) =>
          gamekeeper(["export-all", "--data", data, "--to", to, ...args], key).ended

        const first = await run(lake)
        assert.strictEqual(first.code, 0, first.err)
        assert.match(first.out, /2 environments: \d+ days? written, 0 as they were/)
        const files = join(lake, `${studio.applicationId}-production`, "markers", "*", "*.parquet")
        assert.deepStrictEqual(await rowsOf(files), [60, 60, (59 * 60) / 2])
        assert.match((await run(lake)).out, /: 0 days written, \d+ as they were/)
        await send("production", 1, 0)
        assert.match((await run(lake)).out, /: 1 day written/)
        assert.strictEqual((await rowsOf(files))?.[0], 61)
        // A file of an older version says nothing of its server.
        const manifest = join(lake, `${studio.applicationId}-production`, "export.json")
        const written = readFileSync(manifest, "utf8")
        const withServer = (id: string) => written.replace(/ +"installation": .*\n/, id)
        assert.notStrictEqual(withServer(""), written)
        writeFileSync(manifest, withServer(""))
        assert.match((await run(lake)).out, /: 0 days written, \d+ as they were/)
        writeFileSync(manifest, withServer('"installation": "another",\n'))
        assert.match(
          (await run(lake, "--fresh")).err,
          /production\/export\.json is of another server, whose files would be/
        )
        // An alias that was given again: the folder is of another environment, and the others are exported all the same.
        writeFileSync(manifest, written.replace(/"environmentId": \d+/, '"environmentId": 999'))
        await send("development", 1, 0)
        const mixed = await run(lake)
        assert.match(mixed.err, /-production holds the markers of environment 999, whose alias environment \d+ has now/)
        const beside = join(lake, `${studio.applicationId}-development`, "markers", "*", "*.parquet")
        assert.strictEqual((await rowsOf(beside))?.[0], 6)
        const lock = await Effect.runPromise(locked(join(lake, ".exporting")))
        const second = await run(lake, "--fresh")
        assert.deepStrictEqual(
          [second.code, second.err.trim()],
          [1, `gamekeeper: Another export writes into ${lake}: wait until it has ended`]
        )
        // As one leaves it that was killed.
        lock.close()
        assert.match((await run(lake, "--environments", "development")).out, /: 0 days written/)
        assert.isFalse(existsSync(join(lake, ".exporting")))
        const unknown = await run(lake, "--environments", "production,nowhere")
        assert.notStrictEqual(unknown.code, 0)
        assert.include(unknown.err, "There is no environment nowhere")

        mkdirSync(store)
        const s3 = new S3rver({
          port: 0,
          address: "127.0.0.1",
          silent: true,
          directory: store,
          configureBuckets: [{ name: "lake", configs: [] }]
        })
        const endpoint = `http://127.0.0.1:${Object(await s3.run()).port}`
        const toBucket = () => run("s3://lake/live", "--environments", "production", "--s3-endpoint", endpoint)
        const uploaded = await toBucket()
        assert.match(uploaded.out, /1 environment: [1-9]\d* days? written/, uploaded.err)
        assert.match((await toBucket()).out, /: 0 days written, [1-9]/)
        await s3.close()
        await server.stop()

        const last = join(lake, "last-export.json")
        const lastOf = () => Effect.runPromise(Effect.provide(lastExportOf(data, lake, defaults), NodeContext.layer))
        assert.isAbove((await lastOf()) ?? 0, now)
        writeFileSync(last, JSON.stringify({ ...JSON.parse(readFileSync(last, "utf8")), installation: "another" }))
        assert.isNull(await lastOf())

        const again = join(folder, "again")
        const scheduled = await startServer(data, ["--export-to", again, "--export-environments", "production"])
        await eventually("an export", () =>
          Promise.resolve(existsSync(join(again, "last-export.json")) ? true : undefined)
        )
        await scheduled.stop()
        assert.deepStrictEqual(readdirSync(again).toSorted(), [
          `${studio.applicationId}-production`,
          "last-export.json"
        ])
      })
  )
})

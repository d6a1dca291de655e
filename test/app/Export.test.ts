import { DuckDBInstance } from "@duckdb/node-api"
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { mintKey, mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { marker } from "../support/analytics/SentMarkers.ts"
import { fetchRequest, gamekeeper, startServer, withFolder } from "../support/Server.ts"

describe("an export from the built server", () => {
  it("is a folder of Parquet files that DuckDB asks as one table, as docs/export.md says", () =>
    withFolder(async (folder) => {
      const server = await startServer(join(folder, "data"), ["--sign-up", "open"])
      const request = fetchRequest(server.url)
      const studio = await openStudio(request, "ada")
      const key = await mintKey(request, studio, { type: "public" })
      const now = Date.now()
      const bought = (index: number) =>
        marker("ItemBought", now - index * 3_600_000, { userId: `u${index % 7}`, value: { price: index } })
      const sent = await request("POST", "/sdk/v1/markers", {
        headers: { authorization: key, environment: "production" },
        body: { markers: Array.from({ length: 60 }, (_, index) => bought(index)) }
      })
      assert.strictEqual(sent.body.ingestedMarkersCount, 60)

      const permissions = ["organization:read", "projects:read", "markers:read"]
      const token = await mintPersonalToken(request, studio, { permissions })
      const run = () =>
        gamekeeper(["export", "--url", server.url, "--dir", join(folder, "export")], { GAMEKEEPER_TOKEN: token }).ended
      const first = await run()
      assert.strictEqual(first.code, 0, first.err)
      assert.match(first.out, /\d days? written, 0 as they were/)
      const second = await run()
      assert.match(second.out, /^0 days written, \d as they were/m)

      const connection = await (await DuckDBInstance.create()).connect()
      const files = join(folder, "export", "markers", "*", "*.parquet")
      const answer = await connection.runAndReadAll(
        `select count(*)::int, sum((arguments->>'price')::int)::int, count(distinct unitId)::int,
                count(distinct day)::int = count(distinct timestamp::date)::int
           from read_parquet('${files}', hive_partitioning = true, union_by_name = true)`
      )
      assert.deepStrictEqual(answer.getRowsJson(), [[60, (59 * 60) / 2, 7, true]])
      connection.closeSync()
      await server.stop()
    }))
})

import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PostgresMetadata } from "../../src/adapters/postgres/Postgres.ts"
import { openStudio } from "../support/access/Studio.ts"
import { openApp } from "../support/App.ts"
import { startClickHouse } from "../support/cluster/ClickHouseProcess.ts"
import { eventsBeside, freshDatabases } from "../support/cluster/EventStores.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import { gameOf } from "../support/game/Game.ts"

const time = { step: "day", timezone: "UTC", relative: { step: "week", value: 1 } }
const insight = { time, metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }] }

const login = (number: number) => ({
  markerId: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  timestamp: Date.now(),
  type: "Login",
  userId: `u${number}`,
  value: {}
})

const storesOn = ({ postgres, clickHouse }: Databases) =>
  Layer.provideMerge(
    eventsBeside({ postgres, clickHouse }, 7),
    PostgresMetadata({ url: Redacted.make(postgres), connections: 10 })
  )

it("ClickHouse down: a game's markers are answered with 200 and an analyst's question with 503, until it is back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clickhouse-"))
  const first = await startClickHouse(folder)
  let latest = first
  const test = async (databases: Databases) => {
    const { request, close } = openApp(storesOn(databases))
    const studio = await openStudio(request, "ada")
    const game = await gameOf(request, studio)
    assert.strictEqual((await game.send([login(1), login(2)])).body.ingestedMarkersCount, 2)
    assert.strictEqual((await game.query("insights/execute", insight)).body.series[0].aggregate, 2)
    await first.end("SIGKILL")
    const sent = await game.send([login(2), login(3)])
    assert.deepStrictEqual([sent.status, sent.body.ingestedMarkersCount], [200, 1])
    const refused = await game.query("insights/execute", insight)
    assert.deepStrictEqual([refused.status, refused.body.code], [503, "STORE_UNAVAILABLE"])
    assert.strictEqual(refused.headers.get("retry-after"), "5")
    const ready = await request("GET", "/ready")
    assert.deepStrictEqual([ready.status, ready.body.status], [200, "degraded"])
    assert.deepStrictEqual(ready.body.stores, { metadata: true, log: true, events: false })
    latest = await startClickHouse(folder, new URL(first.url).port)
    assert.strictEqual((await game.query("insights/execute", insight)).body.series[0].aggregate, 3)
    await close()
  }
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(freshDatabases(first.url), (databases) => Effect.promise(() => test(databases))))
  )
  await latest.end("SIGTERM")
  rmSync(folder, { recursive: true })
})

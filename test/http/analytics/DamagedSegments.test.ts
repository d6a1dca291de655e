import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { refused } from "../../support/Caller.ts"
import { gameOf } from "../../support/game/Game.ts"
import { serverOver } from "../../support/operations/DamageWorld.ts"
import { withFolder } from "../../support/Server.ts"
import { openStudio } from "../../support/access/Studio.ts"

const day = 86_400_000
const start = Date.parse("2026-03-02T00:00:00Z")
const time = { step: "day", timezone: "UTC", from: "2026-03-01T00:00:00Z", to: "2026-03-13T00:00:00Z" }
const each = 1500
const metric = (name: string, type: string) => ({ id: name, visible: true, data: { name, type } })
const metrics = [metric("Level", "uniqueUsers"), metric("Buy", "uniqueUsers")]
const bounds = { pointA: { x: 8, y: 0, z: 8 }, pointB: { x: 0, y: 8, z: 0 } }

/** The two types differ in every column, so that bytes of one are not found in the other. */
const markers = ["Level", "Buy"].flatMap((type, kind) =>
  Array.from({ length: each }, (_, at) => ({
    markerId: crypto.randomUUID(),
    timestamp: start + Math.floor((at * 9 * day) / each) + kind * 3_600_000,
    type,
    userId: `player ${(at * (1 + 2 * kind)) % 50}`,
    value: { gold: (at * at + kind) % 97 },
    properties: { position: [at % 9, at % 8, at % 7] }
  }))
)

/** Changes a bit of a stored column of the segment of a type, in the file itself. */
const damage = (file: string, type: string, column: string): void => {
  const db = new Database(file, { readonly: true })
  const segment = db
    .prepare<[string], { id: number; columns: string }>("select * from segment where type = ?")
    .get(type)
  const columns: ReadonlyArray<{ readonly name: string }> = JSON.parse(segment!.columns)
  const place = segment!.id * 65_536 + columns.findIndex(({ name }) => name === column)
  const stored = db.prepare<[number], { data: Uint8Array }>("select data from segment_column where id = ?").get(place)
  db.close()
  const bytes = readFileSync(file)
  const sought = stored!.data.subarray(0, 100)
  assert.isAbove(bytes.indexOf(sought), 0)
  // Pages that are not in use may hold the same bytes.
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) bytes[at + 20]! ^= 4
  writeFileSync(file, bytes)
}

/** A studio with two segments, one of which was damaged while the server was down. */
const damaged = (column: string, use: (world: Awaited<ReturnType<typeof reopened>>) => Promise<void>) =>
  withFolder(async (folder) => {
    const before = serverOver(folder)
    const studio = await openStudio(before.request, "ada")
    const game = await gameOf(before.request, studio)
    for (let at = 0; at < markers.length; at += 500) await game.send(markers.slice(at, at + 500))
    const map = await before.request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
      headers: studio.cookie,
      body: { name: "Map", bounds, resolutionFactor: 1 / 16 }
    })
    await before.close()
    damage(join(folder, "events.sqlite"), "Level", column)
    const world = await reopened(folder, studio, map.body.id)
    await use(world).finally(world.server.close)
  })

const reopened = async (folder: string, studio: Awaited<ReturnType<typeof openStudio>>, heatmap: string) => {
  const server = serverOver(folder)
  const headers = { ...studio.cookie, environment_id: String(studio.development) }
  const root = `/application/${studio.applicationId}`
  const query = (kind: string, body: object) =>
    server.request("POST", `${root}/analytics/v1/queries/${kind}`, { headers, body: { time, ...body } })
  const call = (method: string, path: string) => server.request(method, `${root}${path}`, { headers })
  return { server, query, call, heatmap }
}

const level = markers.filter(({ type }) => type === "Level").map(({ timestamp }) => timestamp)
const incomplete = {
  rows: each,
  from: new Date(Math.min(...level)).toISOString(),
  to: new Date(Math.max(...level)).toISOString()
}

describe("a damaged segment", () => {
  it("I1: answers with a meta say what they lack, and others are refused", () =>
    damaged("unit", async ({ query, call, heatmap }) => {
      const insight = await query("insights/execute", { metrics })
      assert.strictEqual(insight.status, 200)
      assert.deepStrictEqual(insight.body.meta.incomplete, incomplete)
      assert.deepStrictEqual(
        insight.body.series.map(({ aggregate }: { aggregate: number }) => aggregate),
        [0, 50]
      )
      const steps = ["Buy", "Level"].map((name, at) => ({ id: `${at}`, name }))
      const conversionWindow = { value: 3, step: "day" }
      const others = [
        await query("funnels/execute", { steps, conversionWindow }),
        await query("retention/execute", { start: { name: "Buy" }, interval: "day", intervals: 3 }),
        await query("heatmaps/execute", { metrics: [metric("Buy", "totalEvents")], heatmapData: { id: heatmap } })
      ]
      for (const { status, body } of others) assert.deepStrictEqual([status, body.meta.incomplete], [200, incomplete])
      refused(await call("GET", "/players/player%207"), 503, "DATA_DAMAGED")
      refused(await call("GET", "/players/player%207/export"), 503, "DATA_DAMAGED")
      const types = await call("GET", "/analytics/v1/markers/types")
      assert.strictEqual(types.status, 200)
    }))

  it("I1: is named in one line of the log, and /ready says that the store is degraded", () =>
    damaged("unit", async ({ server, query }) => {
      for (let turn = 0; turn < 3; turn++) await query("insights/execute", { metrics })
      assert.lengthOf(
        server.errors.filter((line) => /Segment \d+ \(environment \d+, Level\): column unit/.test(line)),
        1
      )
      const { status, body } = await server.request("GET", "/ready")
      assert.deepStrictEqual([status, body.status], [200, "degraded"])
      assert.deepStrictEqual(
        body.problems.map(({ code, store }: { code: string; store: string }) => [code, store]),
        [["STORE_DAMAGED", "events"]]
      )
    }))

  it("I1: keeps nothing from being erased that can be reached, and the answer says what cannot", () =>
    damaged("a:gold", async ({ query, call }) => {
      const erased = await call("DELETE", "/players/player%207")
      assert.strictEqual(erased.status, 200, erased.text)
      assert.deepStrictEqual(erased.body.incomplete, incomplete)
      const left = await query("insights/execute", { metrics })
      assert.deepStrictEqual(
        left.body.series.map(({ aggregate }: { aggregate: number }) => aggregate),
        [50, 49]
      )
    }))
})

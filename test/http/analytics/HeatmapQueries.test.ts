import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { seeded } from "../../support/Seeded.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const start = Date.parse("2026-03-02T00:00:00Z")
const time = { step: "day", timezone: "UTC", from: "2026-03-02T00:00:00Z", to: "2026-03-09T00:00:00Z" }
const bounds = { pointA: { x: 8, y: 0, z: 4 }, pointB: { x: 0, y: 10, z: 0 } }
const nowhere = "00000000-0000-4000-8000-000000000000"

const random = seeded(5)
const within = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))

const markers = Array.from({ length: 400 }, (_, index) => ({
  markerId: `00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
  timestamp: start + within(0, 12) * 86_400_000,
  type: random() < 0.7 ? "Death" : "Kill",
  userId: `u${within(1, 5)}`,
  value: { weapon: random() < 0.5 ? "bow" : "sword" },
  properties: { position: [within(-1, 9), within(-1, 11), within(-1, 5)] as const }
}))
const timed = markers.filter(({ timestamp }) => timestamp < start + 7 * 86_400_000)

interface Point {
  readonly x: number
  readonly y: number
  readonly value: number
}

const metric = (id: string, name: string | ReadonlyArray<string>, rest: object = {}, data: object = {}) => ({
  id,
  visible: true,
  data: { name, type: "totalEvents", ...data },
  ...rest
})
const sword = { source: "argument", name: "weapon", operator: "is", value: "sword" }

describe.each(stores)("heatmap queries over %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: Studio
  let game: Game
  const ids: Record<string, string> = {}

  const ask = (more: object = {}, headers: Record<string, string> = {}) =>
    game.query(
      "heatmaps/execute",
      { time, metrics: [metric("A", "Death")], heatmapData: { id: ids["coarse"] }, ...more },
      headers
    )

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    const define = async (resolutionFactor: number) => {
      const { body } = await request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
        headers: studio.cookie,
        body: { name: "Map", bounds, resolutionFactor }
      })
      return body.id
    }
    ids["coarse"] = await define(1 / 16)
    ids["single"] = await define(0.001)
    const sent = await game.send([
      ...markers,
      { timestamp: start, type: "Death", userId: "u9", value: {} },
      { timestamp: start, type: "Spawn", value: {}, properties: { position: { x: 8, y: 10, z: 4 } } }
    ])
    assert.strictEqual(sent.body.ingestedMarkersCount, 402)
  })

  it("count markers in the cells of the definition's grid, bounds included, as a brute force does", async () => {
    const { status, body } = await ask({ options: { display: "count" } })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(keysOf(body), ["bounds", "display", "meta", "points", "resolution", "statistics"])
    assert.deepStrictEqual(body.bounds, bounds)
    assert.deepStrictEqual(body.resolution, { x: 4, y: 2, cellWidth: 2, cellHeight: 2 })
    const own = timed.filter(({ type }) => type === "Death")
    const inside = own.filter(({ properties: { position } }) => {
      const [x, y, z] = position
      return x >= 0 && x <= 8 && y >= 0 && y <= 10 && z >= 0 && z <= 4
    })
    const expected = new Map<string, number>()
    for (const { properties } of inside) {
      const [x, , z] = properties.position
      const key = `${Math.min(3, Math.floor(x / 2)) * 2 + 1} ${Math.min(1, Math.floor(z / 2)) * 2 + 1}`
      expected.set(key, (expected.get(key) ?? 0) + 1)
    }
    assert.strictEqual(expected.size, 8)
    assert.deepStrictEqual(
      new Map<string, number>(body.points.map(({ x, y, value }: Point) => [`${x} ${y}`, value])),
      expected
    )
    const values = [...expected.values()].sort((a, b) => a - b)
    const { p50, p95, ...statistics } = body.statistics
    assert.deepStrictEqual(statistics, {
      totalEvents: own.length,
      uniqueUsers: 5,
      insideBounds: inside.length,
      outsideBounds: own.length - inside.length,
      cells: 8,
      min: values[0],
      max: values.at(-1),
      mean: inside.length / 8
    })
    assert.strictEqual(p50, (values[3]! + values[4]!) / 2)
    assert.isAtMost(p95, values.at(-1)!)
    assert.deepStrictEqual(keysOf(body.meta), ["asOf", "cached", "elapsedMs", "rowsScanned", "sampled"])
  })

  it("show the share of markers per square unit unless told otherwise, or units", async () => {
    const total = (body: { readonly points: ReadonlyArray<Point> }) =>
      body.points.reduce((sum, { value }) => sum + value, 0)
    const { body } = await ask()
    assert.notProperty(body, "display")
    assert.closeTo(total(body) * 4, 1, 1e-9)
    const explicit = (await ask({ options: { display: "density" } })).body
    assert.deepStrictEqual([explicit.points, explicit.display], [body.points, "density"])
    const unique = (await ask({ heatmapData: { id: ids["single"] }, options: { display: "unique" } })).body
    assert.deepStrictEqual(unique.points, [{ x: 4, y: 2, value: 5 }])
    assert.deepStrictEqual(unique.resolution, { x: 1, y: 1, cellWidth: 8, cellHeight: 4 })
  })

  it("add their metrics up, leave invisible ones out, and filter", async () => {
    const inside = async (more: object) => (await ask(more)).body.statistics.totalEvents
    const death = timed.filter(({ type }) => type === "Death").length
    const kill = timed.length - death
    assert.strictEqual(await inside({ metrics: [metric("A", "Death"), metric("B", "Kill")] }), death + kill)
    assert.strictEqual(await inside({ metrics: [metric("A", ["Death", "Kill"])] }), death + kill)
    const hidden = metric("B", "Kill", { visible: false })
    assert.strictEqual(await inside({ metrics: [metric("A", "Death"), hidden] }), death)
    const armed = timed.filter(({ type, value }) => type === "Death" && value.weapon === "sword").length
    assert.strictEqual(await inside({ filters: [sword] }), armed)
    assert.strictEqual(await inside({ metrics: [metric("A", "Death", {}, { filters: [sword] })] }), armed)
  })

  it("have the cells, the heights and the form of points that are asked for", async () => {
    const { body: rows } = await ask({ options: { display: "count", cells: 16 } })
    assert.deepStrictEqual(rows.resolution, { x: 16, y: 8, cellWidth: 0.5, cellHeight: 0.5 })
    const { body: columns } = await ask({ options: { display: "count", cells: 16, points: "columns" } })
    assert.deepStrictEqual(keysOf(columns.points), ["value", "x", "y"])
    assert.isAbove(rows.points.length, 8)
    assert.deepStrictEqual(
      columns.points.value.map((value: number, at: number) => ({
        x: columns.points.x[at],
        y: columns.points.y[at],
        value
      })),
      rows.points
    )
    assert.deepStrictEqual({ ...columns, points: 0, meta: 0 }, { ...rows, points: 0, meta: 0 })
    const { body: floor } = await ask({ heatmapData: { id: ids["coarse"], y: [2, 3] } })
    const own = timed.filter(({ type, properties: { position } }) => type === "Death" && [2, 3].includes(position[1]))
    assert.isAbove(own.length, 0)
    assert.strictEqual(floor.statistics.totalEvents, own.length)
    assert.strictEqual(floor.statistics.uniqueUsers, new Set(own.map(({ userId }) => userId)).size)
  })

  it("of nothing have no points, in another environment too", async () => {
    const nothing = {
      totalEvents: 0,
      uniqueUsers: 0,
      insideBounds: 0,
      outsideBounds: 0,
      cells: 0,
      min: null,
      max: null,
      mean: null,
      p50: null,
      p95: null
    }
    const answers = [
      await ask({ metrics: [metric("A", "Nothing")] }),
      await ask({ metrics: [metric("A", "Death", { visible: false })] }),
      await ask({}, { environment_id: String(studio.production) })
    ]
    for (const { status, body } of answers) {
      assert.deepStrictEqual([status, body.points, body.statistics], [200, [], nothing])
    }
  })

  it("take the far corner, and a body as the game's own documents write it", async () => {
    const { status, body } = await ask({
      time: { step: "day", relative: { step: "year", value: 10 } },
      metrics: [metric("A", "Spawn", {}, { type: "marker" })],
      options: { display: "count" }
    })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(body.points, [{ x: 7, y: 3, value: 1 }])
    assert.strictEqual(body.statistics.uniqueUsers, 0)
  })

  it.each([
    ["a heatmap that is not there", { heatmapData: { id: nowhere } }, 404, "HEATMAP_NOT_FOUND"],
    ["an id that is none", { heatmapData: { id: "7" } }, 400, "VALIDATION_FAILED"],
    ["no heatmap", { heatmapData: undefined }, 400, "VALIDATION_FAILED"],
    ["heights upside down", { heatmapData: { id: nowhere, y: [3, 2] } }, 400, "VALIDATION_FAILED"],
    ["one height", { heatmapData: { id: nowhere, y: [3] } }, 400, "VALIDATION_FAILED"],
    ["too few cells", { options: { cells: 15 } }, 400, "VALIDATION_FAILED"],
    ["too many cells", { options: { cells: 513 } }, 400, "VALIDATION_FAILED"],
    ["a part of a cell", { options: { cells: 16.5 } }, 400, "VALIDATION_FAILED"],
    ["another form of points", { options: { points: "pixels" } }, 400, "VALIDATION_FAILED"],
    ["no metric", { metrics: [] }, 400, "VALIDATION_FAILED"],
    ["an unknown display", { options: { display: "glow" } }, 400, "VALIDATION_FAILED"],
    ["a measure of something else", { metrics: [metric("A", "x", {}, { type: "uniqueUsers" })] }, 422, "QUERY_INVALID"],
    ["16 metrics", { metrics: Array.from({ length: 16 }, () => metric("A", "x")) }, 422, "QUERY_LIMIT_EXCEEDED"],
    ["an inverted range", { time: { ...time, from: time.to, to: time.from } }, 422, "TIME_RANGE_INVALID"],
    ["an unknown zone", { time: { ...time, timezone: "Mars/Olympus" } }, 422, "TIME_ZONE_UNKNOWN"],
    ["a comparison with text", { filters: [{ ...sword, operator: "greaterThan" }] }, 422, "QUERY_INVALID"],
    [
      "a cohort that is not there",
      { filters: [{ source: "cohort", name: "1", operator: "isIn", value: [1] }] },
      422,
      "REFERENCE_INVALID"
    ]
  ])("refuse %s", async (_case, more, status, code) => {
    refused(await ask(more), status, code)
  })

  it("are saved and run like any other query", async () => {
    const spec = { time, metrics: [metric("A", "Death")], heatmapData: { id: ids["coarse"] } }
    const path = `/application/${studio.applicationId}/analytics/v1/queries`
    const headers = { ...studio.cookie, environment_id: String(studio.development) }
    const save = (saved: object) =>
      request("POST", path, { headers, body: { name: "Deaths", queryType: "heatmap", spec: saved } })
    const { status, body } = await save(spec)
    assert.strictEqual(status, 201)
    const run = await request("POST", `${path}/${body.id}/execute`, { headers, body: {} })
    assert.deepStrictEqual([run.status, run.body.points], [200, (await ask()).body.points])
    const unsound = { ...spec, metrics: [metric("A", "Death", {}, { type: "sum" })] }
    refused(await save(unsound), 422, "QUERY_INVALID")
    const lost = (await save({ ...spec, heatmapData: { id: nowhere } })).body
    refused(await request("POST", `${path}/${lost.id}/execute`, { headers, body: {} }), 404, "HEATMAP_NOT_FOUND")
  })

  it("find no heatmap of another project", async () => {
    const other = await openStudio(request, "bob")
    const theirs = await gameOf(request, other)
    const body = { time, metrics: [metric("A", "Death")], heatmapData: { id: ids["coarse"] } }
    refused(await theirs.query("heatmaps/execute", body), 404, "HEATMAP_NOT_FOUND")
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { journeys, metric, week } from "../../support/analytics/Journeys.ts"
import {
  bounds,
  formula,
  levels,
  monday,
  type PlacedWorld,
  placedWorld,
  placesOf,
  returning
} from "../../support/analytics/PlacedJourneys.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { stores } from "../../support/Stores.ts"
import { joinStudio, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("the players behind numbers over %s", (_, store) => {
  const { request } = testApp(store)
  let world: PlacedWorld

  beforeAll(async () => {
    world = await placedWorld(request)
  })

  it("are answered with exactly the fields of the contract, each with its own value, page by page", async () => {
    const own = journeys!.filter(({ type, value }) => type === "Level" && value["price"] !== undefined)
    const expected = ["u1", "u2", "u3", "u4"].map((unitId) => {
      const markers = own.filter(({ unit }) => unit === unitId)
      const value = markers.reduce((sum, each) => sum + Number(each.value["price"]), 0)
      return { unitId, value, lastAt: new Date(Math.max(...markers.map(({ at }) => at))).toISOString() }
    })
    const select = { metricId: "A" }
    const first = await world.game.query("insights/users?limit=3", { ...levels, select })
    assert.deepStrictEqual(first.body, { items: expected.slice(0, 3), total: 4, nextCursor: "u3" })
    const second = await world.game.query(`insights/users?limit=3&cursor=${first.body.nextCursor}`, {
      ...levels,
      select
    })
    assert.deepStrictEqual(second.body, { items: expected.slice(3), total: 4, nextCursor: null })
    for (const [path, body] of [
      ["retention/users", { ...returning, select: { start: monday, interval: 1 } }],
      ["heatmaps/users", { ...placesOf(world), select: { area: bounds } }]
    ] as const) {
      const answer = await world.game.query(path, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      assert.deepStrictEqual(keysOf(answer.body), ["items", "nextCursor", "total"])
      assert.deepStrictEqual(keysOf(answer.body.items[0]), ["lastAt", "unitId", "value"])
    }
  })

  it("the arguments in an area are told by all of its markers, those that say most first", async () => {
    const users = await world.game.query("heatmaps/users", { ...placesOf(world), select: { area: bounds } })
    const markers = users.body.items.reduce((sum: number, { value }: { value: number }) => sum + value, 0)
    const { status, body } = await world.game.query("heatmaps/arguments", {
      ...placesOf(world),
      select: { area: bounds }
    })
    assert.deepStrictEqual([status, keysOf(body)], [200, ["arguments", "markers"]], JSON.stringify(body))
    assert.isAtLeast(body.markers, markers)
    assert.isNotEmpty(body.arguments)
    const tops = body.arguments.map(({ values }: { values: ReadonlyArray<{ count: number }> }) => values[0]!.count)
    assert.deepStrictEqual(
      tops,
      tops.toSorted((a: number, b: number) => b - a)
    )
    for (const each of body.arguments) {
      assert.deepStrictEqual(
        [keysOf(each), keysOf(each.values[0])],
        [
          ["name", "values"],
          ["count", "value"]
        ]
      )
      const counted = each.values.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
      assert.isAtMost(counted, body.markers)
    }
    const nowhere = { pointA: { x: 1e6, y: 0, z: 1e6 }, pointB: { x: 1e6, y: 0, z: 1e6 } }
    const none = await world.game.query("heatmaps/arguments", { ...placesOf(world), select: { area: nowhere } })
    assert.deepStrictEqual(none.body, { markers: 0, arguments: [] })
    const missing = { ...placesOf(world), heatmapData: { id: "6f1c1a52-0d0c-4a7e-9f55-3b1d2f8e7a10" } }
    refused(await world.game.query("heatmaps/arguments", { ...missing, select: {} }), 404, "HEATMAP_NOT_FOUND")
  })

  it("what the players of a funnel did next is told by the type of their first marker after it", async () => {
    const steps = ["Start", "Buy"].map((name) => ({ id: name, name }))
    const funnel = { time: week, steps, conversionWindow: { step: "hour", value: 2 }, step: 0, outcome: "converted" }
    const users = await world.game.query("funnels/users", funnel)
    const expected = new Map<string, number>()
    for (const { unitId, times } of users.body.items) {
      const last = Math.max(...times.filter((time: string | null) => time !== null).map(Date.parse))
      const own = journeys!.filter(({ unit, at }) => unit === unitId && at > last).toSorted((a, b) => a.at - b.at)
      const name = own[0]?.type ?? "nothing"
      expected.set(name, (expected.get(name) ?? 0) + 1)
    }
    const answer = await world.game.query("funnels/next", funnel)
    assert.deepStrictEqual([answer.status, keysOf(answer.body)], [200, ["nothing", "total", "types"]])
    const { types, nothing, total } = answer.body
    const told = types.map(({ name, players }: Record<string, unknown>) => [name, players])
    assert.deepStrictEqual(new Map(nothing === 0 ? told : [...told, ["nothing", nothing]]), expected)
    assert.strictEqual(total, users.body.items.length)
  })

  it("the metric of a formula's part is asked, and an invisible one may be", async () => {
    const metrics = [metric("A", { type: "sum", argument: "price" }, { visible: false }), metric("B", {}), formula]
    const { body } = await world.game.query("insights/users", { ...levels, metrics, select: { metricId: "A" } })
    assert.strictEqual(body.total, 4)
  })

  it("are private to the organization, and to who may read its analytics", async () => {
    const cohorts = cohortAnalystOf(request, world.studio)
    const stranger = await openStudio(request, "eve")
    const bodies = [
      ["insights", { ...levels, select: { metricId: "A" } }],
      ["retention", { ...returning, select: { start: monday, interval: 1 } }],
      ["heatmaps", { ...placesOf(world), select: {} }]
    ] as const
    for (const [path, body] of bodies)
      refused(await world.game.query(`${path}/users`, body, stranger.cookie), 404, "APPLICATION_NOT_FOUND")
    const from = { queryType: "insight", spec: levels, select: { metricId: "A" } }
    const body = { name: "Taken", kind: "static", from }
    refused(await cohorts.call("POST", "", body, stranger.cookie), 404, "APPLICATION_NOT_FOUND")
    const writer = await mintPersonalToken(request, world.studio, { permissions: ["cohorts:read", "cohorts:write"] })
    const asWriter = { cookie: "", authorization: `Bearer ${writer}` }
    refused(await cohorts.call("POST", "", body, asWriter), 403, "FORBIDDEN")
    const viewer = await joinStudio(request, world.studio, "vera", "Viewer")
    assert.strictEqual((await world.game.query("insights/users", bodies[0][1], viewer)).status, 200)
    refused(await cohorts.call("POST", "", body, viewer), 403, "FORBIDDEN")
    assert.deepStrictEqual((await cohorts.call("GET", "")).body, [])
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { week } from "../../support/analytics/Journeys.ts"
import { bounds, type PlacedWorld, placedWorld } from "../../support/analytics/PlacedJourneys.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const route = Array.from({ length: 800 }, (_, index) => Math.sin(index + 1))

describe.each(stores)("groups whose values are long lists over %s", (_, store) => {
  const { request } = testApp(store)
  let world: PlacedWorld

  beforeAll(async () => {
    world = await placedWorld(request)
    const timestamp = Date.parse("2026-03-03T12:00:00Z")
    const properties = { route, position: { x: 1, y: 1, z: 1 } }
    const sent = await world.game.send([{ distinctId: "u1", eventName: "Walk", timestamp, properties }])
    assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
  })

  const walks = { time: week, metrics: [{ id: "A", data: { name: "Walk", type: "totalEvents" } }] }

  it("are answered, and can be named to find their players", async () => {
    const question = { ...walks, breakdowns: [{ source: "argument", name: "route" }] }
    const { status, body } = await world.game.query("insights/execute", question)
    assert.strictEqual(status, 200, JSON.stringify(body).slice(0, 300))
    const [{ breakdown }] = body.series
    assert.deepStrictEqual(breakdown, [{ name: "route", value: JSON.stringify(route) }])
    const users = await world.game.query("insights/users", { ...question, select: { metricId: "A", breakdown } })
    assert.strictEqual(users.status, 200, JSON.stringify(users.body).slice(0, 300))
    assert.deepStrictEqual(
      users.body.items.map(({ unitId }: { unitId: string }) => unitId),
      ["u1"]
    )
  })

  it("are among the arguments of an area of a heatmap", async () => {
    const question = { ...walks, heatmapData: { id: world.heatmapId }, select: { area: bounds } }
    const { status, body } = await world.game.query("heatmaps/arguments", question)
    assert.strictEqual(status, 200, JSON.stringify(body).slice(0, 300))
    assert.deepStrictEqual(body, {
      markers: 1,
      arguments: [{ name: "route", values: [{ value: JSON.stringify(route), count: 1 }] }]
    })
  })
})

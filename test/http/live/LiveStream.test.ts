import { assert, describe, it } from "@effect/vitest"
import { permissionOf } from "../../../src/domain/live/LiveKind.ts"
import type { Stream } from "../../support/live/Watching.ts"
import { login, next, watching } from "../../support/live/Watching.ts"
import { stores } from "../../support/Stores.ts"

describe.each(stores)("the live stream over %s", (_, store) => {
  const at = watching(store)

  it("opens with the kinds that the caller hears, without CORS", async () => {
    const stream = await at().listen()
    assert.deepStrictEqual([stream.status, stream.contentType], [200, "text/event-stream"])
    assert.deepStrictEqual(await next(stream, "open"), { kinds: Object.keys(permissionOf) })
    stream.close()
    const { message, outgoing } = await at().server.open("GET", at().path(), {
      ...at().studio.cookie,
      origin: "https://elsewhere.test",
      "sec-fetch-site": "same-origin"
    })
    assert.isUndefined(message.headers["access-control-allow-origin"])
    assert.strictEqual(message.headers["cache-control"], "no-store")
    outgoing.destroy()
  })

  it("counts markers of the regular way and of the fast one, and shows those asked for", async () => {
    const [plain, all, mine] = [
      await at().listen(),
      await at().listen("&markers=1"),
      await at().listen("&markers=1&type=Login&unitId=ada")
    ]
    const counted = async (stream: Stream, most: number) => {
      const sum = { total: 0, items: 0, types: new Map<string, number>() }
      while (sum.total < most) {
        const { total, items = [], counts } = await next(stream, "markers")
        sum.total += total
        sum.items += items.length
        for (const { type, count } of counts) sum.types.set(type, (sum.types.get(type) ?? 0) + count)
      }
      return [sum.total, sum.items, Object.fromEntries(sum.types)]
    }
    for (let n = 0; n < 3; n++) {
      assert.strictEqual((await at().send([login("ada"), login("grace"), login("ada", "Level")])).status, 200)
    }
    await at().send([login("ada")], "development")
    const types = { Login: 6, Level: 3 }
    assert.deepStrictEqual(await counted(plain, 9), [9, 0, types])
    assert.deepStrictEqual(await counted(all, 9), [9, 9, types])
    assert.deepStrictEqual(await counted(mine, 9), [9, 3, types])
    for (const stream of [plain, all, mine]) stream.close()
  })

  it("shows a marker as it is stored, and leaves out what was there before", async () => {
    const stream = await at().listen("&markers=1")
    await next(stream, "open")
    const marker = { ...login("ada"), markerId: "11111111-2222-4333-8444-555555555555" }
    await at().send([marker])
    const [item] = (await next(stream, "markers")).items
    assert.deepInclude(item, { markerId: marker.markerId, type: "Login", unitId: "ada", arguments: { level: 3 } })
    await at().send([marker, login("ada", "Level")])
    const { total, items } = await next(stream, "markers")
    assert.deepStrictEqual([total, items[0].type], [1, "Level"])
    stream.close()
  })

  it("says which markers were refused, and why, to who asks for that type or unit", async () => {
    const [all, mine] = [await at().listen(), await at().listen("&unitId=ada")]
    await Promise.all([next(all, "open"), next(mine, "open")])
    const wrong = { ...login("grace"), timestamp: "yesterday" }
    assert.strictEqual((await at().send([wrong, 7, { ...wrong, distinctId: "ada" }])).status, 400)
    const { items, leftOut } = await next(all, "rejected")
    assert.deepStrictEqual(
      items.map(({ code, type, unitId }: { code: string; type: string; unitId: string }) => [code, type, unitId]),
      [
        ["INVALID_TIMESTAMP", "Login", "grace"],
        ["NOT_AN_OBJECT", null, null],
        ["INVALID_TIMESTAMP", "Login", "ada"]
      ]
    )
    assert.strictEqual(leftOut, 0)
    const own = (await next(mine, "rejected")).items
    assert.deepStrictEqual([own.length, own[0].unitId], [1, "ada"])
    all.close()
    mine.close()
  })

  it("tells of configurations at once, and goes on after the last id", async () => {
    const first = await at().listen()
    const before = await first.opened()
    const created = await at().configure("economy")
    assert.isBelow(created.status, 300, created.text)
    assert.deepStrictEqual(await next(first, "configuration"), { ids: [created.body.id] })
    first.close()
    const other = await at().configure("shop")
    const again = await at().listen("", { ...at().studio.cookie, "last-event-id": before })
    assert.deepStrictEqual(await next(again, "configuration"), { ids: [created.body.id] })
    assert.deepStrictEqual(await next(again, "configuration"), { ids: [other.body.id] })
    const stranger = await at().listen("", { ...at().studio.cookie, "last-event-id": "nonsense" })
    await next(stranger, "reset")
    again.close()
    stranger.close()
  })

  it("tells of cohorts and executions until they are done", async () => {
    const headers = { ...at().studio.cookie, environment_id: String(at().studio.production) }
    const base = `/application/${at().studio.applicationId}/analytics/v1`
    const stream = await at().listen()
    await next(stream, "open")
    const cohort = await at().server.request("POST", `${base}/cohorts`, {
      headers,
      body: { name: "Few", kind: "static", unitIds: ["ada", "grace"] }
    })
    assert.isBelow(cohort.status, 300, cohort.text)
    assert.deepStrictEqual(await next(stream, "cohort"), {
      id: cohort.body.id,
      status: "ready",
      memberCount: 2,
      isRunning: false
    })
    const query = await at().server.request("POST", `${base}/queries`, {
      headers,
      body: {
        name: "Logins",
        queryType: "insight",
        spec: {
          time: { relative: { step: "day", value: 1 }, step: "day" },
          metrics: [{ id: "A", data: { type: "totalEvents", name: "Login" } }]
        }
      }
    })
    assert.isBelow(query.status, 300, query.text)
    const asked = await at().server.request("POST", `${base}/queries/${query.body.id}/executions`, {
      headers,
      body: {}
    })
    assert.isBelow(asked.status, 300, asked.text)
    let told = await next(stream, "execution")
    while (told.state === "queued" || told.state === "running") told = await next(stream, "execution")
    assert.deepInclude(told, { queryId: query.body.id, executionId: asked.body.executionId, state: "succeeded" })
    await at().server.request("DELETE", `${base}/cohorts/${cohort.body.id}`, { headers })
    assert.deepInclude(await next(stream, "cohort"), { id: cohort.body.id, status: "removed" })
    stream.close()
  })

  it("leaves nothing behind once nobody listens, and ends with the server", async () => {
    await at().unwatched()
    await at().send([login("ada")])
    assert.isFalse(await at().isWatched())
    const stream = await at().listen()
    await next(stream, "open")
    await at().server.close()
    assert.strictEqual(await stream.ended, "end")
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { type Analyst, analystOf, savedInsight } from "../../support/analytics/Analyst.ts"
import { mintKey, openStudio, type Studio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const keys = ["createdAt", "createdBy", "description", "id", "name", "pinned", "tiles", "time", "updatedAt"]
const time = { step: "day", relative: { step: "day", value: 14 } }

describe.each(stores)("boards over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let analyst: Analyst
  let queryId: string

  const call = (method: string, path = "", body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, `/application/${studio.applicationId}/boards${path}`, {
      headers,
      ...(body === undefined ? {} : { body })
    })
  const tile = (x: number, y: number, more: object = {}) => ({ queryId, x, y, w: 6, h: 4, ...more })

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    analyst = analystOf(request, studio)
    queryId = (await analyst.save(savedInsight)).body.id
  })

  it("are made, read, replaced and deleted", async () => {
    const { status, body } = await call("POST", "", {
      name: "Every morning",
      tiles: [tile(0, 0), tile(6, 0, { time })]
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    assert.deepStrictEqual(Object.keys(body).sort(), keys)
    assert.deepStrictEqual(body.tiles, [
      { ...tile(0, 0), display: null, time: null },
      { ...tile(6, 0), display: null, time }
    ])
    assert.deepStrictEqual([body.time, body.pinned, body.description], [null, false, null])
    assert.deepStrictEqual((await call("GET", `/${body.id}`)).body, body)

    const change = { name: "Evenings", description: "Anew", time, tiles: [tile(0, 0, { display: "number" })] }
    const replaced = await call("PUT", `/${body.id}`, change)
    assert.deepStrictEqual([replaced.status, replaced.body.name, replaced.body.time], [200, "Evenings", time])
    assert.deepStrictEqual(replaced.body.createdAt, body.createdAt)

    assert.strictEqual((await call("DELETE", `/${body.id}`)).status, 204)
    for (const method of ["GET", "DELETE"]) {
      const gone = await call(method, `/${body.id}`)
      assert.deepStrictEqual([gone.status, gone.body.code], [404, "BOARD_NOT_FOUND"])
    }
    assert.strictEqual((await call("PUT", `/${body.id}`, change)).body.code, "BOARD_NOT_FOUND")
  })

  it("are listed in order of creation, page by page", async () => {
    const made = []
    for (const name of ["one", "two", "three"]) made.push((await call("POST", "", { name })).body)
    const first = (await call("GET", "?limit=2")).body
    const second = (await call("GET", `?limit=2&cursor=${first.nextCursor}`)).body
    assert.deepStrictEqual(
      [...first.items, ...second.items].map(({ id }: { id: string }) => id).sort(),
      made.map(({ id }) => id).sort()
    )
    assert.deepStrictEqual([first.items.length, second.nextCursor], [2, null])
    assert.strictEqual((await call("GET", "?cursor=nonsense")).body.code, "VALIDATION_FAILED")
    for (const { id } of made) await call("DELETE", `/${id}`)
  })

  it("are not overwritten by a change that was made on an older state", async () => {
    const { body: board } = await call("POST", "", { name: "Shared" })
    const change = (name: string, basedOn?: string) =>
      call("PUT", `/${board.id}`, { name, ...(basedOn === undefined ? {} : { basedOn }) })
    const first = await change("First", board.updatedAt)
    assert.deepStrictEqual([first.status, first.body.name], [200, "First"])
    const late = await change("Late", board.updatedAt)
    assert.deepStrictEqual([late.status, late.body.code], [409, "BOARD_CHANGED"])
    assert.deepStrictEqual((await call("GET", `/${board.id}`)).body, first.body)
    assert.strictEqual((await change("Second", first.body.updatedAt)).status, 200)
    assert.strictEqual((await change("Whatever")).body.name, "Whatever")
    await call("DELETE", `/${board.id}`)
  })

  it("have one pinned at most: the last", async () => {
    const one = (await call("POST", "", { name: "one", pinned: true })).body
    const two = (await call("POST", "", { name: "two", pinned: true })).body
    const pinned = async () =>
      (await call("GET")).body.items.flatMap(({ id, pinned: is }: { id: string; pinned: boolean }) => (is ? [id] : []))
    assert.deepStrictEqual(await pinned(), [two.id])
    const unread = await call("PUT", `/${one.id}`, { name: "one", pinned: true, basedOn: one.updatedAt })
    assert.deepStrictEqual([unread.status, unread.body.code], [409, "BOARD_CHANGED"])
    assert.deepStrictEqual(await pinned(), [two.id])
    await call("PUT", `/${one.id}`, { name: "one", pinned: true })
    assert.deepStrictEqual(await pinned(), [one.id])
    for (const { id } of [one, two]) await call("DELETE", `/${id}`)
  })

  it("are pinned by whoever covers all environments: it unpins another one", async () => {
    const { id } = (await call("POST", "", { name: "theirs", pinned: true })).body
    const scope = { permissions: ["queries:write"] as const, environmentIds: [studio.development] }
    const some = { authorization: `Bearer ${await mintKey(request, studio, scope)}` }
    const refused = await call("POST", "", { name: "own", pinned: true }, some)
    assert.deepStrictEqual([refused.status, refused.body.code], [403, "FORBIDDEN"])
    assert.isTrue((await call("GET", `/${id}`)).body.pinned)
    const own = await call("POST", "", { name: "own" }, some)
    assert.strictEqual(own.status, 201)
    const every = { authorization: `Bearer ${await mintKey(request, studio, { permissions: ["queries:write"] })}` }
    const pinned = await call("POST", "", { name: "last", pinned: true }, every)
    assert.strictEqual(pinned.status, 201)
    for (const each of [id, own.body.id, pinned.body.id]) await call("DELETE", `/${each}`)
  })

  it("lose the tiles of a query that is deleted", async () => {
    const other = (await analyst.save(savedInsight)).body.id
    const tiles = [tile(0, 0, { queryId: other }), tile(6, 0)]
    const { id, updatedAt } = (await call("POST", "", { name: "Mixed", tiles })).body
    assert.strictEqual((await analyst.call("DELETE", `/${other}`)).status, 204)
    const unread = await call("PUT", `/${id}`, { name: "Mixed", tiles: [], basedOn: updatedAt })
    assert.deepStrictEqual([unread.status, unread.body.code], [409, "BOARD_CHANGED"])
    const left = (await call("GET", `/${id}`)).body.tiles
    assert.deepStrictEqual(
      left.map((each: { queryId: string }) => each.queryId),
      [queryId]
    )
    await call("DELETE", `/${id}`)
  })

  it("are refused with every problem named, new or replaced, and nothing changes", async () => {
    const { body: board } = await call("POST", "", { name: "Board" })
    const rows: ReadonlyArray<readonly [object, number, string, RegExp]> = [
      [{ name: "" }, 400, "VALIDATION_FAILED", /name/],
      [{ name: "a", tiles: [tile(8, 0)] }, 400, "VALIDATION_FAILED", /tiles\.0: x \+ w is 14/],
      [{ name: "a", tiles: [tile(0, 0), tile(5, 3)] }, 400, "VALIDATION_FAILED", /tiles\.1: it overlaps tiles\.0/],
      [{ name: "a", tiles: [tile(0, 0, { h: 0 })] }, 400, "VALIDATION_FAILED", /tiles\.0\.h/],
      [{ name: "a", tiles: [tile(0, 0, { display: "pie" })] }, 400, "VALIDATION_FAILED", /display/],
      [{ name: "a", tiles: [tile(0, 0, { queryId: randomUUID() })] }, 422, "REFERENCE_INVALID", /tiles\.0\.queryId/],
      [{ name: "a", tile: [] }, 400, "VALIDATION_FAILED", /tiles/]
    ]
    for (const [body, status, code, message] of rows) {
      for (const [method, path] of [
        ["POST", ""],
        ["PUT", `/${board.id}`]
      ] as const) {
        const answer = await call(method, path, body)
        assert.deepStrictEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body))
        assert.match(answer.body.message, message)
      }
    }
    assert.deepStrictEqual((await call("GET")).body.items, [board])
    await call("DELETE", `/${board.id}`)
  })

  it("hold queries of their own project alone, and are read with analytics:read", async () => {
    const neighbour = await openStudio(request, `eve-${randomUUID().slice(0, 8)}`)
    const foreign = await request("POST", `/application/${neighbour.applicationId}/boards`, {
      headers: neighbour.cookie,
      body: { name: "Stolen", tiles: [tile(0, 0)] }
    })
    assert.strictEqual(foreign.body.code, "REFERENCE_INVALID")
    const reader = { authorization: `Bearer ${await mintKey(request, studio, { permissions: ["analytics:read"] })}` }
    assert.strictEqual((await call("GET", "", undefined, reader)).status, 200)
    assert.strictEqual((await call("POST", "", { name: "a" }, reader)).status, 403)
  })
})

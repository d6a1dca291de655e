import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Analyst } from "../../support/analytics/Analyst.ts"
import { analystOf, fortnight, funnelSpec, insightSpec, savedInsight, specs } from "../../support/analytics/Analyst.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const keys = [
  "createdAt",
  "createdBy",
  "description",
  "id",
  "lastRunAt",
  "listed",
  "name",
  "queryType",
  "spec",
  "starred",
  "updatedAt",
  "updatedBy"
]

const withoutMeta = ({ meta: _, ...rest }: Record<string, unknown>) => rest

let serial = 0
const marker = (type: string, at: string) => ({
  markerId: `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`,
  type,
  timestamp: Date.parse(at),
  userId: "u1",
  sessionId: "s1"
})

describe.each(stores)("saved queries over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game
  let analyst: Analyst

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    analyst = analystOf(request, studio)
    await game.fill(
      [marker("Start", "2026-03-02T10:00:00Z"), marker("Level", "2026-03-02T11:00:00Z")]
        .map((each) => JSON.stringify(each))
        .join("\n")
    )
  })

  it("are not overwritten by a change that was made on an older state", async () => {
    const { body: saved } = await analyst.save(savedInsight)
    const change = (name: string, basedOn?: string) =>
      analyst.call("PUT", `/${saved.id}`, { ...savedInsight, name, basedOn })
    const first = await change("First", saved.updatedAt)
    assert.deepStrictEqual([first.status, first.body.name], [200, "First"])
    const late = await change("Late", saved.updatedAt)
    assert.deepStrictEqual([late.status, late.body.code], [409, "QUERY_CHANGED"])
    assert.deepStrictEqual((await analyst.call("GET", `/${saved.id}`)).body, first.body)
    assert.strictEqual((await change("Second", first.body.updatedAt)).status, 200)
    assert.strictEqual((await change("Whatever")).body.name, "Whatever")
    assert.strictEqual((await analyst.save({ ...savedInsight, basedOn: saved.updatedAt })).status, 400)
    await analyst.call("DELETE", `/${saved.id}`)
  })

  it("are made, read, listed in pages, replaced and deleted", async () => {
    const made = []
    for (const [queryType, spec] of Object.entries(specs)) {
      const { status, body } = await analyst.save({ name: queryType, queryType, spec })
      assert.strictEqual(status, 201, JSON.stringify(body))
      assert.deepStrictEqual(Object.keys(body).sort(), keys)
      assert.deepStrictEqual([body.queryType, body.description, body.createdBy.id], [queryType, null, studio.userId])
      assert.deepStrictEqual([body.updatedBy, body.listed, body.starred], [body.createdBy, true, false])
      assert.isNull(body.lastRunAt)
      const read = await analyst.call("GET", `/${body.id}`)
      assert.deepStrictEqual([read.status, read.body], [200, body])
      made.push(body)
    }
    const first = (await analyst.call("GET", "?limit=2")).body
    const second = (await analyst.call("GET", `?limit=2&cursor=${first.nextCursor}`)).body
    assert.deepStrictEqual([...first.items, ...second.items], made)
    assert.deepStrictEqual([first.items.length, second.nextCursor], [2, null])
    assert.strictEqual((await analyst.call("GET", "?cursor=nonsense")).body.code, "VALIDATION_FAILED")

    const [{ id, createdAt, createdBy }] = made
    const change = { name: "Paths", description: "Anew", queryType: "funnel", spec: funnelSpec }
    const { status, body: replaced } = await analyst.call("PUT", `/${id}`, change)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual([replaced.id, replaced.createdAt, replaced.createdBy], [id, createdAt, createdBy])
    assert.deepStrictEqual([replaced.name, replaced.description, replaced.queryType], ["Paths", "Anew", "funnel"])
    assert.deepStrictEqual(replaced.spec.steps.length, 2)

    for (const { id } of made) assert.strictEqual((await analyst.call("DELETE", `/${id}`)).status, 204)
    for (const method of ["GET", "DELETE"]) {
      const { status, body } = await analyst.call(method, `/${id}`)
      assert.deepStrictEqual([status, body.code], [404, "QUERY_NOT_FOUND"])
    }
    assert.strictEqual((await analyst.call("PUT", `/${id}`, change)).body.code, "QUERY_NOT_FOUND")
    assert.deepStrictEqual((await analyst.call("GET", "")).body, { items: [], nextCursor: null })
  })

  it("refuses a bad specification with its own message, and keeps nothing", async () => {
    const formula = (text: string) => [...insightSpec.metrics, { id: "B", data: { type: "formula", formula: text } }]
    const cases: ReadonlyArray<readonly [object, number, string, RegExp]> = [
      [{ ...savedInsight, queryType: "guess" }, 400, "VALIDATION_FAILED", /queryType/],
      [{ ...savedInsight, name: "" }, 400, "VALIDATION_FAILED", /name/],
      [{ ...savedInsight, spec: { time: fortnight } }, 400, "VALIDATION_FAILED", /spec.*metrics/],
      [{ ...savedInsight, queryType: "funnel" }, 400, "VALIDATION_FAILED", /spec/],
      [{ ...savedInsight, spec: { ...insightSpec, metrics: formula("1 +") } }, 422, "FORMULA_INVALID", /./],
      [{ ...savedInsight, spec: { ...insightSpec, metrics: formula("B") } }, 422, "FORMULA_INVALID", /./],
      [
        { ...savedInsight, spec: { ...insightSpec, time: { ...fortnight, to: fortnight.from } } },
        422,
        "TIME_RANGE_INVALID",
        /time\.to/
      ],
      [
        { ...savedInsight, spec: { ...insightSpec, time: { ...fortnight, timezone: "Mars/Base" } } },
        422,
        "TIME_ZONE_UNKNOWN",
        /Mars/
      ],
      [
        {
          name: "Long",
          queryType: "funnel",
          spec: { ...funnelSpec, steps: Array.from({ length: 33 }, (_, i) => ({ id: `s${i}`, name: "Level" })) }
        },
        422,
        "QUERY_LIMIT_EXCEEDED",
        /32/
      ]
    ]
    const { body: kept } = await analyst.save(savedInsight)
    for (const [body, status, code, message] of cases) {
      for (const answer of [await analyst.save(body), await analyst.call("PUT", `/${kept.id}`, body)]) {
        assert.deepStrictEqual([answer.status, answer.body.code], [status, code], answer.text)
        assert.match(answer.body.message, message)
      }
    }
    assert.deepStrictEqual((await analyst.call("GET", "")).body.items, [kept])
    await analyst.call("DELETE", `/${kept.id}`)
  })

  it("runs a query of every type as if it were asked directly, over another time where one is sent", async () => {
    const routes = { insight: "insights", funnel: "funnels", retention: "retention" }
    const time = { ...fortnight, from: "2026-03-02T00:00:00Z", to: "2026-03-03T00:00:00Z" }
    for (const queryType of ["insight", "funnel", "retention"] as const) {
      const spec = specs[queryType]
      const { body: saved } = await analyst.save({ name: queryType, queryType, spec })
      for (const [body, asked] of [
        [{}, spec],
        [{ time }, { ...spec, time }]
      ]) {
        const executed = await analyst.call("POST", `/${saved.id}/execute`, body)
        const direct = await game.query(`${routes[queryType]}/execute`, asked!)
        assert.strictEqual(executed.status, 200, executed.text)
        assert.deepStrictEqual(withoutMeta(executed.body), withoutMeta(direct.body))
      }
      const inverted = await analyst.call("POST", `/${saved.id}/execute`, { time: { ...time, to: time.from } })
      assert.strictEqual(inverted.body.code, "TIME_RANGE_INVALID")
    }
  })

  it("answers again from memory until a marker arrives that may change the answer", async () => {
    const { body: saved } = await analyst.save(savedInsight)
    const levels = async (other: Record<string, string> = {}) => {
      const time = { ...fortnight, from: "2026-03-01T00:00:00Z", to: "2026-03-20T00:00:00Z" }
      const { body } = await analyst.call("POST", `/${saved.id}/execute`, { time }, other)
      return [body.series[0].aggregate, body.meta.cached]
    }
    assert.deepStrictEqual(await levels(), [1, false])
    assert.deepStrictEqual(await levels(), [1, true])
    assert.deepStrictEqual(await levels({ environment_id: String(studio.production) }), [0, false])
    await game.fill(JSON.stringify(marker("Level", "2026-03-04T00:00:00Z")))
    assert.deepStrictEqual(await levels(), [2, false])
    assert.deepStrictEqual(await levels(), [2, true])
  })

  it("answers a relative time from memory a moment later", async () => {
    const relative = { step: "day", timezone: "UTC", relative: { step: "year", value: 1 } }
    const { body: saved } = await analyst.save({ ...savedInsight, spec: { ...insightSpec, time: relative } })
    const run = async () => (await analyst.call("POST", `/${saved.id}/execute`, {})).body
    const first = await run()
    const second = await run()
    assert.deepStrictEqual([first.meta.cached, second.meta.cached], [false, true])
    assert.deepStrictEqual(second.series, first.series)
    assert.isTrue(second.time.to >= first.time.to)
    await game.fill(JSON.stringify(marker("Level", new Date(Date.now() + 300_000).toISOString())))
    assert.deepStrictEqual([(await run()).meta.cached, (await run()).meta.cached], [false, false])
  })

  it("shows no query to another project, and lets nobody change one who may only read", async () => {
    const { body: saved } = await analyst.save(savedInsight)
    const other = analystOf(request, await openStudio(request, "bob"))
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["DELETE", "", undefined],
      ["PUT", "", savedInsight],
      ["POST", "/execute", {}],
      ["POST", "/executions", {}]
    ] as const) {
      const answer = await other.call(method, `/${saved.id}${path}`, body)
      assert.deepStrictEqual([answer.status, answer.body.code], [404, "QUERY_NOT_FOUND"])
    }
    const reader = {
      cookie: "",
      authorization: `Bearer ${await mintKey(request, studio, { permissions: ["analytics:read"] })}`
    }
    assert.strictEqual((await analyst.call("GET", `/${saved.id}`, undefined, reader)).status, 200)
    assert.strictEqual((await analyst.call("POST", "", savedInsight, reader)).body.code, "FORBIDDEN")
    assert.strictEqual((await analyst.call("PUT", `/${saved.id}`, savedInsight, reader)).body.code, "FORBIDDEN")
    assert.strictEqual((await analyst.call("DELETE", `/${saved.id}`, undefined, reader)).body.code, "FORBIDDEN")
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { type CohortStudio, cohortStudioOf } from "../../support/cohorts/CohortStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("members of cohorts over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: CohortStudio["studio"]
  let analyst: CohortStudio["analyst"]
  let name: CohortStudio["name"]

  beforeAll(async () => {
    ;({ studio, analyst, name } = await cohortStudioOf(request, "ada"))
  })

  it("show their members page by page", async () => {
    const { id } = await analyst.list(name(), ["d", "a", "c", "e", "b"])
    const seen: Array<string> = []
    let query = "?limit=2"
    for (let page = 0; page < 3; page++) {
      const { status, body } = await analyst.call("GET", `/${id}/members${query}`)
      assert.deepStrictEqual([status, keysOf(body)], [200, ["items", "nextCursor"]])
      for (const each of body.items) assert.deepStrictEqual(keysOf(each), ["enteredAt", "unitId"])
      seen.push(...body.items.map(({ unitId }: { unitId: string }) => unitId))
      query = `?limit=2&cursor=${body.nextCursor}`
    }
    assert.deepStrictEqual(seen, ["a", "b", "c", "d", "e"])
    assert.strictEqual(query, "?limit=2&cursor=null")
    for (const wrong of ["limit=0", "limit=1001", "cursor=*", "at=yesterday", "at=2026-01-01"]) {
      refused(await analyst.call("GET", `/${id}/members?${wrong}`), 400, "VALIDATION_FAILED")
    }
  })

  it("go on after a page of their own list alone", async () => {
    const { id } = await analyst.list(name(), ["a", "b", "c"])
    const other = await analyst.list(name(), ["a", "b", "c"])
    const cursorOf = async (of: number) => (await analyst.call("GET", `/${of}/members?limit=1`)).body.nextCursor
    const own = await cursorOf(id)
    assert.strictEqual((await analyst.call("GET", `/${id}/members?cursor=${own}`)).body.items.length, 2)
    for (const cursor of ["", "W10", "Yg", "null", await cursorOf(other.id), `${own}x`]) {
      const answer = await analyst.call("GET", `/${id}/members?cursor=${cursor}`)
      refused(answer, 400, "VALIDATION_FAILED")
      assert.strictEqual(answer.body.message, "cursor: expected the nextCursor of the page before")
    }
  })

  it("go on after ids of any script", async () => {
    const ids = ["一", "二"].map((first) => first.padEnd(256, "三"))
    const { id } = await analyst.list(name(), ids)
    const first = await analyst.call("GET", `/${id}/members?limit=1`)
    const second = await analyst.call("GET", `/${id}/members?limit=1&cursor=${first.body.nextCursor}`)
    assert.deepStrictEqual([second.status, second.body.items[0]?.unitId, second.body.nextCursor], [200, ids[1], null])
  })

  it("remember who belonged, and when", async () => {
    const { id, ...first } = await analyst.list(name(), ["a", "b"])
    const put = { name: name(), kind: "static" }
    const second = (await analyst.call("PUT", `/${id}`, { ...put, unitIds: ["b", "c"] })).body
    const third = (await analyst.call("PUT", `/${id}`, { ...put, unitIds: ["a", "c"] })).body
    const [t1, t2, t3] = [first.computedAt, second.computedAt, third.computedAt]
    const before = new Date(Date.parse(t1) - 1).toISOString()
    const counts: Array<unknown> = []
    for (const at of [before, t1, t2, t3]) {
      const { status, body } = await analyst.call("GET", `/${id}/member-count?at=${at}`)
      assert.deepStrictEqual([status, keysOf(body)], [200, ["asOf", "count"]])
      counts.push([body.count, body.asOf === at, await analyst.unitIds(id, `?at=${at}`)])
    }
    assert.deepStrictEqual(counts, [
      [0, true, []],
      [2, true, ["a", "b"]],
      [2, true, ["b", "c"]],
      [2, true, ["a", "c"]]
    ])
    assert.deepStrictEqual((await analyst.call("GET", `/${id}/member-count`)).body, { count: 2, asOf: t3 })
    const stay = async (userId: string, at = "") =>
      (await analyst.call("GET", `/${id}/membership?userId=${userId}${at === "" ? "" : `&at=${at}`}`)).body
    const nobody = { isMember: false, enteredAt: null, leftAt: null }
    assert.deepStrictEqual(await stay("a"), { userId: "a", isMember: true, enteredAt: t3, leftAt: null })
    assert.deepStrictEqual(await stay("b"), { userId: "b", isMember: false, enteredAt: t1, leftAt: t3 })
    assert.deepStrictEqual(await stay("x"), { userId: "x", ...nobody })
    assert.deepStrictEqual(await stay("a", t1), { userId: "a", isMember: true, enteredAt: t1, leftAt: null })
    assert.deepStrictEqual((await stay("a", t2)).isMember, false)
    assert.deepStrictEqual(await stay("a", before), { userId: "a", ...nobody })
    refused(await analyst.call("GET", `/${id}/membership`), 400, "VALIDATION_FAILED")
    refused(await analyst.call("GET", `/${id}/membership?userId=`), 400, "VALIDATION_FAILED")
  })

  it("tell who uses them, and how their members came and went", async () => {
    const { id, ...first } = await analyst.list(name(), ["a", "b"])
    const empty = (await analyst.call("GET", `/${id}/usage`)).body
    assert.deepStrictEqual(empty, {
      experiments: [],
      metricExperiments: [],
      queries: [],
      history: [{ at: first.computedAt, memberCount: 2, entered: 2, left: 0 }]
    })
    const change = { name: name(), kind: "static", unitIds: ["b", "c", "d"] }
    const second = (await analyst.call("PUT", `/${id}`, change)).body
    await analyst.call("PUT", `/${id}`, change)
    const save = (title: string, spec: object) =>
      request("POST", `/application/${studio.applicationId}/analytics/v1/queries`, {
        headers: studio.cookie,
        body: {
          name: title,
          queryType: "insight",
          spec: {
            time: { step: "day", relative: { step: "day", value: 7 } },
            metrics: [{ id: "A", visible: true, data: { name: "Level", type: "totalEvents" } }],
            ...spec
          }
        }
      })
    const filters = [{ source: "cohort", name: String(id), operator: "isIn", value: [id] }]
    const filtered = (await save("filtered", { filters })).body
    const broken = (await save("broken down", { breakdowns: [{ source: "cohort", name: String(id) }] })).body
    await save("other", {})
    const { body } = await analyst.call("GET", `/${id}/usage`)
    assert.deepStrictEqual(keysOf(body), ["experiments", "history", "metricExperiments", "queries"])
    assert.deepStrictEqual(body.history, [
      empty.history[0],
      { at: second.computedAt, memberCount: 3, entered: 2, left: 1 }
    ])
    assert.sameDeepMembers(body.queries, [
      { id: filtered.id, name: "filtered" },
      { id: broken.id, name: "broken down" }
    ])
    const all = (await analyst.call("GET", "/usage")).body
    assert.deepStrictEqual(
      all.map((each: { id: number }) => each.id),
      (await analyst.call("GET", "")).body.map((each: { id: number }) => each.id)
    )
    const { perDay90, ...own } = all.find((each: { id: number }) => each.id === id)
    const { experiments, metricExperiments, queries } = body
    assert.deepStrictEqual(own, { id, experiments, metricExperiments, queries })
    assert.deepStrictEqual([perDay90.length, perDay90[0], perDay90.at(-1)], [90, null, 3])
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { keysOf, refused } from "../../support/Caller.ts"
import { turn } from "../../support/analytics/Analyst.ts"
import type { CohortAnalyst } from "../../support/cohorts/CohortAnalyst.ts"
import { atLeast, cohortAnalystOf, lastWeek, membersOf } from "../../support/cohorts/CohortAnalyst.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const recordKeys = [
  "applicationId",
  "computedAt",
  "createdAt",
  "createdBy",
  "definition",
  "description",
  "environmentId",
  "error",
  "id",
  "kind",
  "memberCount",
  "name",
  "status",
  "updatedAt"
]

const nowhere = 987_654

const one = (condition: object) => ({ op: "and", children: [condition] })
const behaviour = atLeast(1, "Level").children[0]!
const nested = (depth: number): object => (depth === 0 ? behaviour : one(nested(depth - 1)))

/** Bodies of POST and PUT, and of execute as far as they have a definition. */
const unsound: ReadonlyArray<readonly [string, object]> = [
  ["without a name", { name: undefined }],
  ["with an empty name", { name: "" }],
  ["with a name too long", { name: "x".repeat(101) }],
  ["with a description too long", { description: "x".repeat(256) }],
  ["without a definition", { definition: undefined }],
  ["of an unknown kind", { kind: "sometimes" }],
  ["without conditions", { definition: { op: "and", children: [] } }],
  ["with an unknown operation", { definition: { op: "xor", children: [behaviour] } }],
  ["with an unknown condition", { definition: one({ type: "magic" }) }],
  ["nested 6 deep", { definition: nested(6) }],
  ["with 51 conditions", { definition: { op: "or", children: Array.from({ length: 51 }, () => behaviour) } }],
  ["that sum up nothing", { definition: one({ ...behaviour, measure: "sum" }) }],
  ["between one bound", { definition: one({ ...behaviour, operator: "between", value: 1 }) }],
  ["in a window of no time", { definition: one({ ...behaviour, window: { last: 0, unit: "day" } }) }],
  [
    "in a window without offset",
    { definition: one({ ...behaviour, window: { from: "2026-01-01", to: "2026-01-02" } }) }
  ],
  ["of cohort 0", { definition: membersOf(0) }]
]

/** Definitions that decode and cannot be. */
const impossible: ReadonlyArray<readonly [string, object, string]> = [
  ["bounds the wrong way round", one({ ...behaviour, operator: "between", value: [2, 1] }), "QUERY_INVALID"],
  [
    "a number compared with a text",
    one({ type: "property", name: "age", operator: "greaterThan", value: "old" }),
    "QUERY_INVALID"
  ],
  [
    "a window the wrong way round",
    one({ ...behaviour, window: { from: "2026-02-01T00:00:00Z", to: "2026-01-01T00:00:00Z" } }),
    "TIME_RANGE_INVALID"
  ],
  ["a cohort that is not there", membersOf(nowhere), "REFERENCE_INVALID"],
  [
    "a cohort that is not there, in a filter",
    one({ ...behaviour, filters: [{ source: "cohort", name: "x", operator: "isIn", value: [nowhere] }] }),
    "REFERENCE_INVALID"
  ],
  ["an experiment that is not there", one({ type: "experiment", experimentId: nowhere }), "REFERENCE_INVALID"],
  [
    "an experiment that is not there, in a filter",
    one({
      ...behaviour,
      filters: [{ source: "experiment", name: String(nowhere), operator: "isIn", value: [1] }]
    }),
    "REFERENCE_INVALID"
  ]
]

describe.each(stores)("cohorts over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game
  let analyst: CohortAnalyst
  let names = 0

  const name = () => `Cohort ${++names}`
  const send = (type: string, userIds: ReadonlyArray<string | number>) =>
    game.send(userIds.map((userId) => ({ markerId: randomUUID(), timestamp: new Date().toISOString(), type, userId })))

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    analyst = cohortAnalystOf(request, studio)
    await send("Level", ["ann", "ann", "bob", 7, 7])
  })

  it("answers an empty list where there are none", async () => {
    const answer = await analyst.call("GET", "", undefined, { environment_id: String(studio.production) })
    assert.deepStrictEqual([answer.status, answer.body], [200, []])
  })

  it("are made at once, and computed in the background", async () => {
    const asked = { name: name(), description: "twice and more", definition: atLeast(2, "Level") }
    const created = await analyst.call("POST", "", asked)
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), recordKeys)
    const { id, createdAt, createdBy, definition, ...rest } = created.body
    assert.deepStrictEqual(rest, {
      applicationId: studio.applicationId,
      environmentId: studio.development,
      name: asked.name,
      description: asked.description,
      kind: "dynamic",
      status: "computing",
      memberCount: 0,
      computedAt: null,
      error: null,
      updatedAt: createdAt
    })
    assert.deepStrictEqual(createdBy, { id: studio.userId, email: "ada@studio.test" })
    assert.deepStrictEqual(definition.children[0], { ...behaviour, value: 2, did: true, filters: [], match: "all" })
    const { body } = await analyst.settled(id)
    assert.deepStrictEqual(keysOf(body), recordKeys)
    assert.deepStrictEqual([body.status, body.memberCount, body.error], ["ready", 2, null])
    assert.isAtLeast(Date.parse(body.computedAt), Date.parse(createdAt))
    assert.deepStrictEqual(await analyst.unitIds(id), ["7", "ann"])
    assert.deepInclude((await analyst.call("GET", "")).body, body)
  })

  it("of a list are there at once: a number by its decimal text, each id once", async () => {
    const asked = { name: name(), kind: "static", unitIds: ["zoë", 9_007_199_254_740_991, 7, "7", "007", "zoë"] }
    const { status, body } = await analyst.call("POST", "", asked)
    assert.deepStrictEqual([status, keysOf(body)], [201, recordKeys])
    assert.deepStrictEqual(
      [body.kind, body.status, body.memberCount, body.definition, body.error],
      ["static", "ready", 4, null, null]
    )
    assert.isString(body.computedAt)
    assert.deepStrictEqual(await analyst.unitIds(body.id), ["007", "7", "9007199254740991", "zoë"])
    const empty = await analyst.list(name(), [])
    assert.deepStrictEqual([empty.status, empty.memberCount], ["ready", 0])
    assert.deepStrictEqual(await analyst.unitIds(empty.id), [])
  })

  it("are replaced: another definition is computed anew, the same one is not", async () => {
    const before = await analyst.define(name(), atLeast(2, "Level"))
    const renamed = await analyst.call("PUT", `/${before.id}`, { name: name(), definition: atLeast(2, "Level") })
    assert.deepStrictEqual([renamed.status, renamed.body.status, keysOf(renamed.body)], [200, "ready", recordKeys])
    assert.deepStrictEqual([renamed.body.computedAt, renamed.body.description], [before.computedAt, null])
    const changed = await analyst.call("PUT", `/${before.id}`, { name: name(), definition: atLeast(1, "Level") })
    assert.deepStrictEqual([changed.body.status, changed.body.memberCount], ["computing", 2])
    const after = await analyst.settled(before.id)
    assert.deepStrictEqual([after.body.memberCount, after.body.createdAt], [3, before.createdAt])
    assert.deepStrictEqual(await analyst.unitIds(before.id), ["7", "ann", "bob"])
  })

  it("of a list may have it replaced, or keep it", async () => {
    const { id, computedAt } = await analyst.list(name(), ["a", "b"])
    const renamed = await analyst.call("PUT", `/${id}`, { name: name(), kind: "static" })
    assert.deepStrictEqual([renamed.body.memberCount, renamed.body.computedAt], [2, computedAt])
    const replaced = await analyst.call("PUT", `/${id}`, { name: name(), kind: "static", unitIds: [3, "b"] })
    assert.deepStrictEqual([replaced.status, replaced.body.status, replaced.body.memberCount], [200, "ready", 2])
    assert.deepStrictEqual(await analyst.unitIds(id), ["3", "b"])
  })

  it("change from one kind to the other", async () => {
    const { id } = await analyst.define(name(), atLeast(1, "Level"))
    const without = await analyst.call("PUT", `/${id}`, { name: name(), kind: "static" })
    refused(without, 400, "VALIDATION_FAILED")
    const listed = await analyst.call("PUT", `/${id}`, { name: name(), kind: "static", unitIds: ["ann", "x"] })
    assert.deepStrictEqual([listed.body.kind, listed.body.definition, listed.body.memberCount], ["static", null, 2])
    await analyst.call("PUT", `/${id}`, { name: name(), definition: atLeast(1, "Level") })
    const { body } = await analyst.settled(id)
    assert.deepStrictEqual([body.kind, body.status, body.memberCount], ["dynamic", "ready", 3])
  })

  it("are deleted with their members", async () => {
    const { id } = await analyst.list(name(), ["a"])
    const removed = await analyst.call("DELETE", `/${id}`)
    assert.deepStrictEqual([removed.status, removed.text], [204, ""])
    for (const path of ["", "/member-count", "/members", "/membership?userId=a", "/usage"]) {
      refused(await analyst.call("GET", `/${id}${path}`), 404, "COHORT_NOT_FOUND")
    }
    refused(await analyst.call("DELETE", `/${id}`), 404, "COHORT_NOT_FOUND")
    refused(await analyst.call("PUT", `/${id}`, { name: name(), definition: nested(1) }), 404, "COHORT_NOT_FOUND")
  })

  it.each(unsound)("%s are refused, new or replaced, and nothing changes", async (_case, more) => {
    const { id } = await analyst.list(name(), [])
    const before = (await analyst.call("GET", "")).text
    const body = { name: name(), definition: nested(1), ...more }
    refused(await analyst.call("POST", "", body), 400, "VALIDATION_FAILED")
    refused(await analyst.call("PUT", `/${id}`, body), 400, "VALIDATION_FAILED")
    const isAboutDefinition = "definition" in more
    if (isAboutDefinition) refused(await analyst.call("POST", "/execute", body), 400, "VALIDATION_FAILED")
    assert.strictEqual((await analyst.call("GET", "")).text, before)
  })

  it.each(impossible)("with %s are refused, and nothing changes", async (_case, definition, code) => {
    const { id } = await analyst.define(name(), nested(1))
    const before = (await analyst.call("GET", "")).text
    refused(await analyst.call("POST", "", { name: name(), definition }), 422, code)
    refused(await analyst.call("PUT", `/${id}`, { name: name(), definition }), 422, code)
    refused(await analyst.call("POST", "/execute", { definition }), 422, code)
    assert.strictEqual((await analyst.call("GET", "")).text, before)
  })

  it.each([
    ["a fraction", [1.5]],
    ["a number too large", [2 ** 53]],
    ["an empty text", [""]],
    ["a text too long", ["x".repeat(257)]],
    ["null", [null]],
    ["more than 100,000", Array.from({ length: 100_001 }, (_each, n) => n)]
  ])("of a list with %s are refused", async (_case, unitIds) => {
    refused(await analyst.call("POST", "", { name: name(), kind: "static", unitIds }), 400, "VALIDATION_FAILED")
  })

  it("take a name once in an environment, whatever its case", async () => {
    const taken = name()
    const { id } = await analyst.list(taken, ["a"])
    const other = await analyst.list(name(), ["b"])
    const body = { name: taken.toUpperCase(), kind: "static", unitIds: ["c"] }
    refused(await analyst.call("POST", "", body), 409, "COHORT_NAME_TAKEN")
    refused(await analyst.call("PUT", `/${other.id}`, body), 409, "COHORT_NAME_TAKEN")
    assert.deepStrictEqual(await analyst.unitIds(other.id), ["b"])
    const elsewhere = await analyst.call("POST", "", body, { environment_id: String(studio.production) })
    assert.strictEqual(elsewhere.status, 201)
    assert.strictEqual((await analyst.call("PUT", `/${id}`, { ...body, unitIds: ["a"] })).status, 200)
  })

  it("refer to each other in one direction, and keep those they refer to", async () => {
    const first = await analyst.define(name(), atLeast(2, "Level"))
    const second = await analyst.define(name(), membersOf(first.id))
    assert.strictEqual(second.memberCount, 2)
    const filter = { source: "cohort", name: "x", operator: "isIn", value: [second.id] }
    const third = await analyst.define(name(), one({ ...behaviour, filters: [filter] }))
    assert.strictEqual(third.memberCount, 2)
    for (const id of [first.id, second.id, third.id]) {
      const body = { name: name(), definition: membersOf(id) }
      refused(await analyst.call("PUT", `/${first.id}`, body), 422, "COHORT_CYCLE")
    }
    for (const { id } of [first, second]) refused(await analyst.call("DELETE", `/${id}`), 409, "COHORT_IN_USE")
    for (const { id } of [third, second, first]) {
      assert.strictEqual((await analyst.call("DELETE", `/${id}`)).status, 204)
    }
  })

  it("that refer to another are computed after it", async () => {
    const first = await analyst.list(name(), ["ann"])
    const second = await analyst.define(name(), membersOf(first.id))
    assert.strictEqual(second.memberCount, 1)
    await analyst.call("PUT", `/${first.id}`, { name: name(), kind: "static", unitIds: ["ann", "bob"] })
    for (let looks = 0; looks < 20_000; looks++) {
      const { body } = await analyst.settled(second.id)
      if (body.memberCount === 2) break
      await turn()
    }
    assert.deepStrictEqual(await analyst.unitIds(second.id), ["ann", "bob"])
  })

  it("are counted and sampled without being kept", async () => {
    const before = (await analyst.call("GET", "")).text
    const { status, body } = await analyst.call("POST", "/execute", { definition: nested(3) })
    assert.deepStrictEqual([status, keysOf(body)], [200, ["asOf", "count", "sample"]])
    assert.deepStrictEqual([body.count, body.sample], [3, ["7", "ann", "bob"]])
    const few = await analyst.call("POST", "/execute", { definition: nested(1), limit: 1 })
    assert.deepStrictEqual([few.body.count, few.body.sample], [3, ["7"]])
    const none = await analyst.call("POST", "/execute", { definition: atLeast(1, "Nothing"), limit: 0 })
    assert.deepStrictEqual([none.body.count, none.body.sample], [0, []])
    for (const limit of [-1, 1001, "1"]) {
      const answer = await analyst.call("POST", "/execute", { definition: nested(1), limit })
      refused(answer, 400, "VALIDATION_FAILED")
    }
    assert.strictEqual((await analyst.call("GET", "")).text, before)
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
    assert.deepStrictEqual(keysOf(body), ["experiments", "history", "queries"])
    assert.deepStrictEqual(body.history, [
      empty.history[0],
      { at: second.computedAt, memberCount: 3, entered: 2, left: 1 }
    ])
    assert.sameDeepMembers(body.queries, [
      { id: filtered.id, name: "filtered" },
      { id: broken.id, name: "broken down" }
    ])
  })

  it("of another environment or project are not there, and cannot be referred to", async () => {
    const { id } = await analyst.list(name(), ["a"])
    const stranger = await openStudio(request, "bob")
    const theirs = cohortAnalystOf(request, stranger)
    const production = { environment_id: String(studio.production) }
    const calls = [
      ["GET", `/${id}`],
      ["PUT", `/${id}`, { name: name(), definition: nested(1) }],
      ["DELETE", `/${id}`],
      ["GET", `/${id}/member-count`],
      ["GET", `/${id}/members`],
      ["GET", `/${id}/membership?userId=a`],
      ["GET", `/${id}/usage`]
    ] as const
    for (const [method, path, body] of calls) {
      refused(await theirs.call(method, path, body), 404, "COHORT_NOT_FOUND")
      refused(await analyst.call(method, path, body, production), 404, "COHORT_NOT_FOUND")
      refused(await analyst.call(method, path, body, stranger.cookie), 404, "APPLICATION_NOT_FOUND")
    }
    const reference = { name: name(), definition: membersOf(id) }
    refused(await theirs.call("POST", "", reference), 422, "REFERENCE_INVALID")
    refused(await theirs.call("POST", "/execute", { definition: membersOf(id) }), 422, "REFERENCE_INVALID")
    refused(await analyst.call("POST", "", reference, production), 422, "REFERENCE_INVALID")
    assert.deepStrictEqual(await analyst.unitIds(id), ["a"])
  })

  it("ask for the header environment_id", async () => {
    const answer = await request("GET", `/application/${studio.applicationId}/analytics/v1/cohorts`, {
      headers: studio.cookie
    })
    refused(answer, 400, "VALIDATION_FAILED")
  })

  it("know windows of every form", async () => {
    const windows = [
      lastWeek,
      { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00+01:00" },
      { sinceFirstSeen: [0, 1] }
    ]
    for (const window of windows) {
      const { body } = await analyst.call("POST", "/execute", { definition: one({ ...behaviour, window }) })
      assert.strictEqual(body.count, 3, JSON.stringify(window))
    }
  })
})

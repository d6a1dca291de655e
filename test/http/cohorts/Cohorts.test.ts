import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { turn } from "../../support/analytics/Analyst.ts"
import { atLeast, cohortAnalystOf, lastWeek, membersOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type CohortStudio, cohortStudioOf } from "../../support/cohorts/CohortStudio.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { one, behaviour, nested } from "../../support/cohorts/Behaviours.ts"

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

describe.each(stores)("cohorts over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: CohortStudio["studio"]
  let analyst: CohortStudio["analyst"]
  let name: CohortStudio["name"]

  beforeAll(async () => {
    ;({ studio, analyst, name } = await cohortStudioOf(request, "ada"))
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

  it("are not overwritten by a change that was made on an older state", async () => {
    const { body: made } = await analyst.call("POST", "", { name: name(), kind: "static", unitIds: ["ann"] })
    const change = (basedOn: string | undefined, ...unitIds: ReadonlyArray<string>) =>
      analyst.call("PUT", `/${made.id}`, { name: made.name, kind: "static", unitIds, basedOn })
    const first = await change(made.updatedAt, "ann", "bob")
    assert.deepStrictEqual([first.status, first.body.memberCount], [200, 2])
    refused(await change(made.updatedAt, "eve"), 409, "COHORT_CHANGED")
    assert.deepStrictEqual((await analyst.call("GET", `/${made.id}`)).body, first.body)
    assert.strictEqual((await change(first.body.updatedAt, "ann")).status, 200)
    assert.strictEqual((await change(undefined, "ann")).status, 200)
    const defined = await analyst.call("PUT", `/${made.id}`, {
      name: made.name,
      definition: atLeast(1, "Level"),
      basedOn: first.body.updatedAt
    })
    refused(defined, 409, "COHORT_CHANGED")
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

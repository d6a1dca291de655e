import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { ApplicationId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { bearer, caller, keysOf, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const recordKeys = ["alias", "applicationId", "createdAt", "id", "markerRetentionDays", "name", "retentionDays"]

describe.each(stores)("environments over %s", (_, store) => {
  const { request, run } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const path = `/application/${studio.applicationId}/environments`
    return { studio, call: caller(request, studio.cookie), path }
  }

  it("is created with the alias given or one made of its name, changed and deleted", async () => {
    const { studio, call, path } = await open("maker")
    const named = await call("POST", path, { name: "Load Test 2" })
    assert.strictEqual(named.status, 201)
    assert.deepStrictEqual(keysOf(named.body), recordKeys)
    assert.deepInclude(named.body, { applicationId: studio.applicationId, name: "Load Test 2", alias: "load-test-2" })
    const aliased = await call("POST", path, { name: "日本", alias: "QA Japan" })
    assert.deepStrictEqual([aliased.body.name, aliased.body.alias], ["日本", "qa-japan"])
    const changed = await call("PATCH", `${path}/${aliased.body.id}`, { alias: "japan" })
    assert.deepStrictEqual(changed.body, { ...aliased.body, alias: "japan" })
    const renamed = await call("PATCH", `${path}/${aliased.body.id}`, { name: "Japan" })
    assert.deepStrictEqual(renamed.body, { ...changed.body, name: "Japan" })
    assert.deepStrictEqual((await call("GET", path)).body.slice(2), [named.body, renamed.body])
    assert.strictEqual((await call("DELETE", `${path}/${named.body.id}`)).status, 204)
    refused(await call("DELETE", `${path}/${named.body.id}`), 404, "ENVIRONMENT_NOT_FOUND")
    assert.strictEqual((await call("POST", path, { name: "Load Test 2" })).status, 201)
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const { studio, call, path } = await open("refuser")
    const other = await open("refuser-other")
    const before = (await call("GET", path)).text
    const production = `${path}/${studio.production}`
    const development = `${path}/${studio.development}`
    const foreign = `${path}/${other.studio.production}`
    const cases: ReadonlyArray<readonly [number, string, string, string, unknown]> = [
      [400, "VALIDATION_FAILED", "POST", path, { name: "" }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "日本" }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "Good", alias: "---" }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "Good", alias: "x".repeat(65) }],
      [409, "ALIAS_TAKEN", "POST", path, { name: "Production" }],
      [409, "ALIAS_TAKEN", "POST", path, { name: "Other", alias: "Development" }],
      [409, "ALIAS_TAKEN", "POST", path, { name: "Studio" }],
      [409, "ALIAS_TAKEN", "PATCH", development, { alias: "production" }],
      [409, "ALIAS_TAKEN", "PATCH", development, { alias: "studio" }],
      [409, "ENVIRONMENT_PROTECTED", "PATCH", production, { alias: "live" }],
      [409, "ENVIRONMENT_PROTECTED", "DELETE", production, undefined],
      [404, "ENVIRONMENT_NOT_FOUND", "PATCH", foreign, { name: "Mine" }],
      [404, "ENVIRONMENT_NOT_FOUND", "DELETE", foreign, undefined]
    ]
    for (const [status, code, method, at, body] of cases) refused(await call(method, at, body), status, code)
    assert.strictEqual((await call("GET", path)).text, before)
    assert.lengthOf((await other.call("GET", other.path)).body, 2)
  })

  it("C4: keeps its markers for days of its own, and single types for others", async () => {
    const { studio, call, path } = await open("keeper")
    const at = `${path}/${studio.development}`
    const kept = await call("PATCH", at, { retentionDays: 5, markerRetentionDays: { Ping: 1 } })
    assert.deepInclude(kept.body, { retentionDays: 5, markerRetentionDays: { Ping: 1 } })
    assert.deepStrictEqual((await call("PATCH", at, { name: "Dev" })).body, { ...kept.body, name: "Dev" })
    const reset = await call("PATCH", at, { retentionDays: null, markerRetentionDays: {} })
    assert.deepInclude(reset.body, { retentionDays: null, markerRetentionDays: {} })
    for (const body of [{ retentionDays: 0 }, { retentionDays: 1.5 }, { markerRetentionDays: { Ping: 40_000 } }])
      refused(await call("PATCH", at, body), 400, "VALIDATION_FAILED")
  })

  it("the production environment may be renamed", async () => {
    const { studio, call, path } = await open("renamer")
    const renamed = await call("PATCH", `${path}/${studio.production}`, { name: "Live", alias: "production" })
    assert.deepStrictEqual([renamed.body.name, renamed.body.alias], ["Live", "production"])
  })

  it("a project has room for 500, and not for one more", async () => {
    const { studio, call, path } = await open("many")
    const applicationId = ApplicationId.make(studio.applicationId)
    const fill = Effect.gen(function* () {
      const projects = yield* ProjectRepo
      const createdAt = yield* DateTime.now
      for (let index = 2; index < 499; index++) {
        yield* projects.insertEnvironment({ applicationId, name: `${index}`, alias: `e-${index}`, createdAt })
      }
    })
    await run(fill)
    assert.strictEqual((await call("POST", path, { name: "The last" })).status, 201)
    refused(await call("POST", path, { name: "One more" }), 403, "SLOTS_EXHAUSTED")
    assert.lengthOf((await call("GET", path)).body, 500)
  })

  it("of two of the same alias at the same time one is created", async () => {
    const { call, path } = await open("twins")
    const answers = await Promise.all([call("POST", path, { name: "Twin" }), call("POST", path, { name: "twin" })])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 409])
  })

  it("what is written into one while it is removed is stored, or refused as of an environment that is not there", async () => {
    const { studio, call, path } = await open("racer")
    const told = new Set<string>()
    for (let round = 0; round < 16; round++) {
      const { id } = (await call("POST", path, { name: `Short ${round}` })).body
      const within = caller(request, { ...studio.cookie, environment_id: String(id) })
      const write = (name: string) =>
        within("POST", `/application/${studio.applicationId}/v2/configuration`, { name, configuration: { gold: 1 } })
      const writes = Array.from({ length: 4 }, (_none, at) => write(`configuration ${at}`))
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
      assert.strictEqual((await call("DELETE", `${path}/${id}`)).status, 204)
      for (const { status, body } of await Promise.all(writes)) told.add(`${status} ${body.code ?? ""}`)
    }
    const allowed = new Set(["201 ", "404 ENVIRONMENT_NOT_FOUND", "409 CHANGED_MEANWHILE"])
    assert.deepStrictEqual(
      [...told].filter((each) => !allowed.has(each)),
      []
    )
  })

  it("a token sees and changes the environments it covers, and none once they are gone", async () => {
    const { studio, call, path } = await open("covered")
    const { id } = (await call("POST", path, { name: "Staging" })).body
    const minted = await call("POST", "/users/personal-access-tokens", {
      name: "staging only",
      organizationId: studio.organizationId,
      projectScope: { allProjects: true },
      environmentIds: [id],
      permissions: ["projects:read", "environments:write"]
    })
    const withToken = caller(request, bearer(minted.body.token))
    assert.deepStrictEqual(
      (await withToken("GET", path)).body.map((each: { id: number }) => each.id),
      [id]
    )
    assert.strictEqual((await withToken("PATCH", `${path}/${id}`, { name: "Stage" })).status, 200)
    refused(await withToken("PATCH", `${path}/${studio.development}`, { name: "Mine" }), 403, "FORBIDDEN")
    refused(await withToken("DELETE", `${path}/${studio.development}`), 403, "FORBIDDEN")
    assert.strictEqual((await call("DELETE", `${path}/${id}`)).status, 204)
    assert.deepStrictEqual((await withToken("GET", path)).body, [])
  })
})

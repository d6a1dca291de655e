import { assert, describe, it } from "@effect/vitest"
import { bearer, caller, joinAs, keysOf, refused, rolesOf } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const recordKeys = [
  "color",
  "createdAt",
  "createdBy",
  "id",
  "name",
  "organizationId",
  "sdk",
  "thumbnailUrl",
  "timezone"
]
const namesOf = (items: ReadonlyArray<{ readonly name: string }>) => items.map(({ name }) => name)

describe.each(stores)("projects over %s", (_, store) => {
  const { request } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const home = `/organization/${studio.organizationId}`
    return { studio, call: caller(request, studio.cookie), home, path: `${home}/projects` }
  }

  it("starts with the environments production and development", async () => {
    const { studio, call, path } = await open("starter")
    const created = await call("POST", path, { name: "Racer" })
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), recordKeys)
    const { id, createdAt: _, ...rest } = created.body
    assert.deepStrictEqual(rest, {
      organizationId: studio.organizationId,
      name: "Racer",
      sdk: { id: 1, name: "Custom" },
      color: null,
      thumbnailUrl: null,
      timezone: "UTC",
      createdBy: studio.userId
    })
    assert.deepStrictEqual((await call("GET", `/application/${id}`)).body, created.body)
    const environments = (await call("GET", `/application/${id}/environments`)).body
    assert.deepStrictEqual(
      environments.map(({ alias }: { alias: string }) => alias),
      ["production", "development"]
    )
  })

  it("keeps what a change leaves out, and clears what it sets to null", async () => {
    const { call, path } = await open("changer")
    const whole = {
      name: "Racer",
      sdkId: 3,
      color: "#abcdef",
      thumbnailUrl: "https://x.test/a.png",
      timezone: "Asia/Tokyo"
    }
    const { body } = await call("POST", path, whole)
    const application = `/application/${body.id}`
    const first = await call("PATCH", application, { sdkId: 5, timezone: "Europe/Paris" })
    assert.deepStrictEqual(first.body, { ...body, sdk: { id: 5, name: "Godot" }, timezone: "Europe/Paris" })
    const second = await call("PATCH", application, { name: "Racer 2", color: null, thumbnailUrl: null })
    assert.deepStrictEqual(second.body, { ...first.body, name: "Racer 2", color: null, thumbnailUrl: null })
    assert.deepStrictEqual((await call("GET", application)).body, second.body)
  })

  it("lists page by page", async () => {
    const { call, path } = await open("lister")
    await call("POST", path, { name: "B" })
    await call("POST", path, { name: "C" })
    const first = (await call("GET", `${path}?limit=2`)).body
    const second = (await call("GET", `${path}?limit=2&cursor=${first.nextCursor}`)).body
    assert.deepStrictEqual([...namesOf(first.items), ...namesOf(second.items)], ["My game", "B", "C"])
    assert.isNull(second.nextCursor)
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const { studio, call, path } = await open("refuser")
    const application = `/application/${studio.applicationId}`
    const before = (await call("GET", path)).text
    const cases: ReadonlyArray<readonly [number, string, string, string, unknown]> = [
      [400, "VALIDATION_FAILED", "POST", path, { name: "" }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "A", sdkId: 7 }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "A", color: "blue" }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "A", thumbnailUrl: "javascript:alert(1)" }],
      [422, "TIME_ZONE_UNKNOWN", "POST", path, { name: "A", timezone: "Mars/Base" }],
      [422, "TIME_ZONE_UNKNOWN", "POST", path, { name: "A", timezone: "+02:00" }],
      [422, "TIME_ZONE_UNKNOWN", "PATCH", application, { timezone: "Europe/Nowhere" }],
      [400, "VALIDATION_FAILED", "PATCH", application, { sdkId: 0 }],
      [404, "APPLICATION_NOT_FOUND", "GET", "/application/999999", undefined],
      [404, "APPLICATION_NOT_FOUND", "DELETE", "/application/999999", undefined]
    ]
    for (const [status, code, method, at, body] of cases) refused(await call(method, at, body), status, code)
    assert.strictEqual((await call("GET", path)).text, before)
  })

  it("goes with its environments, and a key that was scoped to it covers nothing", async () => {
    const { studio, call, path } = await open("remover")
    const { id } = (await call("POST", path, { name: "Short-lived" })).body
    const application = `/application/${id}`
    const [production] = (await call("GET", `${application}/environments`)).body
    const minted = await call("POST", "/users/personal-access-tokens", {
      name: "scoped",
      organizationId: studio.organizationId,
      projectScope: { allProjects: false, applicationIds: [id] },
      environmentIds: [production.id],
      permissions: ["projects:read"]
    })
    const withToken = caller(request, bearer(minted.body.token))
    assert.deepStrictEqual(namesOf((await withToken("GET", path)).body.items), ["Short-lived"])
    assert.strictEqual((await withToken("GET", application)).status, 200)
    assert.strictEqual((await call("DELETE", application)).status, 204)
    refused(await call("GET", application), 404, "APPLICATION_NOT_FOUND")
    refused(await call("GET", `${application}/environments`), 404, "APPLICATION_NOT_FOUND")
    refused(await withToken("GET", application), 404, "APPLICATION_NOT_FOUND")
    refused(await withToken("GET", `/application/${studio.applicationId}`), 403, "FORBIDDEN")
    assert.deepStrictEqual((await withToken("GET", path)).body.items, [])
  })

  it("is listed to members who may see it only", async () => {
    const { studio, call, home, path } = await open("partial")
    await call("POST", `${home}/v2/roles`, { name: "Nothing", permissions: [] })
    const { Nothing, Viewer } = await rolesOf(call, studio.organizationId)
    await call("POST", path, { name: "Secret" })
    const outsider = await joinAs(request, studio, "partial-freelancer", "Nothing")
    refused(await outsider.call("GET", path), 403, "FORBIDDEN")
    await call("PUT", `${path}/${studio.applicationId}/grants/${outsider.membershipId}`, { roleId: Viewer })
    assert.deepStrictEqual(namesOf((await outsider.call("GET", path)).body.items), ["My game"])
    const viewer = await joinAs(request, studio, "partial-viewer", "Viewer")
    await call("PUT", `${path}/${studio.applicationId}/grants/${viewer.membershipId}`, { roleId: Nothing })
    assert.deepStrictEqual(namesOf((await viewer.call("GET", path)).body.items), ["Secret"])
    assert.deepStrictEqual(namesOf((await viewer.call("GET", home)).body.applications), ["Secret"])
  })

  it("takes no key of the organization", async () => {
    const { studio } = await open("keys")
    const key = await mintKey(request, studio, { permissions: ["projects:read"] })
    const answer = await caller(request, bearer(key))("GET", `/application/${studio.applicationId}`)
    refused(answer, 401, "CREDENTIAL_NOT_ACCEPTED")
  })
})

describe.each(stores)("project slots over %s", (_, store) => {
  const { request } = testApp(store, { projectSlots: 2 })

  it("are enforced, also when projects come at once", async () => {
    const studio = await openStudio(request, "full")
    const call = caller(request, studio.cookie)
    const path = `/organization/${studio.organizationId}/projects`
    const answers = await Promise.all([call("POST", path, { name: "A" }), call("POST", path, { name: "B" })])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 403])
    refused(await call("POST", path, { name: "C" }), 403, "SLOTS_EXHAUSTED")
    assert.lengthOf((await call("GET", path)).body.items, 2)
    await call("DELETE", `/application/${studio.applicationId}`)
    assert.strictEqual((await call("POST", path, { name: "C" })).status, 201)
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, caller, type Caller, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

interface Minted {
  readonly id: number
  readonly token: string
}

describe.each(stores)("changes of keys over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let call: Caller
  let path: string
  let second: { readonly id: number; readonly environment: number }

  const secret = async (more: object = {}): Promise<Minted> => {
    const { status, text, body } = await call("POST", path, {
      type: "secret",
      name: "Script",
      description: "of the night",
      projectScope: { allProjects: false, applicationIds: [studio.applicationId] },
      environmentIds: [studio.production],
      permissions: ["markers:read"],
      ...more
    })
    assert.strictEqual(status, 201, text)
    return body
  }

  const game = async (): Promise<Minted> => {
    const { status, text, body } = await call("POST", path, {
      type: "public",
      name: "Game",
      applicationId: studio.applicationId,
      environmentIds: [studio.production]
    })
    assert.strictEqual(status, 201, text)
    return body
  }

  /** What a key may be told apart by, as the list has it. */
  const known = async (id: number) => {
    const { body } = await call("GET", path)
    return body.find((each: { id: number }) => each.id === id)
  }

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = caller(request, studio.cookie)
    path = `/organization/${studio.organizationId}/api-keys`
    const { body } = await call("POST", `/organization/${studio.organizationId}/projects`, { name: "Second" })
    const environments = (await call("GET", `/application/${body.id}/environments`)).body
    second = { id: body.id, environment: environments[0].id }
  })

  it("name every project, environment and permission once, however often they were sent", async () => {
    const twice = {
      projectScope: { allProjects: false, applicationIds: [studio.applicationId, studio.applicationId] },
      environmentIds: [studio.production, studio.production],
      permissions: ["markers:read", "markers:read"]
    }
    const personal = { name: "Script", organizationId: studio.organizationId, ...twice }
    const token = await call("POST", "/users/personal-access-tokens", personal)
    assert.strictEqual(token.status, 201, token.text)
    for (const made of [await secret(twice), token.body]) {
      assert.deepInclude(made, {
        applicationIds: [studio.applicationId],
        environmentIds: [studio.production],
        permissions: ["markers:read"]
      })
    }
  })

  it.each([
    ["three emoji", "🎮".repeat(3), 201],
    ["two emoji", "🎮".repeat(2), 400],
    ["100 emoji", "🎮".repeat(100), 201],
    ["101 emoji", "🎮".repeat(101), 400],
    ["100 letters", "x".repeat(100), 201],
    ["101 letters", "x".repeat(101), 400]
  ])("have a name of 3 to 100 characters: %s", async (_which, name, status) => {
    const scope = {
      name,
      description: "🎮".repeat(255),
      projectScope: { allProjects: true },
      environmentIds: [studio.production]
    }
    const key = await call("POST", path, { type: "secret", ...scope })
    const token = await call("POST", "/users/personal-access-tokens", {
      organizationId: studio.organizationId,
      ...scope
    })
    for (const answer of [key, token]) {
      if (status === 400) refused(answer, 400, "VALIDATION_FAILED")
      else assert.deepStrictEqual([answer.status, answer.body.name], [status, name])
    }
  })

  it("what is left out stays, and what is named is replaced", async () => {
    const { id, token } = await secret()
    const before = await known(id)
    const renamed = await call("PATCH", `${path}/${id}`, { name: "Nightly script" })
    assert.deepStrictEqual([renamed.status, renamed.body], [200, { ...before, name: "Nightly script" }])
    assert.deepStrictEqual(keysOf(renamed.body), keysOf(before))
    const all = {
      name: "Both",
      description: null,
      environmentIds: [studio.development, second.environment, second.environment],
      permissions: ["markers:read", "analytics:read", "markers:read"]
    }
    const applicationIds = [studio.applicationId, second.id]
    const projectScope = { allProjects: false, applicationIds }
    const changed = await call("PATCH", `${path}/${id}`, { ...all, projectScope })
    assert.deepStrictEqual(changed.body, {
      ...before,
      ...all,
      applicationIds,
      environmentIds: [studio.development, second.environment],
      permissions: ["markers:read", "analytics:read"]
    })
    assert.deepStrictEqual(await known(id), changed.body)
    assert.deepStrictEqual((await call("PATCH", `${path}/${id}`, {})).body, changed.body)
    const reads = (environment: number) =>
      request("GET", `/application/${second.id}/analytics/v1/markers/types`, {
        headers: { ...bearer(token), environment_id: String(environment) }
      })
    assert.strictEqual((await reads(second.environment)).status, 200)
    const home = { allProjects: false, applicationIds: [studio.applicationId] }
    await call("PATCH", `${path}/${id}`, { projectScope: home, environmentIds: [studio.production] })
    refused(await reads(second.environment), 403, "FORBIDDEN")
  })

  it("refuse what does not fit together, and change nothing", async () => {
    const [own, shared] = [await secret(), await game()]
    const before = [await known(own.id), await known(shared.id)]
    const project = (...applicationIds: ReadonlyArray<number>) => ({
      projectScope: { allProjects: false, applicationIds }
    })
    const cases: ReadonlyArray<readonly [id: number, body: object, status: number, code: string]> = [
      [own.id, { name: "No" }, 400, "VALIDATION_FAILED"],
      [own.id, { environmentIds: [] }, 400, "VALIDATION_FAILED"],
      [own.id, { permissions: ["everything"] }, 400, "VALIDATION_FAILED"],
      [own.id, { projectScope: { allProjects: true, applicationIds: [1] } }, 400, "VALIDATION_FAILED"],
      [own.id, { type: "public" }, 400, "VALIDATION_FAILED"],
      // Its environment is of the project that it would leave.
      [own.id, { name: "Moved", ...project(second.id) }, 422, "SCOPE_INVALID"],
      [own.id, { name: "Moved", environmentIds: [second.environment] }, 422, "SCOPE_INVALID"],
      [own.id, { environmentIds: [987_654] }, 422, "SCOPE_INVALID"],
      [own.id, project(987_654), 422, "SCOPE_INVALID"],
      [shared.id, { permissions: ["sdk:read", "markers:read"] }, 422, "SCOPE_INVALID"],
      [shared.id, project(studio.applicationId, second.id), 422, "SCOPE_INVALID"],
      [shared.id, { projectScope: { allProjects: true } }, 422, "SCOPE_INVALID"],
      [987_654, { name: "Nobody" }, 404, "API_KEY_NOT_FOUND"]
    ]
    for (const [id, body, status, code] of cases) refused(await call("PATCH", `${path}/${id}`, body), status, code)
    assert.deepStrictEqual([await known(own.id), await known(shared.id)], before)
    await call("DELETE", `${path}/${own.id}`)
    refused(await call("PATCH", `${path}/${own.id}`, { name: "Still here" }), 409, "KEY_DEACTIVATED")
  })

  it("are told of an environment of another organization what they are told of one that nobody has", async () => {
    const { id } = await secret({ projectScope: { allProjects: true } })
    const stranger = await openStudio(request, "stranger-to-keys")
    const told = async (environment: number) => {
      const answer = await call("PATCH", `${path}/${id}`, { environmentIds: [environment] })
      refused(answer, 422, "SCOPE_INVALID")
      return answer.body.message.replace(String(environment), "…")
    }
    assert.strictEqual(await told(stranger.production), await told(987_654))
  })

  it("F2: whoever changes a key holds everything that it then grants, also what it had and what it has by default", async () => {
    const [own, shared] = [await secret(), await game()]
    const before = [await known(own.id), await known(shared.id)]
    const roles = `/organization/${studio.organizationId}/v2/roles`
    const permissions = ["api_keys:read", "api_keys:write", "configurations:read", "projects:read"]
    await call("POST", roles, { name: "Locksmith", permissions })
    const locksmith = await joinAs(request, studio, "locksmith", "Locksmith")
    const everywhere = { projectScope: { allProjects: true } }
    const cases: ReadonlyArray<readonly [id: number, body: object]> = [
      [own.id, { permissions: ["markers:write"] }],
      [own.id, { permissions: ["markers:read", "configurations:read"] }],
      [own.id, { name: "Renamed" }],
      [own.id, everywhere],
      [own.id, { environmentIds: [studio.development] }],
      // Without permissions a public key sends markers and reads configurations.
      [shared.id, { permissions: [] }],
      [shared.id, { environmentIds: [studio.development] }]
    ]
    for (const [id, body] of cases) refused(await locksmith.call("PATCH", `${path}/${id}`, body), 403, "ESCALATION")
    // That comes first: only whoever may change the key is told what else is wrong with the change.
    const wrong: ReadonlyArray<readonly [method: string, at: string, body: object]> = [
      ["PATCH", `${own.id}`, { environmentIds: [987_654] }],
      ["PATCH", `${shared.id}`, everywhere],
      ["PATCH", `${shared.id}`, { permissions: ["sdk:ingest", "members:write"] }],
      ["PUT", `${own.id}/environments`, { environmentIds: [second.environment] }],
      ["PUT", `${shared.id}/projects`, { allProjects: true }],
      ["PUT", `${shared.id}/permissions`, { permissions: ["sdk:ingest", "members:write"] }]
    ]
    for (const [method, at, body] of wrong)
      refused(await locksmith.call(method, `${path}/${at}`, body), 403, "ESCALATION")
    assert.deepStrictEqual([await known(own.id), await known(shared.id)], before)
    // What they hold they may give, and nothing is left in the key that they do not hold.
    const less = await locksmith.call("PATCH", `${path}/${own.id}`, { permissions: ["configurations:read"] })
    assert.deepStrictEqual([less.status, less.body.permissions], [200, ["configurations:read"]])
    const viewer = await joinAs(request, studio, "viewer", "Viewer")
    refused(await viewer.call("PATCH", `${path}/${own.id}`, { name: "Mine" }), 403, "FORBIDDEN")
    const stranger = await openStudio(request, "stranger")
    const theirs = caller(request, stranger.cookie)
    refused(await theirs("PATCH", `${path}/${own.id}`, { name: "Mine" }), 404, "ORGANIZATION_NOT_FOUND")
    const elsewhere = `/organization/${stranger.organizationId}/api-keys/${own.id}`
    refused(await theirs("PATCH", elsewhere, { name: "Mine" }), 404, "API_KEY_NOT_FOUND")
    // No key changes keys, not even itself.
    refused(await caller(request, bearer(own.token))("PATCH", `${path}/${own.id}`, {}), 401, "CREDENTIAL_NOT_ACCEPTED")
  })

  it("personal tokens are changed by their owner alone, within what the owner may do", async () => {
    const tokens = "/users/personal-access-tokens"
    const member = await joinAs(request, studio, "analyst", "Analyst")
    const made = await member.call("POST", tokens, {
      name: "Notebook",
      organizationId: studio.organizationId,
      projectScope: { allProjects: false, applicationIds: [studio.applicationId] },
      environmentIds: [studio.production],
      permissions: ["analytics:read"]
    })
    assert.strictEqual(made.status, 201, made.text)
    const own = `${tokens}/${made.body.id}`
    const changed = await member.call("PATCH", own, { name: "Laptop", environmentIds: [studio.development] })
    assert.deepStrictEqual([changed.body.name, changed.body.environmentIds], ["Laptop", [studio.development]])
    refused(await member.call("PATCH", own, { permissions: ["members:write"] }), 403, "ESCALATION")
    const both = { permissions: ["members:write"], environmentIds: [987_654] }
    refused(await member.call("PATCH", own, both), 403, "ESCALATION")
    refused(await call("PATCH", own, { name: "Mine now" }), 404, "API_KEY_NOT_FOUND")
    const [after] = (await member.call("GET", tokens)).body
    assert.deepStrictEqual(after, changed.body)
  })
})

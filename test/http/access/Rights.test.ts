import { assert, describe, it } from "@effect/vitest"
import { bearer, caller, joinAs, refused, rolesOf } from "../../support/Caller.ts"
import { cookieOf, password, signIn, signUp } from "../../support/access/Person.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("rights over %s", (_, store) => {
  const { request } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    const newRole = async (role: string, permissions: ReadonlyArray<string>) =>
      Number((await call("POST", `${home}/v2/roles`, { name: role, permissions })).body.id)
    return { studio, call, home, newRole, roles: await rolesOf(call, studio.organizationId) }
  }

  it("F1: a token of the development environment neither deletes the project nor changes what all environments share", async () => {
    const { studio, call, home } = await open("narrow")
    const minted = await call("POST", "/users/personal-access-tokens", {
      name: "development",
      organizationId: studio.organizationId,
      projectScope: { allProjects: false, applicationIds: [studio.applicationId] },
      environmentIds: [studio.development],
      permissions: ["projects:read", "projects:write", "environments:write"]
    })
    const withToken = caller(request, bearer(minted.body.token))
    const application = `/application/${studio.applicationId}`
    const before = (await call("GET", application)).text
    refused(await withToken("DELETE", application), 403, "FORBIDDEN")
    refused(await withToken("PATCH", application, { name: "Mine" }), 403, "FORBIDDEN")
    refused(await withToken("POST", `${application}/environments`, { name: "Mine" }), 403, "FORBIDDEN")
    refused(await withToken("POST", `${home}/projects`, { name: "Mine" }), 403, "FORBIDDEN")
    const development = `${application}/environments/${studio.development}`
    refused(await withToken("PATCH", development, { alias: "mine" }), 403, "FORBIDDEN")
    assert.strictEqual((await withToken("PATCH", development, { name: "Mine" })).status, 200)
    assert.strictEqual((await call("GET", application)).text, before)
  })

  it("a token of one project changes nothing of the organization, which all projects share", async () => {
    const { studio, call, home } = await open("single")
    const tokenFor = async (projectScope: object) => {
      const permissions = ["organization:read", "organization:write"]
      const token = { name: "of projects", organizationId: studio.organizationId, projectScope, permissions }
      const minted = await call("POST", "/users/personal-access-tokens", {
        ...token,
        environmentIds: [studio.production]
      })
      return caller(request, bearer(minted.body.token))
    }
    const ofOne = await tokenFor({ allProjects: false, applicationIds: [studio.applicationId] })
    const before = (await call("GET", home)).text
    refused(await ofOne("PATCH", home, { name: "Mine" }), 403, "FORBIDDEN")
    refused(await ofOne("PATCH", home, { requiresSecondFactor: false }), 403, "FORBIDDEN")
    refused(await ofOne("PUT", `${home}/icon`, {}), 403, "FORBIDDEN")
    refused(await ofOne("DELETE", `${home}/icon`), 403, "FORBIDDEN")
    assert.strictEqual((await ofOne("GET", home)).status, 200)
    assert.strictEqual((await call("GET", home)).text, before)
    const ofAll = await tokenFor({ allProjects: true })
    assert.strictEqual((await ofAll("PATCH", home, { name: "Ours" })).body.name, "Ours")
    assert.strictEqual((await ofAll("DELETE", `${home}/icon`)).status, 200)
  })

  it("F2: nobody mints a public key that does more than they may, by leaving its permissions out", async () => {
    const { studio, home, newRole } = await open("minter")
    await newRole("Keeper of keys", ["api_keys:read", "api_keys:write"])
    const keeper = await joinAs(request, studio, "minter-keeper", "Keeper of keys")
    const key = {
      type: "public",
      name: "mine",
      applicationId: studio.applicationId,
      environmentIds: [studio.production]
    }
    refused(await keeper.call("POST", `${home}/api-keys`, key), 403, "ESCALATION")
    refused(await keeper.call("POST", `${home}/api-keys`, { ...key, permissions: [] }), 403, "ESCALATION")
    refused(await keeper.call("POST", `${home}/api-keys`, { ...key, permissions: ["sdk:read"] }), 403, "ESCALATION")
    assert.deepStrictEqual((await keeper.call("GET", `${home}/api-keys`)).body, [])
  })

  it("F4: members:write changes and removes only members all of whose rights the caller holds", async () => {
    const { studio, call, home, newRole, roles } = await open("manager")
    const plain = await newRole("Plain", ["members:read"])
    await newRole("Manager", ["members:read", "members:write"])
    const manager = await joinAs(request, studio, "manager-self", "Manager")
    const admin = await joinAs(request, studio, "manager-admin", "Admin")
    const lower = await joinAs(request, studio, "manager-lower", "Plain")
    const raised = await joinAs(request, studio, "manager-raised", "Plain")
    const project = `${home}/projects/${studio.applicationId}/grants`
    await call("PUT", `${project}/${raised.membershipId}`, { roleId: roles["Developer"] })
    const invited = await call("POST", `${home}/invitations`, { email: "next@studio.test", roleId: roles["Admin"] })
    const state = async () => [(await call("GET", `${home}/grants`)).text, (await call("GET", project)).text]
    const before = await state()
    const attempts: ReadonlyArray<readonly [string, string, unknown]> = [
      ["PUT", `${home}/members/${admin.membershipId}/role`, { roleId: plain }],
      ["PUT", `${home}/grants/${admin.membershipId}`, { roleId: plain }],
      ["PUT", `${project}/${admin.membershipId}`, { roleId: plain }],
      ["DELETE", `${home}/members/${admin.membershipId}`, undefined],
      ["DELETE", `${home}/members/${raised.membershipId}`, undefined],
      ["DELETE", `${project}/${raised.membershipId}`, undefined],
      ["DELETE", `${home}/invitations/${invited.body.id}`, undefined],
      ["POST", `${home}/invitations`, { email: "next@studio.test", roleId: plain }]
    ]
    for (const [method, path, body] of attempts) refused(await manager.call(method, path, body), 403, "FORBIDDEN")
    assert.deepStrictEqual(await state(), before)
    assert.strictEqual((await manager.call("DELETE", `${home}/members/${lower.membershipId}`)).status, 204)
    assert.strictEqual((await manager.call("DELETE", `${home}/members/${manager.membershipId}`)).status, 204)
  })

  it("F4: roles:write takes nothing from a role that the caller does not hold, nor the role", async () => {
    const { studio, home, newRole } = await open("roles")
    const rich = await newRole("Rich", ["roles:read", "players:delete"])
    await newRole("Roles", ["roles:read", "roles:write"])
    const keeper = await joinAs(request, studio, "roles-keeper", "Roles")
    const path = `${home}/v2/roles/${rich}`
    refused(await keeper.call("PUT", path, { name: "Rich", permissions: ["roles:read"] }), 403, "ESCALATION")
    assert.strictEqual((await keeper.call("PUT", path, { name: "Poor", permissions: ["players:delete"] })).status, 200)
    refused(await keeper.call("DELETE", path), 403, "FORBIDDEN")
    const readers = await newRole("Readers", ["roles:read"])
    assert.strictEqual((await keeper.call("DELETE", `${home}/v2/roles/${readers}`)).status, 204)
  })

  it("B5: queries:write of a public key counts on heatmap definitions, and no other permission is minted", async () => {
    const { studio, call, home } = await open("heatmaps")
    const editor = caller(request, {
      authorization: await mintKey(request, studio, { type: "public", permissions: ["queries:write"] })
    })
    const definition = {
      name: "Map",
      bounds: { minimum: { x: 0, y: 0, z: 0 }, maximum: { x: 1, y: 1, z: 1 } },
      resolutionFactor: 1
    }
    const created = await editor("POST", "/sdk/v1/heatmaps/create", definition)
    assert.notInclude([401, 403], created.status, created.text)
    const path = `${home}/api-keys`
    const key = {
      type: "public",
      name: "mine",
      applicationId: studio.applicationId,
      environmentIds: [studio.production]
    }
    refused(await call("POST", path, { ...key, permissions: ["analytics:read"] }), 422, "SCOPE_INVALID")
    const [{ id }] = (await call("GET", path)).body
    refused(
      await call("PUT", `${path}/${id}/permissions`, { permissions: ["sdk:read", "players:read"] }),
      422,
      "SCOPE_INVALID"
    )
  })
})

describe.each(stores)("F3: sign-up over %s", (_, store) => {
  const names = ["first", "second"] as const

  it("is open until the first owner exists, then takes invited addresses alone", async () => {
    const { request } = testApp(store, { signUp: null })
    const policy = async () => {
      const { status, body } = await request("GET", "/users/auth/signup")
      return [status, body]
    }
    assert.deepStrictEqual(await policy(), [200, { signUp: "open", isNew: true }])
    const studio = await openStudio(request, names[0])
    assert.deepStrictEqual(await policy(), [200, { signUp: "invited", isNew: false }])
    refused(await signUp(request, "stranger@studio.test"), 403, "SIGN_UP_CLOSED")
    const call = caller(request, studio.cookie)
    const { Viewer: roleId } = await rolesOf(call, studio.organizationId)
    const home = `/organization/${studio.organizationId}`
    const invited = await call("POST", `${home}/invitations`, { email: "Guest@studio.test", roleId })
    assert.strictEqual((await signUp(request, "guest@studio.test")).status, 201)
    await call("DELETE", `${home}/invitations/${invited.body.id}`)
    refused(await signUp(request, "Guest@studio.test"), 403, "SIGN_UP_CLOSED")
  })

  it("is open to everybody or to nobody where the operator says so", async () => {
    const open = testApp(store, { signUp: "open" })
    for (const name of names) await openStudio(open.request, name)
    const closed = testApp(store, { signUp: "off" })
    refused(await signUp(closed.request, "first@studio.test"), 403, "SIGN_UP_CLOSED")
    for (const [{ request }, rule, isNew] of [
      [open, "open", false],
      [closed, "off", true]
    ] as const) {
      assert.deepStrictEqual((await request("GET", "/users/auth/signup")).body, { signUp: rule, isNew })
    }
  })
})

describe.each(stores)("F5: wrong passwords over %s", (_, store) => {
  const { request } = testApp(store, { rateLimits: true, trustProxy: true })
  const from = (address: string, secret: string, cookie?: string) =>
    request("POST", "/users/auth/signin", {
      body: { email: "ada@studio.test", password: secret },
      headers: { "x-forwarded-for": address, ...(cookie === undefined ? {} : { cookie }) }
    })

  it("of a stranger do not lock the account in a browser that has a session of it", async () => {
    await signUp(request, "ada@studio.test")
    const cookie = cookieOf(await signIn(request, "ada@studio.test")) ?? ""
    for (let n = 0; n < 5; n++) assert.strictEqual((await from("1.1.1.1", "wrong")).status, 401)
    refused(await from("2.2.2.2", password), 429, "RATE_LIMITED")
    const known = await from("3.3.3.3", password, cookie)
    assert.strictEqual(known.status, 200)
    const present = cookieOf(known) ?? ""
    const changed = await request("POST", "/users/me/password", {
      headers: { cookie: present },
      body: { currentPassword: password, newPassword: password }
    })
    assert.strictEqual(changed.status, 204)
    for (let n = 0; n < 5; n++) assert.strictEqual((await from("4.4.4.4", "wrong", present)).status, 401)
    refused(await from("4.4.4.4", password, present), 429, "RATE_LIMITED")
  })
})

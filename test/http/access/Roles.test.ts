import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { builtinRoles } from "../../../src/domain/access/Role.ts"
import { OrganizationId } from "../../../src/domain/Ids.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { mostRoles } from "../../../src/services/access/Roles.ts"
import { bearer, caller, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { roleStudioOf } from "../../support/access/RoleStudio.ts"
import { testApp } from "../../support/TestApp.ts"

const roleKeys = [
  "createdAt",
  "description",
  "id",
  "memberCount",
  "name",
  "organizationId",
  "permissions",
  "type",
  "updatedAt"
]

describe.each(stores)("roles over %s", (_, store) => {
  const { request, run } = testApp(store)

  const open = (name: string) => roleStudioOf(request, name)

  it("lists the built-in roles with what they allow and who holds them", async () => {
    const { studio, call, home } = await open("builtin")
    await joinAs(request, studio, "builtin-viewer", "Viewer")
    const listed = (await call("GET", `${home}/v2/roles`)).body
    assert.deepStrictEqual(keysOf(listed[0]), roleKeys)
    assert.deepStrictEqual(
      listed.map(({ name, type, permissions, memberCount }: Record<string, unknown>) => [
        name,
        type,
        permissions,
        memberCount
      ]),
      Object.entries(builtinRoles).map(([name, { permissions }]) => [
        name,
        "builtin",
        permissions,
        name === "Owner" || name === "Viewer" ? 1 : 0
      ])
    )
    assert.deepStrictEqual((await call("GET", `${home}/v2/roles/${listed[0].id}`)).body, listed[0])
  })

  it("a custom role is created, replaced, held, and deleted once nobody holds it", async () => {
    const { studio, call, home, roles } = await open("custom")
    const path = `${home}/v2/roles`
    const created = await call("POST", path, {
      name: "Support",
      permissions: ["players:read", "players:read", "organization:read"]
    })
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), roleKeys)
    assert.deepStrictEqual(created.body.permissions, ["players:read", "organization:read"])
    assert.deepStrictEqual([created.body.type, created.body.description, created.body.memberCount], ["custom", null, 0])
    const role = `${path}/${created.body.id}`
    const change = { name: "Helpdesk", description: "Answers players", permissions: ["organization:read"] }
    const replaced = await call("PUT", role, change)
    assert.deepInclude(replaced.body, { ...change, id: created.body.id, createdAt: created.body.createdAt })
    assert.deepStrictEqual((await call("GET", role)).body, replaced.body)

    const member = await joinAs(request, studio, "custom-member", "Helpdesk")
    assert.strictEqual((await call("GET", role)).body.memberCount, 1)
    assert.strictEqual((await member.call("GET", home)).status, 200)
    refused(await member.call("GET", `${home}/members`), 403, "FORBIDDEN")
    await call("PUT", role, { ...change, permissions: ["organization:read", "members:read"] })
    assert.strictEqual((await member.call("GET", `${home}/members`)).status, 200)
    refused(await call("DELETE", role), 409, "ROLE_IN_USE")
    await call("PUT", `${home}/members/${member.membershipId}/role`, { roleId: roles["Viewer"] })
    assert.strictEqual((await call("DELETE", role)).status, 204)
    refused(await call("GET", role), 404, "ROLE_NOT_FOUND")
  })

  it("a role is not replaced on a state that somebody else has changed", async () => {
    const { call, home, newRole } = await open("at-once")
    const path = `${home}/v2/roles/${await newRole("Designer", ["organization:read"])}`
    const { updatedAt } = (await call("GET", path)).body
    const definition = { name: "Designer", permissions: ["organization:read", "members:read"] }
    const theirs = (await call("PUT", path, { ...definition, basedOn: updatedAt })).body
    assert.isTrue(theirs.updatedAt > updatedAt)
    const mine = { name: "Mine", permissions: [] }
    refused(await call("PUT", path, { ...mine, basedOn: updatedAt }), 409, "ROLE_CHANGED")
    assert.deepStrictEqual((await call("GET", path)).body, theirs)
    assert.strictEqual((await call("PUT", path, { ...mine, basedOn: theirs.updatedAt })).body.name, "Mine")
    assert.strictEqual((await call("PUT", path, definition)).body.name, "Designer")
  })

  it("a role stays while somebody is invited to it or holds it in a project", async () => {
    const { studio, call, home, project, newRole } = await open("used")
    const invited = await newRole("Invited", ["organization:read"])
    const path = `${home}/v2/roles/${invited}`
    const { body } = await call("POST", `${home}/invitations`, { email: "later@studio.test", roleId: invited })
    refused(await call("DELETE", path), 409, "ROLE_IN_USE")
    await call("DELETE", `${home}/invitations/${body.id}`)
    await call("PUT", `${project}/grants/${studio.membershipId}`, { roleId: invited })
    refused(await call("DELETE", path), 409, "ROLE_IN_USE")
    await call("DELETE", `${project}/grants/${studio.membershipId}`)
    assert.strictEqual((await call("DELETE", path)).status, 204)
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const { call, home, roles, newRole, project, studio } = await open("refusals")
    const other = await open("refusals-other")
    const custom = await newRole("Custom", [])
    const path = `${home}/v2/roles`
    const mine = `${home}/grants/${studio.membershipId}`
    const elsewhere = `${home}/projects/${other.studio.applicationId}`
    const before = (await call("GET", path)).text
    const valid = { name: "New", permissions: [] }
    const given = { roleId: roles["Viewer"] }
    const cases: ReadonlyArray<readonly [number, string, string, string, unknown]> = [
      [400, "VALIDATION_FAILED", "POST", path, { name: "", permissions: [] }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "New", permissions: ["everything:write"] }],
      [400, "VALIDATION_FAILED", "POST", path, { name: "New" }],
      [409, "ROLE_NAME_TAKEN", "POST", path, { ...valid, name: "Custom" }],
      [409, "ROLE_NAME_TAKEN", "POST", path, { ...valid, name: "OWNER" }],
      [409, "ROLE_NAME_TAKEN", "PUT", `${path}/${custom}`, { ...valid, name: "Viewer" }],
      [409, "ROLE_BUILTIN", "PUT", `${path}/${roles["Viewer"]}`, valid],
      [409, "ROLE_BUILTIN", "DELETE", `${path}/${roles["Viewer"]}`, undefined],
      [404, "ROLE_NOT_FOUND", "GET", `${path}/${other.roles["Viewer"]}`, undefined],
      [404, "ROLE_NOT_FOUND", "PUT", `${path}/${other.roles["Viewer"]}`, valid],
      [404, "ROLE_NOT_FOUND", "DELETE", `${path}/999999`, undefined],
      [404, "ROLE_NOT_FOUND", "PUT", mine, { roleId: other.roles["Viewer"] }],
      [404, "MEMBER_NOT_FOUND", "PUT", `${home}/grants/${other.studio.membershipId}`, given],
      [404, "APPLICATION_NOT_FOUND", "GET", `${elsewhere}/grants`, undefined],
      [404, "APPLICATION_NOT_FOUND", "PUT", `${elsewhere}/grants/${studio.membershipId}`, given],
      [404, "APPLICATION_NOT_FOUND", "DELETE", `${elsewhere}/grants/${studio.membershipId}`, undefined],
      [404, "MEMBER_NOT_FOUND", "PUT", `${project}/grants/${other.studio.membershipId}`, given],
      [404, "ROLE_NOT_FOUND", "PUT", `${project}/grants/${studio.membershipId}`, { roleId: 999_999 }],
      [404, "GRANT_NOT_FOUND", "DELETE", `${project}/grants/${studio.membershipId}`, undefined]
    ]
    for (const [status, code, method, at, body] of cases) refused(await call(method, at, body), status, code)
    assert.strictEqual((await call("GET", path)).text, before)
    assert.deepStrictEqual((await call("GET", `${project}/grants`)).body, [])
  })

  it("reads take a token, writes a session only", async () => {
    const { studio, call, home, project, roles } = await open("tokens")
    const minted = await call("POST", "/users/personal-access-tokens", {
      name: "all of it",
      organizationId: studio.organizationId,
      projectScope: { allProjects: true },
      environmentIds: [studio.production],
      permissions: ["roles:read", "roles:write", "members:read", "members:write"]
    })
    const withToken = caller(request, bearer(minted.body.token))
    for (const path of [`${home}/v2/roles`, `${home}/v2/roles/${roles["Viewer"]}`, `${home}/grants`]) {
      assert.deepStrictEqual((await withToken("GET", path)).body, (await call("GET", path)).body)
    }
    const writes: ReadonlyArray<readonly [string, string, unknown]> = [
      ["POST", `${home}/v2/roles`, { name: "New", permissions: [] }],
      ["PUT", `${home}/v2/roles/${roles["Viewer"]}`, { name: "New", permissions: [] }],
      ["DELETE", `${home}/v2/roles/${roles["Viewer"]}`, undefined],
      ["PUT", `${home}/grants/${studio.membershipId}`, { roleId: roles["Viewer"] }],
      ["PUT", `${project}/grants/${studio.membershipId}`, { roleId: roles["Viewer"] }],
      ["DELETE", `${project}/grants/${studio.membershipId}`, undefined]
    ]
    for (const [method, path, body] of writes) {
      refused(await withToken(method, path, body), 401, "CREDENTIAL_NOT_ACCEPTED")
    }
  })

  it("are so many of an organization at most: whoever asks what somebody may do reads all of them", async () => {
    const { call, home, studio } = await open("full")
    const builtin = (await call("GET", `${home}/v2/roles`)).body.length
    const organizationId = OrganizationId.make(studio.organizationId)
    const insert = (number: number) =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const role = { organizationId, builtin: null, name: `Role ${number}`, description: null, permissions: [] }
        return yield* (yield* RoleRepo).insert({ ...role, createdAt: now, updatedAt: now })
      })
    await run(Effect.forEach(Array.from({ length: mostRoles - builtin - 1 }).keys(), insert))
    const last = await call("POST", `${home}/v2/roles`, { name: "Last", permissions: [] })
    assert.strictEqual(last.status, 201)
    refused(await call("POST", `${home}/v2/roles`, { name: "Another", permissions: [] }), 409, "ROLE_LIMIT_REACHED")
    assert.strictEqual((await call("DELETE", `${home}/v2/roles/${last.body.id}`)).status, 204)
    assert.strictEqual((await call("POST", `${home}/v2/roles`, { name: "Again", permissions: [] })).status, 201)
  })
})

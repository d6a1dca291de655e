import { assert, describe, it } from "@effect/vitest"
import { bearer, caller, joinAs, keysOf, refused, rolesOf } from "../../support/Caller.ts"
import { enter, signUp } from "../../support/access/Person.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const organizationKeys = [
  "applications",
  "billing",
  "color",
  "iconUrl",
  "id",
  "membershipId",
  "name",
  "requiresSecondFactor",
  "role"
]
const memberKeys = ["createdAt", "membershipId", "organizationId", "role", "user"]

describe.each(stores)("organizations over %s", (_, store) => {
  const { request } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    return { studio, call, home, roles: await rolesOf(call, studio.organizationId) }
  }

  it("is created with its maker as the owner, listed, read and changed", async () => {
    const { call } = await open("maker")
    const created = await call("POST", "/organization", { name: "Second", color: "#102030" })
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), organizationKeys)
    assert.strictEqual(created.body.role.name, "Owner")
    assert.deepStrictEqual(created.body.applications, [])
    const path = `/organization/${created.body.id}`
    assert.deepStrictEqual((await call("GET", path)).body, created.body)
    const listed = await call("GET", "/organization")
    assert.deepStrictEqual(
      listed.body.map(({ name }: { name: string }) => name),
      ["maker", "Second"]
    )
    const renamed = await call("PATCH", path, { name: "Renamed" })
    assert.deepStrictEqual(renamed.body, { ...created.body, name: "Renamed" })
    assert.deepStrictEqual((await call("PATCH", path, { color: null })).body, { ...renamed.body, color: null })
    assert.deepStrictEqual((await call("PATCH", path, {})).body, { ...renamed.body, color: null })
  })

  it("lists its members page by page", async () => {
    const { studio, call, home } = await open("pages")
    await joinAs(request, studio, "pages-a", "Viewer")
    await joinAs(request, studio, "pages-b", "Analyst")
    const first = await call("GET", `${home}/members?limit=2`)
    assert.deepStrictEqual(keysOf(first.body), ["items", "nextCursor"])
    assert.deepStrictEqual(keysOf(first.body.items[0]), memberKeys)
    assert.deepStrictEqual(keysOf(first.body.items[0].user), ["email", "id", "name", "picture"])
    assert.strictEqual(first.body.items[0].membershipId, studio.membershipId)
    const second = await call("GET", `${home}/members?limit=2&cursor=${first.body.nextCursor}`)
    assert.deepStrictEqual(
      [...first.body.items, ...second.body.items].map(({ role }: { role: { name: string } }) => role.name),
      ["Owner", "Viewer", "Analyst"]
    )
    assert.isNull(second.body.nextCursor)
    refused(await call("GET", `${home}/members?cursor=nonsense`), 400, "VALIDATION_FAILED")
  })

  it("invites a known user, changes its role and lets it go", async () => {
    const { call, home, roles } = await open("adder")
    const guest = caller(request, { cookie: await enter(request, "known@studio.test") })
    const invited = await call("POST", `${home}/members`, { email: "KNOWN@studio.test", roleId: roles["Viewer"] })
    assert.strictEqual(invited.status, 201)
    assert.strictEqual((await guest("POST", `/users/invitations/${invited.body.token}/accept`)).status, 200)
    const [, added] = (await call("GET", `${home}/members`)).body.items
    assert.deepStrictEqual(keysOf(added), memberKeys)
    assert.deepStrictEqual(added.role, { id: roles["Viewer"], name: "Viewer" })
    const member = `${home}/members/${added.membershipId}`
    const changed = await call("PUT", `${member}/role`, { roleId: roles["Developer"] })
    assert.deepStrictEqual(changed.body, { ...added, role: { id: roles["Developer"], name: "Developer" } })
    const removed = await call("DELETE", member)
    assert.deepStrictEqual([removed.status, removed.text], [204, ""])
    refused(await call("DELETE", member), 404, "MEMBER_NOT_FOUND")
  })

  it("refuses what does not fit, and changes nothing", async () => {
    const { studio, call, home, roles } = await open("refuser")
    const other = await open("refuser-other")
    const members = `${home}/members`
    const before = (await call("GET", members)).text
    const cases: ReadonlyArray<readonly [number, string, string, string, unknown]> = [
      [400, "VALIDATION_FAILED", "POST", "/organization", { name: "" }],
      [400, "VALIDATION_FAILED", "POST", "/organization", { name: "x".repeat(101) }],
      [400, "VALIDATION_FAILED", "PATCH", home, { color: "red" }],
      [400, "VALIDATION_FAILED", "POST", members, { email: "no address", roleId: roles["Viewer"] }],
      [400, "VALIDATION_FAILED", "POST", members, { email: "a@b..test", roleId: roles["Viewer"] }],
      [404, "ROLE_NOT_FOUND", "POST", members, { email: "a@b.test", roleId: other.roles["Viewer"] }],
      [409, "ALREADY_MEMBER", "POST", members, { email: "refuser@studio.test", roleId: roles["Viewer"] }],
      [404, "MEMBER_NOT_FOUND", "PUT", `${members}/999999/role`, { roleId: roles["Viewer"] }],
      [404, "MEMBER_NOT_FOUND", "PUT", `${members}/${other.studio.membershipId}/role`, { roleId: roles["Viewer"] }],
      [404, "ROLE_NOT_FOUND", "PUT", `${members}/${studio.membershipId}/role`, { roleId: other.roles["Viewer"] }],
      [409, "LAST_OWNER", "PUT", `${members}/${studio.membershipId}/role`, { roleId: roles["Admin"] }],
      [409, "LAST_OWNER", "PUT", `${home}/grants/${studio.membershipId}`, { roleId: roles["Viewer"] }],
      [409, "LAST_OWNER", "DELETE", `${members}/${studio.membershipId}`, undefined],
      [404, "ORGANIZATION_NOT_FOUND", "GET", "/organization/999999", undefined]
    ]
    for (const [status, code, method, path, body] of cases) refused(await call(method, path, body), status, code)
    assert.strictEqual((await call("GET", members)).text, before)
  })

  it("an owner may leave once there is another", async () => {
    const { studio, call, home, roles } = await open("leaver")
    const heir = await joinAs(request, studio, "leaver-heir", "Viewer")
    await call("PUT", `${home}/members/${heir.membershipId}/role`, { roleId: roles["Owner"] })
    assert.strictEqual((await call("DELETE", `${home}/members/${studio.membershipId}`)).status, 204)
    refused(await call("GET", home), 404, "ORGANIZATION_NOT_FOUND")
    refused(await heir.call("DELETE", `${home}/members/${heir.membershipId}`), 409, "LAST_OWNER")
  })

  it("of two owners who demote each other at the same time, one stays", async () => {
    const { studio, call, home, roles } = await open("race")
    const second = await joinAs(request, studio, "race-second", "Owner")
    const demote = (by: typeof call, id: number) => by("PUT", `${home}/members/${id}/role`, { roleId: roles["Viewer"] })
    const answers = await Promise.all([demote(call, second.membershipId), demote(second.call, studio.membershipId)])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 403])
    const members = await call("GET", `${home}/members`)
    const names = members.body.items.map(({ role }: { role: { name: string } }) => role.name).sort()
    assert.deepStrictEqual(names, ["Owner", "Viewer"])
  })

  it("of two owners who leave at the same time, one stays", async () => {
    const { studio, call, home } = await open("exodus")
    const second = await joinAs(request, studio, "exodus-second", "Owner")
    const answers = await Promise.all([
      call("DELETE", `${home}/members/${studio.membershipId}`),
      second.call("DELETE", `${home}/members/${second.membershipId}`)
    ])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, 409])
  })

  it("only owners give and take ownership", async () => {
    const { studio, home, roles } = await open("crown")
    const admin = await joinAs(request, studio, "crown-admin", "Admin")
    const viewer = await joinAs(request, studio, "crown-viewer", "Viewer")
    const attempts: ReadonlyArray<readonly [string, string, string, unknown]> = [
      ["ESCALATION", "PUT", `${home}/members/${admin.membershipId}/role`, { roleId: roles["Owner"] }],
      ["ESCALATION", "PUT", `${home}/grants/${viewer.membershipId}`, { roleId: roles["Owner"] }],
      ["ESCALATION", "POST", `${home}/invitations`, { email: "new@studio.test", roleId: roles["Owner"] }],
      ["ESCALATION", "POST", `${home}/members`, { email: "crown@studio.test", roleId: roles["Owner"] }],
      ["FORBIDDEN", "PUT", `${home}/members/${studio.membershipId}/role`, { roleId: roles["Viewer"] }],
      ["FORBIDDEN", "DELETE", `${home}/members/${studio.membershipId}`, undefined]
    ]
    for (const [code, method, path, body] of attempts) refused(await admin.call(method, path, body), 403, code)
    const given = await admin.call("PUT", `${home}/members/${viewer.membershipId}/role`, { roleId: roles["Admin"] })
    assert.strictEqual(given.status, 200)
  })

  it("every member may leave, and then belongs no more: its token neither", async () => {
    const { studio, home } = await open("quitter")
    const viewer = await joinAs(request, studio, "quitter-viewer", "Viewer")
    const minted = await viewer.call("POST", "/users/personal-access-tokens", {
      name: "mine",
      organizationId: studio.organizationId,
      projectScope: { allProjects: true },
      environmentIds: [studio.production],
      permissions: ["organization:read"]
    })
    const withToken = caller(request, bearer(minted.body.token))
    assert.strictEqual((await withToken("GET", home)).status, 200)
    refused(await viewer.call("DELETE", `${home}/members/${studio.membershipId}`), 403, "FORBIDDEN")
    assert.strictEqual((await viewer.call("DELETE", `${home}/members/${viewer.membershipId}`)).status, 204)
    refused(await viewer.call("GET", home), 404, "ORGANIZATION_NOT_FOUND")
    refused(await withToken("GET", home), 404, "ORGANIZATION_NOT_FOUND")
  })

  it("a token sees its own organization and the projects it covers, and creates none", async () => {
    const { studio, call, home } = await open("scoped")
    const elsewhere = (await call("POST", "/organization", { name: "Elsewhere" })).body
    const project = (await call("POST", `/organization/${elsewhere.id}/projects`, { name: "There" })).body
    const environments = (await call("GET", `/application/${project.id}/environments`)).body
    await call("POST", "/users/personal-access-tokens", {
      name: "of another organization",
      organizationId: elsewhere.id,
      projectScope: { allProjects: true },
      environmentIds: [environments[0].id]
    })
    await call("POST", `${home}/projects`, { name: "Hidden" })
    const minted = await call("POST", "/users/personal-access-tokens", {
      name: "one project",
      organizationId: studio.organizationId,
      projectScope: { allProjects: false, applicationIds: [studio.applicationId] },
      environmentIds: [studio.production],
      permissions: ["organization:read", "projects:read"]
    })
    const withToken = caller(request, bearer(minted.body.token))
    const [organization, ...others] = (await withToken("GET", "/organization")).body
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(
      organization.applications.map(({ id }: { id: number }) => id),
      [studio.applicationId]
    )
    refused(await withToken("POST", "/organization", { name: "Mine" }), 401, "CREDENTIAL_NOT_ACCEPTED")
    const namesOf = async (by: typeof call) =>
      (await by("GET", "/users/personal-access-tokens")).body.map(({ name }: { readonly name: string }) => name)
    assert.deepStrictEqual(await namesOf(withToken), ["one project"])
    assert.sameMembers(await namesOf(call), ["of another organization", "one project"])
  })
})

describe.each(stores)("member slots over %s", (_, store) => {
  const { request } = testApp(store, { memberSlots: 2 })

  it("members and pending invitations take a slot each, also when they come at once", async () => {
    const studio = await openStudio(request, "full")
    const call = caller(request, studio.cookie)
    const home = `/organization/${studio.organizationId}`
    const { Viewer: roleId } = await rolesOf(call, studio.organizationId)
    await signUp(request, "walk-in@studio.test")
    const invite = (email: string) => call("POST", `${home}/invitations`, { email, roleId })
    const [first, second] = await Promise.all([invite("a@studio.test"), invite("b@studio.test")])
    assert.deepStrictEqual([first.status, second.status].sort(), [201, 403])
    refused(await invite("c@studio.test"), 403, "SLOTS_EXHAUSTED")
    refused(await call("POST", `${home}/members`, { email: "walk-in@studio.test", roleId }), 403, "SLOTS_EXHAUSTED")
    const kept = (await call("GET", `${home}/invitations`)).body.items
    assert.lengthOf(kept, 1)
    assert.strictEqual((await call("DELETE", `${home}/invitations/${kept[0].id}`)).status, 204)
    const added = await call("POST", `${home}/members`, { email: "walk-in@studio.test", roleId })
    assert.strictEqual(added.status, 201)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { bearer, caller, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { roleStudioOf } from "../../support/access/RoleStudio.ts"
import { mintPersonalToken } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const grantKeys = ["applicationId", "createdAt", "createdBy", "id", "organizationId", "principal", "role"]

describe.each(stores)("grants over %s", (_, store) => {
  const { request } = testApp(store)

  const open = (name: string) => roleStudioOf(request, name)

  it("a grant in the organization is the member's role; one in a project replaces it there", async () => {
    const { studio, call, home, project, roles } = await open("grants")
    const member = await joinAs(request, studio, "grants-member", "Viewer")
    const second = (await call("POST", `${home}/projects`, { name: "Second" })).body.id
    const application = `/application/${studio.applicationId}`

    const set = await call("PUT", `${project}/grants/${member.membershipId}`, { roleId: roles["Developer"] })
    assert.strictEqual(set.status, 200)
    assert.deepStrictEqual(keysOf(set.body), grantKeys)
    assert.deepInclude(set.body, {
      organizationId: studio.organizationId,
      applicationId: studio.applicationId,
      role: { id: roles["Developer"], name: "Developer" },
      createdBy: { id: studio.userId, email: "grants@studio.test" }
    })
    assert.deepStrictEqual(keysOf(set.body.principal), ["membershipId", "type", "user"])
    assert.deepStrictEqual([set.body.principal.type, set.body.principal.user.email], ["member", member.email])
    assert.deepStrictEqual((await call("GET", `${project}/grants`)).body, [set.body])
    assert.strictEqual((await member.call("PATCH", application, { name: "Mine" })).status, 200)
    refused(await member.call("PATCH", `/application/${second}`, { name: "Mine" }), 403, "FORBIDDEN")

    const [, ofMember] = (await call("GET", `${home}/grants`)).body
    assert.deepStrictEqual(keysOf(ofMember), grantKeys)
    assert.deepStrictEqual([ofMember.applicationId, ofMember.role.name], [null, "Viewer"])
    const raised = await call("PUT", `${home}/grants/${member.membershipId}`, { roleId: roles["Developer"] })
    assert.strictEqual(raised.status, 200)
    assert.strictEqual((await member.call("PATCH", `/application/${second}`, { name: "Mine" })).status, 200)
    await call("PUT", `${project}/grants/${member.membershipId}`, { roleId: roles["Viewer"] })
    refused(await member.call("PATCH", application, { name: "Mine again" }), 403, "FORBIDDEN")
    assert.strictEqual((await call("DELETE", `${project}/grants/${member.membershipId}`)).status, 204)
    assert.strictEqual((await member.call("PATCH", application, { name: "Mine again" })).status, 200)
  })

  it("what a caller may do in a project is told to the caller, and to nobody outside the organization", async () => {
    const { studio, call, home, project } = await open("told")
    const member = await joinAs(request, studio, "told-member", "Viewer")
    const second = (await call("POST", `${home}/projects`, { name: "Second" })).body.id
    const own = await call("POST", `${home}/v2/roles`, { name: "Nothing", permissions: [] })
    await call("PUT", `${project}/grants/${member.membershipId}`, { roleId: own.body.id })
    const told = async (id: number) => await member.call("GET", `/application/${id}/permissions`)
    assert.deepStrictEqual(
      [(await told(studio.applicationId)).body, (await told(studio.applicationId)).status],
      [{ permissions: [] }, 200]
    )
    const viewer = (await call("GET", `${home}/v2/roles`)).body.find(({ name }: { name: string }) => name === "Viewer")
    assert.deepStrictEqual((await told(second)).body, { permissions: viewer.permissions })
    const stranger = await open("told-stranger")
    const path = `/application/${second}/permissions`
    refused(await stranger.call("GET", path), 404, "APPLICATION_NOT_FOUND")
    const token = await mintPersonalToken(request, studio, { permissions: ["projects:read", "analytics:read"] })
    assert.deepStrictEqual(
      (await caller(request, bearer(token))("GET", `/application/${studio.applicationId}/permissions`)).body,
      {
        permissions: ["projects:read", "analytics:read"]
      }
    )
  })

  it("the removal of a member or a project takes its grants along", async () => {
    const { studio, call, home, project, roles } = await open("gone")
    const member = await joinAs(request, studio, "gone-member", "Viewer")
    const second = (await call("POST", `${home}/projects`, { name: "Second" })).body.id
    await call("PUT", `${project}/grants/${member.membershipId}`, { roleId: roles["Analyst"] })
    await call("PUT", `${home}/projects/${second}/grants/${member.membershipId}`, { roleId: roles["Analyst"] })
    const holders = async () => (await call("GET", `${home}/v2/roles/${roles["Analyst"]}`)).body.memberCount
    assert.strictEqual(await holders(), 1)
    await call("DELETE", `/application/${second}`)
    assert.strictEqual(await holders(), 1)
    await call("DELETE", `${home}/members/${member.membershipId}`)
    assert.deepStrictEqual((await call("GET", `${project}/grants`)).body, [])
    assert.strictEqual(await holders(), 0)
  })

  it("nobody grants what they do not hold", async () => {
    const { studio, call, home, project, roles, newRole } = await open("escalation")
    const keeper = ["organization:read", "members:read", "members:write", "roles:read", "roles:write"]
    await newRole("Keeper", keeper)
    const rich = await newRole("Rich", [...keeper, "players:delete"])
    const plain = await newRole("Plain", ["organization:read"])
    const member = await joinAs(request, studio, "escalation-keeper", "Keeper")
    const victim = await joinAs(request, studio, "escalation-victim", "Plain")
    const path = `${home}/v2/roles`
    const before = [(await call("GET", path)).text, (await call("GET", `${home}/grants`)).text]
    const attempts: ReadonlyArray<readonly [string, string, unknown]> = [
      ["POST", path, { name: "Stolen", permissions: ["players:delete"] }],
      ["PUT", `${path}/${plain}`, { name: "Plain", permissions: ["players:delete"] }],
      ["PUT", `${path}/${rich}`, { name: "Rich", permissions: [...keeper, "players:delete", "players:read"] }],
      ["PUT", `${home}/grants/${member.membershipId}`, { roleId: rich }],
      ["PUT", `${home}/members/${member.membershipId}/role`, { roleId: roles["Admin"] }],
      ["PUT", `${home}/members/${victim.membershipId}/role`, { roleId: rich }],
      ["PUT", `${project}/grants/${member.membershipId}`, { roleId: rich }],
      ["POST", `${home}/invitations`, { email: "accomplice@studio.test", roleId: rich }],
      ["POST", `${home}/members`, { email: "accomplice@studio.test", roleId: rich }]
    ]
    for (const [method, at, body] of attempts) refused(await member.call(method, at, body), 403, "ESCALATION")
    assert.deepStrictEqual([(await call("GET", path)).text, (await call("GET", `${home}/grants`)).text], before)

    const renamed = await member.call("PUT", `${path}/${rich}`, { name: "Wealthy", permissions: ["players:delete"] })
    assert.strictEqual(renamed.status, 200)
    const given = await member.call("PUT", `${home}/members/${victim.membershipId}/role`, { roleId: plain })
    assert.strictEqual(given.status, 200)
  })

  it("a role that is lower in one project cannot be undone or gone around by its holder", async () => {
    const { studio, call, home, project, roles } = await open("lowered")
    const admin = await joinAs(request, studio, "lowered-admin", "Admin")
    await call("PUT", `${project}/grants/${admin.membershipId}`, { roleId: roles["Viewer"] })
    const attempts: ReadonlyArray<readonly [string, string, unknown]> = [
      ["DELETE", `${project}/grants/${admin.membershipId}`, undefined],
      ["PUT", `${project}/grants/${admin.membershipId}`, { roleId: roles["Admin"] }],
      ["POST", `${home}/invitations`, { email: "second-self@studio.test", roleId: roles["Admin"] }]
    ]
    for (const [method, at, body] of attempts) refused(await admin.call(method, at, body), 403, "ESCALATION")
    assert.strictEqual((await call("DELETE", `${project}/grants/${admin.membershipId}`)).status, 204)
  })

  it("an owner is lowered in a project by owners alone, and can go back", async () => {
    const { studio, call, project, roles } = await open("owner")
    const admin = await joinAs(request, studio, "owner-admin", "Admin")
    const grant = `${project}/grants/${studio.membershipId}`
    refused(await admin.call("PUT", grant, { roleId: roles["Viewer"] }), 403, "FORBIDDEN")
    assert.strictEqual((await call("PUT", grant, { roleId: roles["Viewer"] })).status, 200)
    refused(await call("PATCH", `/application/${studio.applicationId}`, { name: "No" }), 403, "FORBIDDEN")
    refused(await admin.call("DELETE", grant), 403, "ESCALATION")
    assert.strictEqual((await call("DELETE", grant)).status, 204)
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Caller } from "../../support/Caller.ts"
import { caller, joinAs, refused, rolesOf } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

type Place = {
  readonly organization: string
  readonly application: string
  readonly membershipId: number
  readonly environmentId: number
  readonly viewer: number
  readonly custom: number
  readonly invitationId: number
}

/** Every call of organizations, with a body that would be accepted, and the built-in roles that may make it. */
const calls = (place: Place) => {
  const { organization, application, membershipId, environmentId, viewer, custom, invitationId } = place
  const project = application.replace("/application", `${organization}/projects`)
  const everyone = ["Owner", "Admin", "Developer", "Analyst", "Viewer"]
  const managers = ["Owner", "Admin"]
  const builders = ["Owner", "Admin", "Developer"]
  return [
    ["GET", organization, undefined, everyone],
    ["PATCH", organization, { name: "New name" }, managers],
    ["GET", `${organization}/members`, undefined, everyone],
    ["POST", `${organization}/members`, { email: "known@studio.test", roleId: viewer }, managers],
    ["PUT", `${organization}/members/${membershipId}/role`, { roleId: viewer }, managers],
    ["GET", `${organization}/grants`, undefined, everyone],
    ["PUT", `${organization}/grants/${membershipId}`, { roleId: viewer }, managers],
    ["GET", `${project}/grants`, undefined, everyone],
    ["PUT", `${project}/grants/${membershipId}`, { roleId: viewer }, managers],
    ["DELETE", `${project}/grants/${membershipId}`, undefined, managers],
    ["GET", `${organization}/invitations`, undefined, everyone],
    ["POST", `${organization}/invitations`, { email: "guest@studio.test", roleId: viewer }, managers],
    ["DELETE", `${organization}/invitations/${invitationId}`, undefined, managers],
    ["GET", `${organization}/v2/roles`, undefined, everyone],
    ["GET", `${organization}/v2/roles/${viewer}`, undefined, everyone],
    ["POST", `${organization}/v2/roles`, { name: "Brand new", permissions: [] }, managers],
    ["PUT", `${organization}/v2/roles/${custom}`, { name: "Custom", permissions: [] }, managers],
    ["DELETE", `${organization}/v2/roles/${custom}`, undefined, managers],
    ["GET", `${organization}/icon`, undefined, everyone],
    ["PUT", `${organization}/icon`, undefined, managers],
    ["DELETE", `${organization}/icon`, undefined, managers],
    ["GET", `${organization}/projects`, undefined, everyone],
    ["POST", `${organization}/projects`, { name: "Another" }, builders],
    ["GET", application, undefined, everyone],
    ["PATCH", application, { name: "Other name" }, builders],
    ["GET", `${application}/environments`, undefined, everyone],
    ["POST", `${application}/environments`, { name: "Staging" }, builders],
    ["PATCH", `${application}/environments/${environmentId}`, { name: "Dev" }, builders],
    ["DELETE", `${application}/environments/${environmentId}`, undefined, builders],
    ["DELETE", `${organization}/members/${membershipId}`, undefined, managers],
    ["DELETE", application, undefined, builders]
  ] as const
}

describe.each(stores)("access over %s", (_, store) => {
  const { request } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const call = caller(request, studio.cookie)
    const organization = `/organization/${studio.organizationId}`
    const roles = await rolesOf(call, studio.organizationId)
    const viewer = Number(roles["Viewer"])
    const member = await joinAs(request, studio, `${name}-member`, "Viewer")
    const custom = await call("POST", `${organization}/v2/roles`, { name: "Custom", permissions: [] })
    const invitation = await call("POST", `${organization}/invitations`, {
      email: `${name}-invited@studio.test`,
      roleId: viewer
    })
    const place: Place = {
      organization,
      application: `/application/${studio.applicationId}`,
      membershipId: member.membershipId,
      environmentId: studio.development,
      viewer,
      custom: custom.body.id,
      invitationId: invitation.body.id
    }
    return { studio, call, place }
  }

  /** Everything of a place that can be read, as text. */
  const everything = async (call: Caller, place: Place) => {
    const reads = calls(place).filter(([method]) => method === "GET")
    const texts: Array<string> = []
    for (const [method, path] of reads) texts.push((await call(method, path)).text)
    return texts
  }

  it.each(["Admin", "Developer", "Analyst", "Viewer"])(
    "%s may do what the role says, and nothing else",
    async (role) => {
      const { studio, call, place } = await open(`role-${role.toLowerCase()}`)
      const actor = await joinAs(request, studio, `actor-${role.toLowerCase()}`, role)
      for (const [method, path, body, allowed] of calls(place)) {
        if (allowed.includes(role)) continue
        const before = await everything(call, place)
        refused(await actor.call(method, path, body), 403, "FORBIDDEN")
        assert.deepStrictEqual(await everything(call, place), before, `${method} ${path}`)
      }
      for (const [method, path, body, allowed] of calls(place)) {
        if (!allowed.includes(role)) continue
        const answer = await actor.call(method, path, body)
        assert.notInclude([401, 403, 405, 500], answer.status, `${method} ${path} ${answer.text}`)
      }
    }
  )

  it("a member of another organization finds nothing there, and changes nothing", async () => {
    const { call, place } = await open("home")
    const stranger = await open("stranger")
    const before = await everything(call, place)
    for (const [method, path, body] of calls(place)) {
      const answer = await stranger.call(method, path, body)
      const code = path.startsWith("/application") ? "APPLICATION_NOT_FOUND" : "ORGANIZATION_NOT_FOUND"
      refused(answer, 404, code)
    }
    assert.deepStrictEqual(await everything(call, place), before)
  })

  it("ids of another organization are not found behind one's own", async () => {
    const { call, place } = await open("own")
    const stranger = await open("theirs")
    const before = [await everything(call, place), await everything(stranger.call, stranger.place)]
    const mixed = { ...place, organization: stranger.place.organization, application: stranger.place.application }
    const own = calls(stranger.place).map((each) => JSON.stringify(each))
    const inner = calls(mixed).filter((each, index) => JSON.stringify(each) !== own[index])
    for (const [method, path, body] of inner) {
      assert.strictEqual((await stranger.call(method, path, body)).status, 404, `${method} ${path}`)
    }
    assert.lengthOf(inner, 13)
    assert.deepStrictEqual([await everything(call, place), await everything(stranger.call, stranger.place)], before)
  })
})

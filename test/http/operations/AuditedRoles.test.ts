import { assert, beforeAll, describe, it } from "@effect/vitest"
import { joinAs } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("the log of changes of roles over %s", (label, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let home: string

  const call = (method: string, path: string, body?: unknown) =>
    request(method, path, { headers: studio.cookie, ...(body === undefined ? {} : { body }) })
  const newest = async () => (await call("GET", `${home}/audit-log?limit=1`)).body.items[0]

  beforeAll(async () => {
    studio = await openStudio(request, `ada-${label}`)
    home = `/organization/${studio.organizationId}`
  })

  it("tells which role somebody got, had and lost, in the organization and in a project, and who it was", async () => {
    const { body: all } = await call("GET", `${home}/v2/roles`)
    const idOf = (wanted: string): number => all.find(({ name }: { name: string }) => name === wanted).id
    // More memberships than roles held in the project, so that an id of the one is one of the other's too.
    const others = [
      await joinAs(request, studio, `one-${label}`, "Viewer"),
      await joinAs(request, studio, `two-${label}`, "Viewer")
    ]
    const member = await joinAs(request, studio, `held-${label}`, "Viewer")
    const project = `${home}/projects/${studio.applicationId}/grants`
    for (const { membershipId } of others) await call("PUT", `${project}/${membershipId}`, { roleId: idOf("Analyst") })
    const roles = async () => {
      const { object, changes } = await newest()
      const named = changes.filter(({ path }: { path: string }) => path === "role" || path === "role.name")
      const told = (text: string | null) => (text === null ? null : text.replace(/^\{.*"name":("\w+")\}$/, "$1"))
      return [
        object.name,
        named.map((each: { before: string | null; after: string | null }) => [told(each.before), told(each.after)])
      ]
    }
    await call("PUT", `${project}/${member.membershipId}`, { roleId: idOf("Developer") })
    assert.deepStrictEqual(await roles(), [member.email, [[null, '"Developer"']]])
    await call("PUT", `${project}/${member.membershipId}`, { roleId: idOf("Admin") })
    assert.deepStrictEqual(await roles(), [member.email, [['"Developer"', '"Admin"']]])
    assert.strictEqual((await call("DELETE", `${project}/${member.membershipId}`)).status, 204)
    assert.deepStrictEqual(await roles(), [member.email, [['"Admin"', null]]])
    await call("PUT", `${home}/grants/${member.membershipId}`, { roleId: idOf("Analyst") })
    assert.deepStrictEqual(await roles(), [member.email, [['"Viewer"', '"Analyst"']]])
    await call("PUT", `${home}/members/${member.membershipId}/role`, { roleId: idOf("Viewer") })
    assert.deepStrictEqual(await roles(), [member.email, [['"Analyst"', '"Viewer"']]])
    assert.strictEqual((await call("DELETE", `${home}/members/${member.membershipId}`)).status, 204)
    assert.deepStrictEqual(await roles(), [member.email, [['"Viewer"', null]]])
  })
})

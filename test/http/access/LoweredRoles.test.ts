import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Caller, joinAs, refused } from "../../support/Caller.ts"
import { signIn } from "../../support/access/Person.ts"
import { roleStudioOf } from "../../support/access/RoleStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

interface Named {
  readonly id: number
  readonly name: string
}

interface Entry {
  readonly operation: string
  readonly applicationId: number | null
  readonly object: { readonly name: string | null }
  readonly reason: string | null
  readonly changes: ReadonlyArray<unknown>
}

describe.each(stores)("an administrator with a lower role in one project, over %s", (_, store) => {
  const { request } = testApp(store)
  let home: string
  let owner: Caller
  let admin: Caller
  let email: string
  let ownCookie: Record<string, string>
  let hidden: number
  let shown: number

  beforeAll(async () => {
    const { studio, call, home: organization, newRole } = await roleStudioOf(request, "lowered")
    const member = await joinAs(request, studio, "lowered-admin", "Admin")
    const nothing = await newRole("Nothing", [])
    ;[home, owner, admin, email] = [organization, call, member.call, member.email]
    shown = studio.applicationId
    ownCookie = studio.cookie
    hidden = (await call("POST", `${home}/projects`, { name: "Hidden game" })).body.id
    await call("PUT", `${home}/projects/${hidden}/grants/${member.membershipId}`, { roleId: nothing })
    for (const id of [hidden, shown]) {
      const made = { name: `prices of ${id}`, alias: "p", configuration: { secret: 4711 } }
      assert.strictEqual((await call("POST", `/application/${id}/v2/configuration`, made)).status, 201)
    }
  })

  it("is not told at the sign-in that there is the project", async () => {
    const { organizations } = (await signIn(request, email)).body
    const listed = organizations.find(({ id }: Named) => home.endsWith(`/${id}`)).applications
    assert.deepStrictEqual(
      listed.map(({ id }: Named) => id),
      [shown]
    )
  })

  it("reads in the log of changes that something was changed there, and not what", async () => {
    const entriesFor = async (call: Caller): Promise<ReadonlyArray<Entry>> =>
      (await call("GET", `${home}/audit-log?operation=configurations.create`)).body.items
    const told = await entriesFor(admin)
    assert.deepStrictEqual(
      told.map(({ applicationId, object, reason, changes }) => [
        applicationId,
        object.name,
        reason,
        changes.length > 0
      ]),
      [
        [shown, `prices of ${shown}`, null, true],
        [hidden, null, null, false]
      ]
    )
    const all = await entriesFor(owner)
    assert.isTrue(all.every(({ object, changes }) => object.name !== null && changes.length > 0))
  })

  it("and a token reads it of the environments alone that it is made for", async () => {
    const environments = (await owner("GET", `/application/${shown}/environments`)).body
    const development = environments.find(({ alias }: { alias: string }) => alias === "development").id
    const minted = await owner("POST", "/users/personal-access-tokens", {
      name: "Development only",
      organizationId: Number(home.split("/").at(-1)),
      projectScope: { allProjects: true },
      environmentIds: [development],
      permissions: ["audit:read"]
    })
    const made = { name: "of development", configuration: {} }
    const headers = { authorization: `Bearer ${minted.body.token}` }
    const environment = { environment_id: String(development) }
    const placed = await request("POST", `/application/${shown}/v2/configuration`, {
      headers: { ...ownCookie, ...environment },
      body: made
    })
    assert.strictEqual(placed.status, 201)
    const log = await request("GET", `${home}/audit-log?operation=configurations.create`, { headers })
    assert.deepStrictEqual(
      log.body.items.map(({ object, changes }: Entry) => [object.name, changes.length > 0]),
      [
        ["of development", true],
        [null, false],
        [null, false]
      ]
    )
  })

  it("has no webhooks told what happens there, and neither reads nor turns those of others that are", async () => {
    const wanted = { name: "Spy", url: "https://hooks.studio.example/in" }
    for (const applicationIds of [null, [hidden], [shown, hidden]]) {
      refused(await admin("POST", `${home}/webhooks`, { ...wanted, applicationIds }), 403, "FORBIDDEN")
    }
    const own = await admin("POST", `${home}/webhooks`, { ...wanted, applicationIds: [shown] })
    assert.strictEqual(own.status, 201)
    refused(await admin("PATCH", `${home}/webhooks/${own.body.id}`, { applicationIds: null }), 403, "FORBIDDEN")
    const { id } = (await owner("POST", `${home}/webhooks`, wanted)).body
    refused(await admin("PATCH", `${home}/webhooks/${id}`, { url: "https://spy.example/in" }), 403, "FORBIDDEN")
    refused(await admin("GET", `${home}/webhooks/${id}/deliveries`), 403, "FORBIDDEN")
    refused(await admin("POST", `${home}/webhooks/${id}/rotate`, {}), 403, "FORBIDDEN")
    refused(await admin("DELETE", `${home}/webhooks/${id}`), 403, "FORBIDDEN")
    assert.strictEqual((await admin("GET", `${home}/webhooks/${own.body.id}/deliveries`)).status, 200)
    assert.strictEqual((await admin("PATCH", `${home}/webhooks/${own.body.id}`, { name: "Mine" })).status, 200)
  })
})

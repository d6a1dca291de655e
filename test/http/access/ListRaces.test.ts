import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { OrganizationId, UserId } from "../../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { type Caller, caller, joinAs } from "../../support/Caller.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { makeGate } from "../../support/Gate.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const [members, invitations, grants] = [makeGate(), makeGate(), makeGate()]
const [memberships, roles] = [makeGate(), makeGate()]

const heldOrganizations = Layer.effect(
  OrganizationRepo,
  Effect.map(OrganizationRepo, (repo) => ({
    ...repo,
    members: (id: OrganizationId) => Effect.zipLeft(repo.members(id), members.pass),
    invitations: (id: OrganizationId) => Effect.zipLeft(repo.invitations(id), invitations.pass),
    listOfUser: (id: UserId) => Effect.zipLeft(repo.listOfUser(id), memberships.pass)
  }))
)

const heldRoles = Layer.effect(
  RoleRepo,
  Effect.map(RoleRepo, (repo) => ({
    ...repo,
    grants: (id: OrganizationId) => Effect.zipLeft(repo.grants(id), grants.pass),
    list: (id: OrganizationId) => Effect.zipLeft(repo.list(id), roles.pass)
  }))
)

describe.each(stores)("a list of people that is read while somebody is removed, over %s", (_, store) => {
  const { request } = testApp(Layer.merge(store, Layer.provide(Layer.merge(heldOrganizations, heldRoles), store)))
  let studio: Studio
  let call: Caller
  let home: string

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = caller(request, studio.cookie)
    home = `/organization/${studio.organizationId}`
  })

  const deletes = async (path: string) => assert.strictEqual((await call("DELETE", `${home}${path}`)).status, 204)

  it("has the other members", async () => {
    const { membershipId } = await joinAs(request, studio, "bob", "Viewer")
    const answer = await members.overtaken(
      () => call("GET", `${home}/members`),
      () => deletes(`/members/${membershipId}`)
    )
    assert.strictEqual(answer.status, 200, answer.text)
    assert.deepStrictEqual(
      answer.body.items.map(({ user }: { user: { email: string } }) => user.email),
      ["ada@studio.test"]
    )
  })

  it("has the roles of the other members", async () => {
    const { membershipId } = await joinAs(request, studio, "eve", "Viewer")
    const answer = await grants.overtaken(
      () => call("GET", `${home}/grants`),
      () => deletes(`/members/${membershipId}`)
    )
    assert.strictEqual(answer.status, 200, answer.text)
    assert.lengthOf(answer.body, 1)
  })

  it("has the other invitations", async () => {
    const role = (await call("POST", `${home}/v2/roles`, { name: "Passing", permissions: [] })).body
    const invite = async (email: string, roleId: number) =>
      (await call("POST", `${home}/invitations`, { email, roleId })).body
    const { id } = await invite("joe@studio.test", role.id)
    const answer = await invitations.overtaken(
      () => call("GET", `${home}/invitations`),
      async () => {
        await deletes(`/invitations/${id}`)
        await deletes(`/v2/roles/${role.id}`)
      }
    )
    assert.strictEqual(answer.status, 200, answer.text)
    assert.notInclude(answer.text, "joe@studio.test")
  })

  it("has the other organizations of the one who is removed", async () => {
    const { membershipId, cookie } = await joinAs(request, studio, "amy", "Viewer")
    const answer = await memberships.overtaken(
      () => caller(request, cookie)("GET", "/organization"),
      () => deletes(`/members/${membershipId}`)
    )
    assert.strictEqual(answer.status, 200, answer.text)
    assert.notInclude(
      answer.body.map(({ id }: { id: number }) => id),
      studio.organizationId
    )
  })

  it("hides the organization from the one who is removed", async () => {
    const { membershipId, cookie } = await joinAs(request, studio, "tom", "Viewer")
    const answer = await roles.overtaken(
      () => caller(request, cookie)("GET", home),
      () => deletes(`/members/${membershipId}`)
    )
    assert.strictEqual(answer.status, 404, answer.text)
    assert.strictEqual(answer.body.code, "ORGANIZATION_NOT_FOUND")
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { IdentityProviderMemory } from "../../../src/adapters/memory/access/IdentityProvider.ts"
import { defaults } from "../../../src/app/Config.ts"
import type { Claims, GroupRole } from "../../../src/domain/access/OpenId.ts"
import { caller, refused, rolesOf as idsOfRoles } from "../../support/Caller.ts"
import { groupPeople } from "../../support/access/GroupPeople.ts"
import { sessionOf } from "../../support/access/OpenIdServer.ts"
import { joinStudio, openStudio, type Studio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

interface Entry {
  readonly operation: string
  readonly actor: { readonly kind: string }
  readonly object: { readonly name: string }
  readonly changes: ReadonlyArray<{ readonly before: string | null; readonly after: string | null }>
}

describe.each(stores)("memberships by groups over %s", (_, store) => {
  const people = new Map<string, Claims>()
  // Organizations have their ids once the tests run.
  const roles: Array<GroupRole> = []
  const { request } = testApp(Layer.merge(store, IdentityProviderMemory(people)), {
    oidc: { ...defaults.oidc, issuer: "https://provider.test", clientId: "gamekeeper", roles },
    signUp: null,
    memberSlots: 7
  })
  const { arrive, rolesOf } = groupPeople(request, people)
  const ids = { home: 0, second: 0 }
  let studio: Studio | undefined

  const ownerCall = (method: string, path: string, body?: unknown) =>
    caller(request, studio?.cookie ?? { cookie: "" })(method, path, body)

  const hasRoles = async (name: string, groups: ReadonlyArray<string>, ...expected: ReadonlyArray<unknown>) => {
    const arrived = await arrive(name, groups)
    assert.strictEqual(arrived.status, 302, arrived.text)
    const held = (await rolesOf(arrived)).filter(([id]) => id === ids.home || id === ids.second)
    assert.deepStrictEqual(
      held.toSorted(([a], [b]) => a - b),
      expected
    )
    return arrived
  }

  beforeAll(async () => {
    studio = await openStudio(request, "owner")
    ids.home = studio.organizationId
    ids.second = (await ownerCall("POST", "/organization", { name: "Second" })).body.id
    roles.push(
      { group: "leads", organizationId: ids.home, role: "admin" },
      { group: "crew", organizationId: ids.home, role: "Developer" },
      { group: "crew", organizationId: ids.second, role: "Viewer" },
      { group: "owners", organizationId: ids.second, role: "Owner" },
      { group: "odd", organizationId: ids.home, role: "No such role" },
      { group: "odd", organizationId: 999_999, role: "Viewer" }
    )
  })

  it("come, change and go with the groups, and stand in the log of changes", async () => {
    await hasRoles("ada", ["crew", "others"], [ids.home, "Developer"], [ids.second, "Viewer"])
    await hasRoles("ada", ["crew", "leads"], [ids.home, "Admin"], [ids.second, "Viewer"])
    await hasRoles("ada", ["leads"], [ids.home, "Admin"])
    await hasRoles("ada", [])
    await hasRoles("ada", ["crew"], [ids.home, "Developer"], [ids.second, "Viewer"])
    const log = (await ownerCall("GET", `/organization/${ids.home}/audit-log`)).body.items
    const own = log.filter(({ object }: Entry) => object.name === "ada@studio.test").toReversed()
    assert.deepStrictEqual(
      own.map(({ operation, actor, changes }: Entry) => [
        operation,
        actor.kind,
        changes.map(({ before, after }) => [before, after])
      ]),
      [
        ["organizations.setMemberRole", "system", [[null, '"Developer"']]],
        ["organizations.setMemberRole", "system", [['"Developer"', '"Admin"']]],
        ["organizations.removeMember", "system", [['"Admin"', null]]],
        ["organizations.setMemberRole", "system", [[null, '"Developer"']]]
      ]
    )
    const verified = await ownerCall("GET", `/organization/${ids.home}/audit-log/verification`)
    assert.isTrue(verified.body.intact, verified.text)
  })

  it("are left alone where a person gave them", async () => {
    if (studio === undefined) return assert.fail("There is no studio")
    await joinStudio(request, studio, "guest", "Analyst")
    await hasRoles("guest", ["leads"], [ids.home, "Analyst"])
    await hasRoles("guest", [], [ids.home, "Analyst"])
    await hasRoles("guest", ["crew"], [ids.home, "Analyst"], [ids.second, "Viewer"])
  })

  it("follow the groups again where a person changed the role meanwhile", async () => {
    await hasRoles("changed", ["leads"], [ids.home, "Admin"])
    const { Viewer: roleId } = await idsOfRoles(ownerCall, ids.home)
    const members = (await ownerCall("GET", `/organization/${ids.home}/members`)).body.items
    const { membershipId } = members.find(
      ({ user }: { readonly user: { readonly email: string } }) => user.email === "changed@studio.test"
    )
    const put = await ownerCall("PUT", `/organization/${ids.home}/members/${membershipId}/role`, { roleId })
    assert.strictEqual(put.status, 200)
    await hasRoles("changed", ["leads"], [ids.home, "Admin"])
    await hasRoles("changed", [])
  })

  it("leave no organization without an owner", async () => {
    await hasRoles("heir", ["owners"], [ids.second, "Owner"])
    const members = (await ownerCall("GET", `/organization/${ids.second}/members`)).body.items
    const { membershipId } = members.find(
      ({ user }: { readonly user: { readonly email: string } }) => user.email === "owner@studio.test"
    )
    const left = await ownerCall("DELETE", `/organization/${ids.second}/members/${membershipId}`)
    assert.strictEqual(left.status, 204)
    await hasRoles("heir", [], [ids.second, "Owner"])
    await hasRoles("heir", ["crew"], [ids.home, "Developer"], [ids.second, "Owner"])
    await hasRoles("other-heir", ["owners"], [ids.second, "Owner"])
    await hasRoles("heir", ["crew"], [ids.home, "Developer"], [ids.second, "Viewer"])
  })

  it("are not given by roles and organizations that are not there, nor past the last slot", async () => {
    await hasRoles("odd", ["odd"])
    const names = ["one", "two", "three", "four", "five"]
    const held = []
    for (const name of names) {
      held.push((await rolesOf(await arrive(name, ["leads"]))).some(([id]) => id === ids.home))
    }
    const members = (await ownerCall("GET", `/organization/${ids.home}/members`)).body.items
    assert.lengthOf(members, 7)
    assert.isFalse(held.at(-1))
  })

  it("let people in whom the sign-up does not take, and nobody else", async () => {
    refused(await arrive("stranger", ["others"]), 403, "SIGN_UP_CLOSED")
    assert.strictEqual((await arrive("stranger", ["crew"])).status, 302)
    assert.notStrictEqual(sessionOf(await arrive("stranger", [])), "")
  })
})

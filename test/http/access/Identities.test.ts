import { assert, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { IdentityProviderMemory, outageCode } from "../../../src/adapters/memory/access/IdentityProvider.ts"
import { defaults } from "../../../src/app/Config.ts"
import type { Claims } from "../../../src/domain/access/OpenId.ts"
import { caller, refused } from "../../support/Caller.ts"
import { groupPeople } from "../../support/access/GroupPeople.ts"
import { accountByOperator } from "../../support/access/Operator.ts"
import { sessionOf } from "../../support/access/OpenIdServer.ts"
import { accountCalls, enter, password, signIn, signUp } from "../../support/access/Person.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const oidc = { ...defaults.oidc, issuer: "https://provider.test", clientId: "gamekeeper" }

describe.each(stores)("identities of accounts over %s", (_, store) => {
  const people = new Map<string, Claims>()
  const { request, run } = testApp(Layer.merge(store, IdentityProviderMemory(people)), {
    oidc,
    owner: "owner@studio.test"
  })
  const { arrive } = groupPeople(request, people)
  const { me } = accountCalls(request)
  const of = (cookie: string) => caller(request, { cookie })
  const listed = async (cookie: string) => (await of(cookie)("GET", "/users/identities")).body

  it("hand the account of an address over, whose password and sessions nobody has proven", async () => {
    const cookie = await enter(request, "handed@studio.test")
    const { id } = (await me(cookie)).body
    const arrived = await arrive("handed", [])
    assert.strictEqual((await me(sessionOf(arrived))).body.id, id)
    assert.strictEqual((await me(cookie)).status, 401)
    refused(await signIn(request, "handed@studio.test"), 401, "INVALID_CREDENTIALS")
    assert.isFalse((await listed(sessionOf(arrived))).hasPassword)
    const change = { currentPassword: "", newPassword: password }
    refused(await of(sessionOf(arrived))("POST", "/users/me/password", change), 422, "PASSWORD_INCORRECT")
    assert.strictEqual((await me(sessionOf(arrived))).status, 200)
  })

  it("end the personal tokens of an account that is handed over, and no others", async () => {
    const mint = async (cookie: string) => {
      const [organization] = (await of(cookie)("GET", "/organization")).body
      const [{ id: applicationId }] = organization.applications
      const environments = (await of(cookie)("GET", `/application/${applicationId}/environments`)).body
      const made = await of(cookie)("POST", "/users/personal-access-tokens", {
        name: "Left behind",
        organizationId: organization.id,
        projectScope: { allProjects: true },
        environmentIds: environments.map(({ id }: { id: number }) => id),
        permissions: ["organization:read"]
      })
      const headers = { authorization: `Bearer ${made.body.token}` }
      return () => request("GET", `/organization/${organization.id}`, { headers })
    }
    const left = await mint(await enter(request, "planted@studio.test"))
    const kept = await enter(request, "keeps@studio.test")
    const own = await mint(kept)
    assert.deepStrictEqual([(await left()).status, (await own()).status], [200, 200])
    const arrived = sessionOf(await arrive("planted", []))
    await arrive("keeps", [], {}, kept)
    refused(await left(), 401, "UNAUTHENTICATED")
    assert.strictEqual((await own()).status, 200)
    const listed = await of(arrived)("GET", "/users/personal-access-tokens")
    assert.isNotNull(listed.body[0].deactivatedAt)
  })

  it("leave the password to whoever is signed in to the account in the same browser, and to owners of the server", async () => {
    const cookie = await enter(request, "proven@studio.test")
    const arrived = await arrive("proven", [], {}, cookie)
    assert.isTrue((await listed(sessionOf(arrived))).hasPassword)
    assert.strictEqual((await signIn(request, "proven@studio.test")).status, 200)
    refused(await signUp(request, "Owner@studio.test"), 403, "SIGN_UP_CLOSED")
    await run(accountByOperator("owner@studio.test"))
    assert.isTrue((await listed(sessionOf(await arrive("owner", [])))).hasPassword)
    assert.strictEqual((await signIn(request, "owner@studio.test")).status, 200)
  })

  it("stay one of each provider: another subject of the same address gets nothing", async () => {
    assert.strictEqual((await arrive("taken", [])).status, 302)
    refused(await arrive("taken", [], { subject: "another" }), 409, "OIDC_ACCOUNT_LINKED")
    refused(await arrive("taken", [], { subject: "another", verifiedEmail: null }), 403, "OIDC_EMAIL_UNVERIFIED")
    assert.strictEqual((await arrive("taken", [], { verifiedEmail: null })).status, 302)
  })

  it("are unlinked by their owner, while there is a password", async () => {
    const cookie = await enter(request, "leaving@studio.test")
    const session = sessionOf(await arrive("leaving", [], {}, cookie))
    const [{ id }] = (await listed(session)).identities
    const stranger = sessionOf(await arrive("stranger", []))
    refused(await of(stranger)("DELETE", `/users/identities/${id}`), 404, "IDENTITY_NOT_FOUND")
    const [own] = (await listed(stranger)).identities
    refused(await of(stranger)("DELETE", `/users/identities/${own.id}`), 409, "IDENTITY_NEEDED")
    assert.lengthOf((await listed(stranger)).identities, 1)
    assert.strictEqual((await of(session)("DELETE", `/users/identities/${id}`)).status, 204)
    refused(await of(session)("DELETE", `/users/identities/${id}`), 404, "IDENTITY_NOT_FOUND")
    assert.deepStrictEqual((await listed(session)).identities, [])
    assert.strictEqual((await arrive("leaving", [], { subject: "another" }, session)).status, 302)
  })

  it("tell of a provider out of service", async () => {
    refused(await arrive(outageCode, []), 503, "OIDC_UNAVAILABLE")
  })
})

describe.each(stores)("a server without passwords over %s", (_, store) => {
  const people = new Map<string, Claims>()
  const { request } = testApp(Layer.merge(store, IdentityProviderMemory(people)), {
    oidc: { ...oidc, only: true },
    owner: "owner@studio.test"
  })
  const { arrive } = groupPeople(request, people)

  it("takes passwords of its owners alone", async () => {
    assert.deepStrictEqual((await request("GET", "/users/auth/oidc")).body, { name: "single sign-on", only: true })
    assert.deepStrictEqual((await request("GET", "/users/auth/signup")).body, { signUp: "off", isNew: true })
    refused(await signUp(request, "ada@studio.test"), 403, "SIGN_UP_CLOSED")
    refused(await signIn(request, "ada@studio.test"), 403, "PASSWORD_SIGN_IN_OFF")
    assert.strictEqual((await arrive("ada", [])).status, 302)
    refused(await signIn(request, "ada@studio.test"), 403, "PASSWORD_SIGN_IN_OFF")
    const [owner, other] = [await signIn(request, "OWNER@studio.test"), await signIn(request, "nobody@studio.test")]
    refused(owner, 403, "PASSWORD_SIGN_IN_OFF")
    assert.strictEqual(owner.text, other.text, "nobody learns who owns the server")
  })
})

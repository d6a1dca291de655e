import { assert, describe, it } from "@effect/vitest"
import { caller, keysOf, refused } from "../../support/Caller.ts"
import { codeOf, setUpFactor } from "../../support/access/Authenticators.ts"
import { accountCalls, cookieOf, enter, password } from "../../support/access/Person.ts"
import { softAuthenticator } from "../../support/access/SoftAuthenticator.ts"
import { joinStudio, openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const publicUrl = "https://live.studio.example:8443"
const place = { origin: publicUrl, domain: "live.studio.example" }
const path = "/users/me/passkeys"

describe.each(stores)("passkeys over %s", (_, store) => {
  const { request } = testApp(store, { publicUrl })
  const { me } = accountCalls(request)

  const begin = async (cookie: string) =>
    (await request("POST", `${path}/options`, { headers: { cookie }, body: { currentPassword: password } })).body

  const add = (cookie: string, response: object, name = "My laptop") =>
    request("POST", path, { headers: { cookie }, body: { name, response } })

  /** An authenticator of the person with that cookie. */
  const equip = async (cookie: string) => {
    const authenticator = softAuthenticator(place)
    const { challenge } = await begin(cookie)
    const added = await add(cookie, authenticator.make({ challenge }))
    return { authenticator, added }
  }

  const asked = async (): Promise<string> => (await request("POST", "/users/auth/passkey/options")).body.challenge
  const signIn = (response: object, more: object = {}) =>
    request("POST", "/users/auth/passkey", { body: { response, ...more } })

  it("sign people in without a password, and are told of in their lists", async () => {
    assert.deepStrictEqual((await request("GET", "/users/auth/passkey")).body, { available: true })
    const cookie = await enter(request, "ada@passkeys.test")
    const options = await begin(cookie)
    assert.deepStrictEqual(keysOf(options), [
      "attestation",
      "authenticatorSelection",
      "challenge",
      "excludeCredentials",
      "pubKeyCredParams",
      "rp",
      "timeout",
      "user"
    ])
    assert.deepStrictEqual([options.rp.id, options.user.name], ["live.studio.example", "ada@passkeys.test"])
    const { authenticator, added } = await equip(cookie)
    assert.deepStrictEqual([added.status, keysOf(added.body)], [201, ["createdAt", "id", "lastUsedAt", "name"]])
    assert.strictEqual((await begin(cookie)).excludeCredentials[0].id, authenticator.id)

    const offered = await request("POST", "/users/auth/passkey/options")
    assert.deepStrictEqual(keysOf(offered.body), ["challenge", "rpId", "timeout", "userVerification"])
    const entered = await signIn(authenticator.use({ challenge: offered.body.challenge }), { accountHandle: "ada" })
    assert.deepStrictEqual([entered.status, keysOf(entered.body)], [200, ["organizations", "user"]])
    const session = cookieOf(entered) ?? ""
    assert.strictEqual((await me(session)).body.email, "ada@passkeys.test")
    const [listed] = (await request("GET", path, { headers: { cookie: session } })).body
    assert.isNotNull(listed.lastUsedAt)
    const [last] = (await request("GET", "/users/sign-ins", { headers: { cookie: session } })).body
    assert.strictEqual(last.outcome, "passkey")
  })

  it("are asked to sign something else each time, within this server, by somebody whom they have recognised", async () => {
    const cookie = await enter(request, "grace@passkeys.test")
    const { authenticator } = await equip(cookie)
    const stranger = softAuthenticator(place)
    const once = authenticator.use({ challenge: await asked() })
    assert.strictEqual((await signIn(once)).status, 200)
    const cases: ReadonlyArray<readonly [string, object]> = [
      ["a second time", once],
      ["without a challenge of the server", authenticator.use({ challenge: "bm90aGluZw" })],
      ["on another page", authenticator.use({ challenge: await asked(), origin: "https://evil.example" })],
      ["for another domain", authenticator.use({ challenge: await asked(), domain: "evil.example" })],
      ["unverified", authenticator.use({ challenge: await asked(), isVerified: false })],
      ["by a key of nobody", stranger.use({ challenge: await asked() })],
      ["by a key under another's name", { ...stranger.use({ challenge: await asked() }), id: authenticator.id }],
      ["for a challenge of a registration", authenticator.use({ challenge: (await begin(cookie)).challenge })]
    ]
    for (const [, response] of cases) refused(await signIn(response), 401, "PASSKEY_REFUSED")
    for (const body of [{}, { response: { ...once, extra: 1 } }, { response: once, password }]) {
      refused(await request("POST", "/users/auth/passkey", { body }), 400, "VALIDATION_FAILED")
    }
    const elsewhere = { "sec-fetch-site": "cross-site" }
    const crossing = { body: { response: once }, headers: elsewhere }
    refused(await request("POST", "/users/auth/passkey", crossing), 403, "CROSS_SITE_REQUEST")
    assert.strictEqual((await signIn(authenticator.use({ challenge: await asked() }))).status, 200)
  })

  it("are added by whoever knows the password, once each, and forgotten by their person alone", async () => {
    const [cookie, other] = [await enter(request, "joan@passkeys.test"), await enter(request, "eve@passkeys.test")]
    const ask = caller(request, { cookie })
    refused(await ask("POST", `${path}/options`, { currentPassword: "wrong" }), 422, "PASSWORD_INCORRECT")
    refused(await ask("POST", `${path}/options`, {}), 400, "VALIDATION_FAILED")
    const authenticator = softAuthenticator(place)
    const { challenge } = await begin(cookie)
    refused(await add(other, authenticator.make({ challenge })), 401, "PASSKEY_REFUSED")
    refused(await add(cookie, authenticator.make({ challenge })), 401, "PASSKEY_REFUSED")
    const unverified = authenticator.make({ challenge: (await begin(cookie)).challenge, isVerified: false })
    refused(await add(cookie, unverified), 401, "PASSKEY_REFUSED")
    const added = await add(cookie, authenticator.make({ challenge: (await begin(cookie)).challenge }), "Phone")
    assert.strictEqual(added.status, 201)
    const again = authenticator.make({ challenge: (await begin(other)).challenge })
    refused(await add(other, again), 409, "PASSKEY_KNOWN")

    const remove = (headers: { readonly cookie: string }) => request("DELETE", `${path}/${added.body.id}`, { headers })
    refused(await remove({ cookie: other }), 404, "PASSKEY_NOT_FOUND")
    assert.strictEqual((await remove({ cookie })).status, 204)
    refused(await remove({ cookie }), 404, "PASSKEY_NOT_FOUND")
    refused(await signIn(authenticator.use({ challenge: await asked() })), 401, "PASSKEY_REFUSED")
  })

  it("are added by whoever shows the second factor too, where there is one: they stand in for its codes", async () => {
    const cookie = await enter(request, "ruth@passkeys.test")
    const ask = caller(request, { cookie })
    const { secret, recoveryCodes } = await setUpFactor(request, cookie)
    const options = (proof: object) => ask("POST", `${path}/options`, { currentPassword: password, ...proof })
    refused(await options({}), 401, "SECOND_FACTOR_REQUIRED")
    refused(await options({ code: "wrong" }), 422, "SECOND_FACTOR_INCORRECT")
    refused(await options({ currentPassword: "wrong", code: codeOf(secret, 1) }), 422, "PASSWORD_INCORRECT")
    const begun = await options({ code: codeOf(secret, 1) })
    assert.strictEqual(begun.status, 200)
    refused(await options({ code: codeOf(secret, 1) }), 422, "SECOND_FACTOR_INCORRECT")
    assert.strictEqual((await options({ code: recoveryCodes[0] })).status, 200)
    const added = await add(cookie, softAuthenticator(place).make({ challenge: begun.body.challenge }))
    assert.strictEqual(added.status, 201)
  })

  it("are 20 of an account at most", async () => {
    const cookie = await enter(request, "many@passkeys.test")
    const { challenge } = await begin(cookie)
    for (let each = 0; each < 20; each++) assert.strictEqual((await equip(cookie)).added.status, 201)
    refused(await add(cookie, softAuthenticator(place).make({ challenge })), 409, "PASSKEYS_EXHAUSTED")
    const more = await request("POST", `${path}/options`, { headers: { cookie }, body: { currentPassword: password } })
    refused(more, 409, "PASSKEYS_EXHAUSTED")
  })

  it("are forgotten with a link for another password: whoever had the account before may have left one", async () => {
    const studio = await openStudio(request, "leaving")
    const { cookie } = await joinStudio(request, studio, "leaving-guest", "Viewer")
    const { authenticator } = await equip(cookie)
    const home = `/organization/${studio.organizationId}/members`
    const members = (await request("GET", home, { headers: studio.cookie })).body.items
    const isGuest = ({ user }: { readonly user: { readonly email: string } }) => user.email.startsWith("leaving-guest@")
    const link = `${home}/${members.find(isGuest).membershipId}/password-reset`
    const { token } = (await request("POST", link, { headers: studio.cookie })).body
    assert.strictEqual((await signIn(authenticator.use({ challenge: await asked() }))).status, 200)
    const used = { body: { token, password: "another battery staple" } }
    assert.strictEqual((await request("POST", "/users/auth/password-reset", used)).status, 204)
    refused(await signIn(authenticator.use({ challenge: await asked() })), 401, "PASSKEY_REFUSED")
  })
})

describe("passkeys of a server without a domain", () => {
  const { request } = testApp(stores[0]![1])

  it("are refused in words", async () => {
    assert.deepStrictEqual((await request("GET", "/users/auth/passkey")).body, { available: false })
    const cookie = await enter(request, "ada@passkeys.test")
    const begun = { headers: { cookie }, body: { currentPassword: password } }
    refused(await request("POST", `${path}/options`, begun), 409, "PASSKEYS_UNAVAILABLE")
    refused(await request("POST", "/users/auth/passkey/options"), 409, "PASSKEYS_UNAVAILABLE")
    const response = softAuthenticator(place).use({ challenge: "bm90aGluZw" })
    refused(await request("POST", "/users/auth/passkey", { body: { response } }), 409, "PASSKEYS_UNAVAILABLE")
  })
})

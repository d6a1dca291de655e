import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer, Redacted } from "effect"
import { OpenIdProvider } from "../../../src/adapters/node/OpenIdProvider.ts"
import { defaults } from "../../../src/app/Config.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import {
  begin,
  clientId,
  clientSecret,
  comeBack,
  openIdServer,
  sessionOf,
  setCookie,
  signInThrough
} from "../../support/access/OpenIdServer.ts"
import { accountCalls, signIn, signUp } from "../../support/access/Person.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const provider = await openIdServer()
afterAll(provider.close)

const client = { issuer: provider.issuer, clientId, clientSecret: Redacted.make(clientSecret), groupsClaim: "groups" }
const oidc = { ...defaults.oidc, ...client, name: "Emberkeep login" }

const told = (name: string) => ({
  sub: `subject of ${name}`,
  email: `${name}@studio.test`,
  email_verified: true,
  name: `${name} of the studio`
})

const now = () => Math.floor(Date.now() / 1000)

/** Answers of the provider that do not hold: what it says, and what is wrong with it. */
const spoiled: ReadonlyArray<readonly [what: string, claims: () => Record<string, unknown>]> = [
  ["another nonce", () => ({ nonce: "another" })],
  ["no nonce", () => ({ nonce: undefined })],
  ["another audience", () => ({ aud: "another client" })],
  ["another issuer", () => ({ iss: "https://elsewhere.test" })],
  ["a time that is over", () => ({ iat: now() - 7200, exp: now() - 3600 })],
  ["no subject", () => ({ sub: undefined })],
  ["a subject that is too long", () => ({ sub: "x".repeat(256) })]
]

describe.each(stores)("single sign-on over %s", (_, store) => {
  const { request } = testApp(Layer.merge(store, OpenIdProvider(client)), { oidc, rateLimits: true })
  const { me, accountsOf } = accountCalls(request)
  const whoIs = async (cookie: string) => (await me(cookie)).body

  beforeAll(() => provider.is(told("ada")))

  it("says what the provider is called", async () => {
    const answer = await request("GET", "/users/auth/oidc")
    assert.deepStrictEqual(answer.body, { name: "Emberkeep login", only: false })
  })

  it("leads to the provider with PKCE, state and nonce, none of which is the secret of the cookie", async () => {
    const answer = await request("GET", "/users/auth/oidc/start?returnTo=%2Fp%2F1%3Fa%3Db")
    assert.deepStrictEqual([answer.status, answer.headers.get("cache-control")], [302, "no-store"])
    const address = new URL(answer.headers.get("location") ?? "")
    assert.strictEqual(`${address.origin}${address.pathname}`, `${provider.issuer}/authorize`)
    assert.deepStrictEqual([...address.searchParams.keys()].sort(), [
      "client_id",
      "code_challenge",
      "code_challenge_method",
      "nonce",
      "redirect_uri",
      "response_type",
      "scope",
      "state"
    ])
    assert.strictEqual(address.searchParams.get("code_challenge_method"), "S256")
    assert.strictEqual(address.searchParams.get("redirect_uri"), "http://127.0.0.1:4210/users/auth/oidc/callback")
    assert.strictEqual(address.searchParams.get("scope"), "openid email profile")
    const [cookie = ""] = answer.headers.getSetCookie()
    assert.match(
      cookie,
      /^sign-in-flow=[\w.-]{50,2000}; Max-Age=600; Path=\/users\/auth\/oidc; HttpOnly; SameSite=Lax$/
    )
    const secret = cookie.slice("sign-in-flow=".length).split(".")[0] ?? ""
    assert.notInclude(address.href, secret)
  })

  it("makes an account the first time, finds it again, and leads back to where it began", async () => {
    provider.is(told("first"))
    const entered = await signInThrough(request, "", "/p/1/production/markers?day=1")
    assert.strictEqual(entered.status, 302)
    assert.strictEqual(entered.headers.get("location"), "/p/1/production/markers?day=1")
    assert.match(setCookie(entered, "sign-in-flow") ?? "", /^sign-in-flow=$/)
    const person = await whoIs(sessionOf(entered))
    assert.strictEqual(person.email, "first@studio.test")
    assert.strictEqual(person.name, "first of the studio")
    assert.include(provider.asked.at(-1), "Basic ")

    // Whatever the provider calls them by then.
    provider.is({ ...told("first"), email: "renamed@studio.test", name: "Renamed" })
    const again = await signInThrough(request)
    assert.strictEqual(again.headers.get("location"), "/")
    assert.strictEqual((await whoIs(sessionOf(again))).id, person.id)
    const log = await request("GET", "/users/sign-ins", { headers: { cookie: sessionOf(again) } })
    assert.deepStrictEqual(
      log.body.map(({ outcome }: { outcome: string }) => outcome),
      ["singleSignOn", "singleSignOn"]
    )
    const list = await request("GET", "/users/identities", { headers: { cookie: sessionOf(again) } })
    assert.deepStrictEqual(keysOf(list.body), ["hasPassword", "identities"])
    const [identity] = list.body.identities
    assert.deepStrictEqual(keysOf(identity), ["createdAt", "email", "id", "issuer", "lastUsedAt", "subject"])
    assert.strictEqual(identity.email, "renamed@studio.test")
    assert.isFalse(list.body.hasPassword)
  })

  it("adds the account to those of the browser, whose earlier cookie is good no more", async () => {
    await signUp(request, "beside@studio.test")
    const signedIn = await signIn(request, "beside@studio.test")
    const before = sessionOf(signedIn)
    provider.is(told("second"))
    const after = sessionOf(await signInThrough(request, before))
    assert.lengthOf((await accountsOf(after)).accounts, 2)
    assert.strictEqual((await me(before)).status, 401)
  })

  it("reads what the ID token leaves to the page of user information", async () => {
    const { sub, ...others } = told("paged")
    provider.is({ sub }, others)
    assert.strictEqual((await whoIs(sessionOf(await signInThrough(request)))).email, "paged@studio.test")
    // An address and whether it is verified come from one place.
    provider.is({ sub: "mixed", email: "mixed@studio.test", email_verified: false }, { email_verified: true })
    refused(await signInThrough(request), 403, "OIDC_EMAIL_UNVERIFIED")
  })

  it("refuses an address that is not verified, also one that has an account", async () => {
    await signUp(request, "mine@studio.test")
    for (const more of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }]) {
      provider.is({ ...told("mine"), ...more })
      const answer = await signInThrough(request)
      refused(answer, 403, "OIDC_EMAIL_UNVERIFIED")
      assert.strictEqual(sessionOf(answer), "")
    }
    assert.strictEqual((await signIn(request, "mine@studio.test")).status, 200)
  })

  it.each(spoiled)("refuses %s", async (_what, claims) => {
    provider.is({ ...told("spoiled"), ...claims() })
    const answer = await signInThrough(request)
    refused(answer, 401, "OIDC_REFUSED")
    assert.strictEqual(sessionOf(answer), "")
  })

  it("refuses a token with another signature", async () => {
    provider.is(told("forged"))
    provider.breaks((response) => {
      if (response.body === "") return
      const [head = "", , signature = ""] = String(response.body["id_token"]).split(".")
      const body = { ...told("forged"), iss: provider.issuer, aud: clientId, iat: now(), exp: now() + 60 }
      const claims = { ...body, nonce: JSON.parse(atob(String(response.body["id_token"]).split(".")[1] ?? "")).nonce }
      response.body["id_token"] = `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`
    })
    refused(await signInThrough(request), 401, "OIDC_REFUSED")
    provider.breaks()
  })

  it("takes a code once, in the browser in which the sign-in began", async () => {
    provider.is(told("replayed"))
    const begun = await begin(request)
    const other = await begin(request)
    refused(await comeBack(request, { ...begun, flow: "" }), 401, "OIDC_STATE_INVALID")
    refused(await comeBack(request, { ...begun, flow: other.flow }), 401, "OIDC_STATE_INVALID")
    refused(await comeBack(request, { ...begun, flow: "sign-in-flow=nothing" }), 401, "OIDC_STATE_INVALID")
    const withoutState = { ...begun, callback: begun.callback.replace(/state=[^&]+/, "state=") }
    refused(await comeBack(request, withoutState), 401, "OIDC_STATE_INVALID")
    assert.strictEqual((await comeBack(request, begun)).status, 302)
    refused(await comeBack(request, begun), 401, "OIDC_REFUSED")
  })

  it("takes no cookie that somebody has changed", async () => {
    provider.is(told("changed"))
    const begun = await begin(request, "/p/1")
    const [secret, startedAt] = begun.flow.split(".")
    const elsewhere = Buffer.from("/p/2").toString("base64url")
    const changed = { ...begun, flow: `${secret}.${startedAt}.${elsewhere}` }
    refused(await comeBack(request, changed), 401, "OIDC_STATE_INVALID")
    const long = `${secret}.${startedAt}.${"a".repeat(5000)}`
    refused(await comeBack(request, { ...begun, flow: long }), 401, "OIDC_STATE_INVALID")
  })

  it("tells what the provider says where somebody changes their mind there", async () => {
    const begun = await begin(request)
    const state = new URLSearchParams(begun.callback.split("?")[1]).get("state") ?? ""
    const said = new URLSearchParams({ error: "access_denied", error_description: "No", state }).toString()
    const back = { ...begun, callback: `/users/auth/oidc/callback?${said}` }
    refused(await comeBack(request, back), 401, "OIDC_REFUSED")
    const page = await comeBack(request, back, "", "text/html,*/*")
    assert.strictEqual(page.status, 302)
    assert.strictEqual(page.headers.get("location"), "/signin?refused=OIDC_REFUSED")
  })

  it.each([
    ["https://elsewhere.test/p/1", "/"],
    ["//elsewhere.test", "/"],
    ["/\\elsewhere.test", "/"],
    ["/\t/elsewhere.test", "/"],
    ["javascript:alert(1)", "/"],
    ["/p/1/../../..//elsewhere.test", "/"],
    ["/p/1#top", "/p/1#top"],
    [`/p/1/production/insights?question=${"a".repeat(2000)}`, "/p/1/production/insights"]
  ])("leads from %s to %s", async (returnTo, to) => {
    provider.is(told("returning"))
    const answer = await signInThrough(request, "", returnTo)
    assert.strictEqual(answer.headers.get("location"), to)
  })

  it("names what is wrong with parameters", async () => {
    refused(await request("GET", `/users/auth/oidc/start?returnTo=${"x".repeat(8193)}`), 400, "VALIDATION_FAILED")
  })

  it("answers 503 while the provider's answers are none, and leads browsers to the sign-in page", async () => {
    provider.is(told("down"))
    provider.breaks((response) => {
      response.statusCode = 502
      response.body = ""
    })
    refused(await signInThrough(request), 503, "OIDC_UNAVAILABLE")
    const page = await comeBack(request, await begin(request, "/p/1"), "", "text/html")
    assert.strictEqual(page.headers.get("location"), "/signin?refused=OIDC_UNAVAILABLE&to=%2Fp%2F1")
    provider.breaks()
    assert.strictEqual((await signInThrough(request)).status, 302)
  })
})

describe("single sign-on", () => {
  const [[, store]] = stores
  const nowhere = { ...client, issuer: "http://127.0.0.1:1" }
  const down = testApp(Layer.merge(store, OpenIdProvider(nowhere)), { oidc: { ...oidc, ...nowhere } })
  const without = testApp(store)

  it("answers 503 while the provider is down", async () => {
    refused(await down.request("GET", "/users/auth/oidc/start"), 503, "OIDC_UNAVAILABLE")
    const page = await down.request("GET", "/users/auth/oidc/start?returnTo=/p/1", { headers: { accept: "text/html" } })
    assert.strictEqual(page.headers.get("location"), "/signin?refused=OIDC_UNAVAILABLE&to=%2Fp%2F1")
  })

  it("is off where no provider is named", async () => {
    const answer = await without.request("GET", "/users/auth/oidc")
    assert.deepStrictEqual(answer.body, { name: null, only: false })
    refused(await without.request("GET", "/users/auth/oidc/start"), 409, "OIDC_NOT_CONFIGURED")
    refused(await without.request("GET", "/users/auth/oidc/callback?code=1&state=2"), 409, "OIDC_NOT_CONFIGURED")
  })
})

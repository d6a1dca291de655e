import { assert, describe, it } from "@effect/vitest"
import { accountCalls, enter, expire, password, signIn, signUp } from "../../support/access/Person.ts"
import { guessable } from "../../../src/adapters/memory/access/PasswordStrength.ts"
import { stores } from "../../support/Stores.ts"
import type { Answer } from "../../support/TestApp.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

type Row = readonly [refused: string, status: number, code: string, call: () => Promise<Answer>]

const demand = (answer: Answer, status: number, code: string) => {
  assert.deepStrictEqual([answer.status, answer.body.code], [status, code])
  assert.deepStrictEqual(Object.keys(answer.body).sort(), envelopeKeys)
  assert.deepStrictEqual(answer.headers.getSetCookie(), [])
}

const crossSite: ReadonlyArray<Record<string, string>> = [
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "https://evil.example", host: "test" },
  { origin: "null", host: "test" }
]

describe.each(stores)("refused sign-ups and sign-ins over %s", (_, store) => {
  const { request } = testApp(store)
  const ada = { name: "Ada", email: "ada@studio.test", password, motive: "curious" }
  const up = (change: object) => () => request("POST", "/users/auth/signup", { body: { ...ada, ...change } })
  const into = (change: object, headers: Record<string, string> = {}) => {
    const { email } = ada
    return () => request("POST", "/users/auth/signin", { body: { email, password, ...change }, headers })
  }

  const rows: ReadonlyArray<Row> = [
    ["sign-up without a name", 400, "VALIDATION_FAILED", up({ name: undefined })],
    ["sign-up with an empty name", 400, "VALIDATION_FAILED", up({ name: "" })],
    ["sign-up with a name of 101 characters", 400, "VALIDATION_FAILED", up({ name: "x".repeat(101) })],
    ["sign-up without an e-mail", 400, "VALIDATION_FAILED", up({ email: undefined })],
    ["sign-up with no e-mail format", 400, "VALIDATION_FAILED", up({ email: "ada" })],
    ...["x..test", ".x.test", "x.test.", "x..", "test"].map((domain): Row => [
      `sign-up with an e-mail at ${domain}, where no mail goes`,
      400,
      "VALIDATION_FAILED",
      up({ email: `ada@${domain}` })
    ]),
    ...["a\u200bda", "\u202eada", "a\u00adda", "ad\u0061\u0308", "\uff41da", "\u212aada"].map((local): Row => [
      `sign-up with an e-mail that reads as another one, ${JSON.stringify(local)}`,
      400,
      "VALIDATION_FAILED",
      up({ email: `${local}@studio.test` })
    ]),
    ["sign-up without a motive", 400, "VALIDATION_FAILED", up({ motive: undefined })],
    ["sign-up without a password", 400, "VALIDATION_FAILED", up({ password: undefined })],
    ["sign-up with a password of 7 characters", 400, "VALIDATION_FAILED", up({ password: "sesame7" })],
    ["sign-up with a password of 257 characters", 400, "VALIDATION_FAILED", up({ password: "s".repeat(257) })],
    ["sign-up with a number for a password", 400, "VALIDATION_FAILED", up({ password: 12345678 })],
    [
      "sign-up with a password that everybody tries",
      422,
      "PASSWORD_TOO_WEAK",
      up({ password: guessable, email: "new@studio.test" })
    ],
    ["sign-up with a known e-mail", 409, "EMAIL_TAKEN", up({})],
    ["sign-up with a known e-mail in capitals", 409, "EMAIL_TAKEN", up({ email: "ADA@STUDIO.TEST" })],
    ["sign-in with an unknown e-mail", 401, "INVALID_CREDENTIALS", into({ email: "nobody@studio.test" })],
    ["sign-in with a wrong password", 401, "INVALID_CREDENTIALS", into({ password: "wrong horse battery" })],
    ["sign-in with an empty password", 401, "INVALID_CREDENTIALS", into({ password: "" })],
    ["sign-in without a password", 400, "VALIDATION_FAILED", into({ password: undefined })],
    ["sign-in with no e-mail format", 400, "VALIDATION_FAILED", into({ email: "ada@" })],
    ["sign-in with an empty handle", 400, "VALIDATION_FAILED", into({ accountHandle: "" })],
    ["sign-in with a handle of 129 characters", 400, "VALIDATION_FAILED", into({ accountHandle: "h".repeat(129) })],
    ...crossSite.map((headers): Row => [
      `sign-in with ${JSON.stringify(headers)}`,
      403,
      "CROSS_SITE_REQUEST",
      into({}, headers)
    ])
  ]
  it.each(rows)("%s", async (_case, status, code, call) => {
    await signUp(request, ada.email)
    const answer = await call()
    demand(answer, status, code)
    for (const secret of [password, "sesame7", "12345678", "wrong horse"]) assert.notInclude(answer.text, secret)
  })

  it("says the same for an unknown e-mail and a wrong password", async () => {
    const [unknown, wrong] = [await into({ email: "nobody@studio.test" })(), await into({ password: "wrong" })()]
    assert.strictEqual(unknown.text, wrong.text)
  })

  it("a body that is no object is refused without repeating it", async () => {
    // Not the password of the contract's example, which the answer shows.
    const own = "a lantern under quiet water"
    const refusal = await request("POST", "/users/auth/signin", { body: [{ password: own }] })
    demand(refusal, 400, "VALIDATION_FAILED")
    assert.notInclude(refusal.text, own)
  })

  it("a password of 8 or of 256 characters is one", async () => {
    assert.strictEqual((await up({ email: "short@studio.test", password: "12345678" })()).status, 201)
    assert.strictEqual((await up({ email: "long@studio.test", password: "ü".repeat(256) })()).status, 201)
  })
})

describe.each(stores)("refused changes of a browser over %s", (_, store) => {
  const { request, run } = testApp(store)
  const { accountsOf, browserOf } = accountCalls(request)
  const change = (cookie: string | undefined, handle: string, headers: Record<string, string> = {}) => ({
    switch: () =>
      request("POST", "/users/auth/accounts/switch", {
        body: { handle },
        headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) }
      }),
    remove: () =>
      request("DELETE", `/users/auth/accounts/${handle}`, {
        headers: { ...headers, ...(cookie === undefined ? {} : { cookie }) }
      })
  })

  it("a sixth account; the five stay as they were", async () => {
    const cookie = await browserOf("six", ["a", "b", "c", "d", "e"])
    const before = await accountsOf(cookie)
    await signUp(request, "f@six.test")
    demand(await signIn(request, "f@six.test", cookie), 409, "TOO_MANY_ACCOUNTS")
    assert.deepStrictEqual(await accountsOf(cookie), before)
    assert.strictEqual((await signIn(request, "a@six.test", cookie)).status, 200)
  })

  it.each([undefined, "auth-token=", "auth-token=unknown", "other=1"])("with the cookie %s", async (cookie) => {
    demand(await change(cookie, "a").switch(), 401, "UNAUTHENTICATED")
    demand(await change(cookie, "a").remove(), 401, "UNAUTHENTICATED")
    demand(await change(cookie, "").switch(), 401, "UNAUTHENTICATED")
    const headers = cookie === undefined ? {} : { cookie }
    demand(await request("POST", "/users/auth/signout", { headers }), 401, "UNAUTHENTICATED")
    const list = await request("GET", "/users/auth/accounts", { headers })
    assert.deepStrictEqual([list.status, list.body], [200, { accounts: [], maxAccounts: 5 }])
  })

  it("of an unknown, expired or impossible handle, or from another site", async () => {
    const cookie = await browserOf("refused", ["a", "b"])
    await run(expire(cookie, "a"))
    const before = await accountsOf(cookie)
    demand(await change(cookie, "nobody").switch(), 404, "ACCOUNT_NOT_FOUND")
    demand(await change(cookie, "nobody").remove(), 404, "ACCOUNT_NOT_FOUND")
    demand(await change(cookie, "a").switch(), 401, "ACCOUNT_EXPIRED")
    demand(await change(cookie, "").switch(), 400, "VALIDATION_FAILED")
    demand(await change(cookie, "h".repeat(129)).switch(), 400, "VALIDATION_FAILED")
    demand(await change(cookie, "h".repeat(129)).remove(), 400, "VALIDATION_FAILED")
    for (const headers of crossSite) {
      demand(await change(cookie, "b", headers).switch(), 403, "CROSS_SITE_REQUEST")
      demand(await change(cookie, "b", headers).remove(), 403, "CROSS_SITE_REQUEST")
      const signOut = request("POST", "/users/auth/signout", { headers: { cookie, ...headers } })
      demand(await signOut, 403, "CROSS_SITE_REQUEST")
    }
    assert.deepStrictEqual(await accountsOf(cookie), before)
  })

  it("sign-out with a key", async () => {
    const headers = { cookie: await enter(request, "key@refused.test"), authorization: "Bearer gk_pat_nonsense" }
    demand(await request("POST", "/users/auth/signout", { headers }), 401, "UNAUTHENTICATED")
    assert.strictEqual((await accountsOf(headers.cookie)).accounts.length, 1)
  })
})

describe.each(stores)("throttled sign-ins over %s", (_, store) => {
  it("slow down per account and per address, whatever the password then is", async () => {
    const { request } = testApp(store, { rateLimits: true, trustProxy: true })
    const from = (address: string, email: string, secret: string) =>
      request("POST", "/users/auth/signin", {
        body: { email, password: secret },
        headers: { "x-forwarded-for": address }
      })
    await signUp(request, "ada@studio.test")
    await signUp(request, "grace@studio.test")
    for (let n = 0; n < 5; n++) demand(await from("1.1.1.1", "ada@studio.test", "wrong"), 401, "INVALID_CREDENTIALS")
    const refused = await from("1.1.1.1", "ada@studio.test", password)
    demand(refused, 429, "RATE_LIMITED")
    assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
    demand(await from("2.2.2.2", "ADA@studio.test", password), 429, "RATE_LIMITED")
    assert.strictEqual((await from("1.1.1.1", "grace@studio.test", password)).status, 200)
    for (let n = 5; n < 50; n++) {
      demand(await from("1.1.1.1", `nobody-${n}@studio.test`, "wrong"), 401, "INVALID_CREDENTIALS")
    }
    demand(await from("1.1.1.1", "grace@studio.test", password), 429, "RATE_LIMITED")
    assert.strictEqual((await from("2.2.2.2", "grace@studio.test", password)).status, 200)
  })

  it("of one household's addresses of IPv6 are counted together", async () => {
    const { request } = testApp(store, { rateLimits: true, trustProxy: true })
    const from = (address: string, n: number) =>
      request("POST", "/users/auth/signin", {
        body: { email: `nobody-${n}@studio.test`, password: "wrong" },
        headers: { "x-forwarded-for": address }
      })
    const home = (n: number) => `2a01:4f8:1:2::${n.toString(16)}`
    for (let n = 1; n <= 50; n++) demand(await from(home(n), n), 401, "INVALID_CREDENTIALS")
    demand(await from(home(51), 51), 429, "RATE_LIMITED")
    demand(await from("2a01:4f8:1:3::1", 52), 401, "INVALID_CREDENTIALS")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { stores } from "../../support/Stores.ts"
import {
  accountCalls,
  cookieOf,
  enter,
  expire,
  password,
  signIn,
  signUp,
  statusesOf
} from "../../support/access/Person.ts"
import { testApp } from "../../support/TestApp.ts"

interface Entry {
  readonly user: { readonly email: string }
}

const keysOf = (value: object) => Object.keys(value).sort()
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const userKeys = ["createdAt", "deletedAt", "email", "externalReference", "id", "name", "userMetadata"]

describe.each(stores)("accounts over %s", (_, store) => {
  const { request, run } = testApp(store)

  const { accountsOf, browserOf, me, remove, signOut, switchTo } = accountCalls(request)

  it("sign-up creates a user and signs nobody in", async () => {
    const answer = await signUp(request, "Ada@Studio.test", "Ada Lovelace")
    assert.strictEqual(answer.status, 201)
    assert.deepStrictEqual(keysOf(answer.body), userKeys)
    assert.match(answer.body.id, uuid)
    assert.match(answer.body.externalReference, /^usr_[0-9A-Za-z]{32}$/)
    assert.match(answer.body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const picture = `http://127.0.0.1:4210/users/${answer.body.id}/picture`
    assert.deepStrictEqual(answer.body.userMetadata, { email: "Ada@Studio.test", name: "Ada Lovelace", picture })
    assert.strictEqual(answer.body.deletedAt, null)
    assert.deepStrictEqual(answer.headers.getSetCookie(), [])
    assert.notInclude(answer.text, password)
    assert.notInclude(answer.text, "curious")
  })

  it("the first sign-in gives an organization with a project and all an owner may do", async () => {
    await signUp(request, "grace@studio.test", "Grace")
    const answer = await signIn(request, "GRACE@studio.test")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(keysOf(answer.body), ["organizations", "user"])
    const [organization] = answer.body.organizations
    assert.deepStrictEqual(keysOf(organization), [
      "applications",
      "billing",
      "color",
      "iconUrl",
      "id",
      "membershipId",
      "name",
      "requiresSecondFactor",
      "role"
    ])
    assert.strictEqual(organization.name, "Grace")
    assert.strictEqual(organization.role.name, "Owner")
    assert.include(organization.role.permissions, "organization:write")
    assert.deepStrictEqual(organization.billing, {
      organizationId: organization.id,
      subscription: { tier: "self-hosted" },
      memberSlots: { total: 1000 },
      projectSlots: { total: 1000 },
      blockedReason: null,
      graceEndsAt: null
    })
    const [application] = organization.applications
    const { createdAt: _createdAt, id: _id, ...rest } = application
    const createdBy = answer.body.user.id
    const sdk = { id: 1, name: "Custom" }
    assert.deepStrictEqual(rest, { name: "My game", sdk, createdBy, thumbnailUrl: null, color: null })
    const again = await signIn(request, "grace@studio.test")
    assert.deepStrictEqual(again.body.organizations, answer.body.organizations)
  })

  it("parallel first sign-ins give one organization", async () => {
    await signUp(request, "twice@studio.test")
    await Promise.all([1, 2, 3, 4].map(() => signIn(request, "twice@studio.test")))
    assert.strictEqual((await signIn(request, "twice@studio.test")).body.organizations.length, 1)
  })

  it("of parallel sign-ups with one address exactly one succeeds", async () => {
    const spellings = ["many@studio.test", "MANY@studio.test", "Many@Studio.test", "many@STUDIO.test"]
    const answers = await Promise.all(spellings.map((email) => signUp(request, email)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
  })

  it("the cookie is HttpOnly, Lax, of the whole site and as long as the session", async () => {
    const [header = ""] = (await signIn(request, "ada@studio.test")).headers.getSetCookie()
    const [pair = "", ...attributes] = header.split("; ")
    assert.match(pair, /^auth-token=[0-9A-Za-z]{32}$/)
    assert.deepStrictEqual(attributes.sort(), ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"])
  })

  it("one browser holds several accounts, each sign-in with a new token", async () => {
    const first = await enter(request, "a@several.test")
    await signUp(request, "b@several.test")
    const second = cookieOf(await signIn(request, "b@several.test", first, "work")) ?? ""
    assert.notStrictEqual(second, first)
    assert.deepStrictEqual(await accountsOf(first), { accounts: [], maxAccounts: 5 })

    const listed = await accountsOf(second)
    const [home, work] = ["a@several.test", "b@several.test"].map((email) =>
      listed.accounts.find((each: Entry) => each.user.email === email)
    )
    assert.strictEqual(home.status, "available")
    assert.deepStrictEqual([work.handle, work.status], ["work", "active"])
    assert.deepStrictEqual(keysOf(work), ["expiresAt", "handle", "lastUsedAt", "status", "user"])
    assert.deepStrictEqual(keysOf(work.user), ["email", "id", "userMetadata"])
    assert.deepStrictEqual(keysOf(work.user.userMetadata), ["name", "picture"])

    const refreshed = cookieOf(await signIn(request, "b@several.test", second)) ?? ""
    assert.deepStrictEqual(statusesOf(await accountsOf(refreshed)), { [home.handle]: "available", work: "active" })
  })

  it("switching makes another account the active one and the caller", async () => {
    const cookie = await browserOf("switch", ["a", "b"])
    const answer = await switchTo(cookie, "a")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(statusesOf(answer.body), { a: "active", b: "available" })
    assert.deepStrictEqual(answer.body, await accountsOf(cookie))
    assert.strictEqual((await me(cookie)).body.email, "a@switch.test")
  })

  it("removing the active account activates the most recently used available one", async () => {
    const cookie = await browserOf("remove", ["a", "b", "c", "d"])
    await switchTo(cookie, "b")
    await switchTo(cookie, "d")
    assert.deepStrictEqual(statusesOf((await remove(cookie, "c")).body), {
      a: "available",
      b: "available",
      d: "active"
    })
    assert.deepStrictEqual(statusesOf((await remove(cookie, "d")).body), { a: "available", b: "active" })
    await run(expire(cookie, "a"))
    assert.deepStrictEqual(statusesOf((await remove(cookie, "b")).body), { a: "expired" })
    assert.strictEqual((await me(cookie)).status, 401)
    const last = await remove(cookie, "a")
    assert.deepStrictEqual([last.status, last.body], [200, { accounts: [], maxAccounts: 5 }])
    assert.match(last.headers.getSetCookie()[0] ?? "", /^auth-token=; Max-Age=0;/)
    assert.strictEqual((await remove(cookie, "a")).status, 401)
  })

  it("a handle may be any text of up to 128 characters", async () => {
    const handle = "ü/ ?#%".padEnd(128, "x")
    await signUp(request, "odd@handles.test")
    const cookie = cookieOf(await signIn(request, "odd@handles.test", undefined, handle)) ?? ""
    assert.strictEqual((await switchTo(cookie, handle)).status, 200)
    assert.strictEqual((await remove(cookie, handle)).status, 200)
  })

  it("sign-out ends the active account's session and forgets the cookie with the last one", async () => {
    const cookie = await browserOf("out", ["a", "b"])
    const first = await signOut(cookie)
    assert.deepStrictEqual([first.status, first.body, first.headers.getSetCookie()], [200, "", []])
    assert.deepStrictEqual(statusesOf(await accountsOf(cookie)), { a: "active" })
    const last = await signOut(cookie)
    assert.match(last.headers.getSetCookie()[0] ?? "", /^auth-token=; Max-Age=0;/)
    assert.deepStrictEqual([last.status, last.body, (await signOut(cookie)).status], [200, "", 401])
  })

  it("a session past its end is expired, speaks for nobody and comes back by signing in", async () => {
    const cookie = await browserOf("late", ["a", "b"])
    await run(expire(cookie, "b"))
    assert.deepStrictEqual(statusesOf(await accountsOf(cookie)), { a: "available", b: "expired" })
    assert.strictEqual((await me(cookie)).status, 401)
    assert.strictEqual((await switchTo(cookie, "a")).status, 200)
    const again = cookieOf(await signIn(request, "b@late.test", cookie)) ?? ""
    assert.deepStrictEqual(statusesOf(await accountsOf(again)), { a: "available", b: "active" })
  })

  it("concurrent sign-ins in one browser leave one token that works", async () => {
    const cookie = await browserOf("race", ["a"])
    await signUp(request, "b@race.test")
    const answers = await Promise.all([1, 2, 3].map(() => signIn(request, "b@race.test", cookie)))
    const tokens = answers.map((answer) => cookieOf(answer) ?? "")
    assert.strictEqual(new Set(tokens).size, 3)
    const lists = await Promise.all(tokens.map(accountsOf))
    assert.deepStrictEqual(lists.map(({ accounts }) => accounts.length).sort(), [1, 1, 2])
    assert.deepStrictEqual((await accountsOf(cookie)).accounts, [])
  })
})

describe.each(stores)("settings of accounts over %s", (_, store) => {
  it("the cookie is Secure behind https, and lives as many days as sessions do", async () => {
    const { request } = testApp(store, { publicUrl: "https://games.example", sessionDays: 2 })
    const created = await signUp(request, "ada@studio.test")
    assert.match(created.body.userMetadata.picture, /^https:\/\/games\.example\/users\//)
    const [header = ""] = (await signIn(request, "ada@studio.test")).headers.getSetCookie()
    assert.match(header, /Max-Age=172800;.*Secure/)
  })

  it("a new user belongs nowhere where the default organization is switched off", async () => {
    const { request } = testApp(store, { defaultOrganization: false })
    await signUp(request, "ada@studio.test")
    assert.deepStrictEqual((await signIn(request, "ada@studio.test")).body.organizations, [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { stores } from "../support/Stores.ts"
import { cookieOf, enter, password, signIn, signUp } from "../support/Person.ts"
import { envelopeKeys, testApp } from "../support/TestApp.ts"

const keysOf = (value: object) => Object.keys(value).sort()
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const userKeys = ["createdAt", "deletedAt", "email", "externalReference", "id", "name", "userMetadata"]

describe.each(stores)("accounts over %s", (_, store) => {
  const app = testApp(store)
  const { request } = app

  const accountsOf = async (cookie: string) => (await request("GET", "/users/auth/accounts", { headers: { cookie } })).body

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
    const byEmail = new Map(listed.accounts.map((each: any) => [each.user.email, each]))
    assert.strictEqual((byEmail.get("a@several.test") as any).status, "available")
    const work = byEmail.get("b@several.test") as any
    assert.deepStrictEqual(keysOf(work), ["expiresAt", "handle", "lastUsedAt", "status", "user"])
    assert.deepStrictEqual(keysOf(work.user), ["email", "id", "userMetadata"])
    assert.deepStrictEqual(keysOf(work.user.userMetadata), ["name", "picture"])
    assert.deepStrictEqual([work.handle, work.status], ["work", "active"])

    const refreshed = cookieOf(await signIn(request, "b@several.test", second)) ?? ""
    assert.deepStrictEqual(
      (await accountsOf(refreshed)).accounts.map((each: any) => each.handle).sort(),
      listed.accounts.map((each: any) => each.handle).sort()
    )
  })
})

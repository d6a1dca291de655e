import { assert, beforeAll, describe, it } from "@effect/vitest"
import { joinStudio, mintKey, mintPersonalToken, openStudio, type Studio } from "../../support/access/Studio.ts"
import { setUpFactor } from "../../support/access/Authenticators.ts"
import { bearer } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const password = "correct horse battery staple"

describe.each(stores)("the demand of a second factor over %s", (label, store) => {
  const { request } = testApp(store)
  let ada: Studio
  let bea: { readonly cookie: string }
  let stranger: Studio
  let token: string
  let key: string

  const organization = () => `/organization/${ada.organizationId}`
  const project = () => `/application/${ada.applicationId}`
  const demand = (headers: Record<string, string>, requiresSecondFactor: boolean) =>
    request("PATCH", organization(), { headers, body: { requiresSecondFactor } })

  const makeToken = (own: object) =>
    request("POST", "/users/personal-access-tokens", {
      headers: ada.cookie,
      body: {
        organizationId: ada.organizationId,
        projectScope: { allProjects: true },
        environmentIds: [ada.production],
        ...own
      }
    })

  beforeAll(async () => {
    ada = await openStudio(request, `ada-demand-${label}`)
    bea = await joinStudio(request, ada, `bea-demand-${label}`, "Analyst")
    stranger = await openStudio(request, `eve-demand-${label}`)
    token = await mintPersonalToken(request, ada, { permissions: ["organization:read", "projects:read"] })
    key = await mintKey(request, ada, { permissions: ["markers:read"] })
  })

  it("is switched on by who may change the organization, and by nobody else", async () => {
    assert.strictEqual((await demand(bea, true)).status, 403)
    const before = await request("GET", organization(), { headers: ada.cookie })
    assert.strictEqual(before.body.requiresSecondFactor, false)
    const { status, body } = await demand(ada.cookie, true)
    assert.deepStrictEqual([status, body.requiresSecondFactor], [200, true])
  })

  const cases: ReadonlyArray<
    readonly [name: string, status: number, code: string | undefined, ask: () => ReturnType<typeof request>]
  > = [
    [
      "the organization to a password",
      403,
      "SECOND_FACTOR_DEMANDED",
      () => request("GET", organization(), { headers: ada.cookie })
    ],
    ["a project to a password", 403, "SECOND_FACTOR_DEMANDED", () => request("GET", project(), { headers: bea })],
    ["switching it off to a password", 403, "SECOND_FACTOR_DEMANDED", () => demand(ada.cookie, false)],
    [
      "a question to a password",
      403,
      "SECOND_FACTOR_DEMANDED",
      () =>
        request("GET", `${project()}/analytics/v1/markers/types`, {
          headers: { ...ada.cookie, environment_id: String(ada.production) }
        })
    ],
    [
      "a token for it to a password",
      403,
      "SECOND_FACTOR_DEMANDED",
      () => makeToken({ name: "way around", permissions: ["organization:read"] })
    ],
    [
      "a token for it that allows nothing yet to a password",
      403,
      "SECOND_FACTOR_DEMANDED",
      () => makeToken({ name: "for later" })
    ],
    [
      "another secret of a token for it to a password",
      403,
      "SECOND_FACTOR_DEMANDED",
      async () => {
        const tokens = await request("GET", "/users/personal-access-tokens", { headers: ada.cookie })
        const [{ id }] = tokens.body
        return request("POST", `/users/personal-access-tokens/${id}/rotate`, { headers: ada.cookie, body: {} })
      }
    ],
    [
      "nothing to a token that there was",
      200,
      undefined,
      () => request("GET", organization(), { headers: bearer(token) })
    ],
    [
      "nothing to a key",
      200,
      undefined,
      () =>
        request("GET", `${project()}/analytics/v1/markers/types`, {
          headers: { ...bearer(key), environment_id: String(ada.production) }
        })
    ],
    [
      "who is no member that there is anything",
      404,
      "ORGANIZATION_NOT_FOUND",
      () => request("GET", organization(), { headers: stranger.cookie })
    ],
    ["nothing of their own account", 200, undefined, () => request("GET", "/users/me", { headers: ada.cookie })],
    [
      "nothing elsewhere",
      200,
      undefined,
      () => request("GET", `/organization/${stranger.organizationId}`, { headers: stranger.cookie })
    ]
  ]
  it.each(cases)("refuses %s", async (_, status, code, ask) => {
    const { status: answered, body, text } = await ask()
    assert.deepStrictEqual([answered, status < 400 ? undefined : body.code], [status, code], text)
  })

  it("lists the organization meanwhile, without its projects, so that people learn what to do", async () => {
    const { body } = await request("GET", "/organization", { headers: ada.cookie })
    const entered = await request("POST", "/users/auth/signin", {
      body: { email: `bea-demand-${label}@studio.test`, password }
    })
    for (const all of [body, entered.body.organizations]) {
      const found = all.find(({ id }: { readonly id: number }) => id === ada.organizationId)
      assert.deepStrictEqual([found.requiresSecondFactor, found.applications], [true, []])
    }
  })

  it("is met by setting an authenticator up, in that browser alone, and by signing in with its code", async () => {
    const email = `ada-demand-${label}@studio.test`
    const signIn = (more: object = {}) => request("POST", "/users/auth/signin", { body: { email, password, ...more } })
    const cookieIn = (answer: Awaited<ReturnType<typeof signIn>>) => ({
      cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    })
    const elsewhere = cookieIn(await signIn())
    const { recoveryCodes } = await setUpFactor(request, ada.cookie.cookie)
    const statusOf = async (cookie: { readonly cookie: string }) =>
      (await request("GET", organization(), { headers: cookie })).status
    assert.strictEqual(await statusOf(ada.cookie), 200)
    assert.strictEqual(await statusOf(elsewhere), 401)
    const again = await signIn({ code: recoveryCodes[0] })
    assert.strictEqual(again.status, 200, again.text)
    assert.strictEqual(await statusOf(cookieIn(again)), 200)
    assert.strictEqual(await statusOf(bea), 403)
    const off = await demand(ada.cookie, false)
    assert.deepStrictEqual([off.status, off.body.requiresSecondFactor], [200, false])
    assert.strictEqual((await request("GET", project(), { headers: bea })).status, 200)
  })
})

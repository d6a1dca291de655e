import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { ApplicationId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { guessable } from "../../../src/adapters/memory/access/PasswordStrength.ts"
import { accountCalls, cookieOf, enter, expire, password, signIn, signUp } from "../../support/access/Person.ts"
import { stores } from "../../support/Stores.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

interface Listed {
  readonly isCurrent: boolean
  readonly status: string
}

const keysOf = (value: object) => Object.keys(value).sort()
const newPassword = "another battery staple"

describe.each(stores)("users over %s", (_, store) => {
  const { request, run } = testApp(store)
  const { me, switchTo } = accountCalls(request)
  const by = (cookie: string) => ({
    get: (path: string) => request("GET", path, { headers: { cookie } }),
    del: (path: string) => request("DELETE", path, { headers: { cookie } }),
    patch: (body: unknown) => request("PATCH", "/users/me", { headers: { cookie }, body }),
    changePassword: (currentPassword: string, next: unknown = newPassword) =>
      request("POST", "/users/me/password", { headers: { cookie }, body: { currentPassword, newPassword: next } })
  })
  const again = async (email: string) => cookieOf(await signIn(request, email)) ?? ""

  /** A personal access token of the one whose first sign-in this is. */
  const mintPersonal = async (email: string) => {
    const answer = await signIn(request, email)
    const [{ id: organizationId, applications }] = answer.body.organizations
    const applicationId = ApplicationId.make(applications[0].id)
    const environments = await run(Effect.flatMap(ProjectRepo, (projects) => projects.environments(applicationId)))
    const created = await request("POST", "/users/personal-access-tokens", {
      headers: { cookie: cookieOf(answer) ?? "" },
      body: {
        organizationId,
        name: "script",
        projectScope: { allProjects: true },
        environmentIds: environments.map(({ id }) => id),
        permissions: ["projects:read"]
      }
    })
    return { authorization: `Bearer ${created.body.token}` }
  }

  it("the caller reads and renames themselves", async () => {
    const created = await signUp(request, "ada@users.test")
    const cookie = await again("ada@users.test")
    assert.deepStrictEqual((await me(cookie)).body, { ...created.body, ownsServer: false })
    const renamed = await by(cookie).patch({ name: "Countess" })
    const { userMetadata } = created.body
    const expected = { ...created.body, name: "Countess", userMetadata: { ...userMetadata, name: "Countess" } }
    assert.deepStrictEqual([renamed.status, renamed.body], [200, expected])
    assert.deepStrictEqual((await by(cookie).patch({})).body, expected)
    assert.deepStrictEqual((await me(cookie)).body, { ...expected, ownsServer: false })
    for (const name of ["", "x".repeat(101), 1, null]) {
      assert.strictEqual((await by(cookie).patch({ name })).body.code, "VALIDATION_FAILED")
    }
  })

  it("a personal access token reads its owner and changes nothing of them", async () => {
    await signUp(request, "pat@users.test")
    const headers = await mintPersonal("pat@users.test")
    assert.strictEqual((await request("GET", "/users/me", { headers })).body.email, "pat@users.test")
    const refused = await Promise.all([
      request("PATCH", "/users/me", { headers, body: { name: "Other" } }),
      request("POST", "/users/me/password", { headers, body: { currentPassword: password, newPassword } }),
      request("GET", "/users/sessions", { headers }),
      request("DELETE", "/users/sessions", { headers }),
      request("DELETE", "/users/sessions/1", { headers })
    ])
    for (const { status, body } of refused) {
      assert.deepStrictEqual([status, body.code], [401, "CREDENTIAL_NOT_ACCEPTED"])
      assert.deepStrictEqual(keysOf(body), envelopeKeys)
    }
  })

  it("a changed password ends every other session; the present one and tokens stay", async () => {
    await signUp(request, "change@users.test")
    const personal = await mintPersonal("change@users.test")
    const [other, present] = [await again("change@users.test"), await again("change@users.test")]
    const answer = await by(present).changePassword(password)
    assert.deepStrictEqual([answer.status, answer.text], [204, ""])
    assert.deepStrictEqual([(await me(other)).status, (await me(present)).status], [401, 200])
    assert.strictEqual((await request("GET", "/users/me", { headers: personal })).status, 200)
    assert.strictEqual((await signIn(request, "change@users.test")).status, 401)
    const body = { email: "change@users.test", password: newPassword }
    assert.strictEqual((await request("POST", "/users/auth/signin", { body })).status, 200)
  })

  it("a refused change of password changes nothing", async () => {
    await signUp(request, "refused@users.test")
    const [other, present] = [await again("refused@users.test"), await again("refused@users.test")]
    const weak = await by(present).changePassword(password, guessable)
    assert.deepStrictEqual([weak.status, weak.body.code], [422, "PASSWORD_TOO_WEAK"])
    assert.deepStrictEqual(keysOf(weak.body), envelopeKeys)
    assert.strictEqual(weak.body.message, "newPassword: this password is too easy to guess. Everybody tries it.")
    const wrong = await by(present).changePassword("wrong horse battery")
    assert.deepStrictEqual([wrong.status, wrong.body.code], [422, "PASSWORD_INCORRECT"])
    assert.deepStrictEqual(keysOf(wrong.body), envelopeKeys)
    for (const next of ["seven77", "x".repeat(257), 12345678, undefined]) {
      const answer = await by(present).changePassword(password, next ?? null)
      assert.deepStrictEqual([answer.status, answer.body.code], [400, "VALIDATION_FAILED"])
      for (const secret of [password, "seven77", "12345678"]) assert.notInclude(answer.text, secret)
    }
    assert.strictEqual((await me(other)).status, 200)
    assert.strictEqual((await signIn(request, "refused@users.test")).status, 200)
  })

  it("of two changes of one password at once exactly one succeeds", async () => {
    const cookie = await enter(request, "both@users.test")
    const answers = await Promise.all(
      ["first of two", "second of two"].map((next) => by(cookie).changePassword(password, next))
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, 422])
  })

  it("lists the caller's sessions in all browsers and ends them one by one or all others", async () => {
    const present = await enter(request, "sessions@users.test")
    const [second, third, fourth] = [
      await again("sessions@users.test"),
      await again("sessions@users.test"),
      cookieOf(await signIn(request, "sessions@users.test", undefined, "late")) ?? ""
    ]
    await run(expire(fourth, "late"))
    const listed = (await by(present).get("/users/sessions")).body
    const keys = ["address", "browser", "createdAt", "expiresAt", "handle", "id", "isCurrent", "lastUsedAt", "status"]
    for (const each of listed) assert.deepStrictEqual(keysOf(each), keys)
    assert.deepStrictEqual(
      listed.map((each: Listed) => [each.isCurrent, each.status]),
      [
        [true, "active"],
        [false, "active"],
        [false, "active"],
        [false, "expired"]
      ]
    )
    const ended = await by(present).del(`/users/sessions/${listed[1].id}`)
    assert.deepStrictEqual([ended.status, ended.text], [204, ""])
    assert.deepStrictEqual([(await me(second)).status, (await me(third)).status], [401, 200])
    assert.strictEqual((await by(present).del(`/users/sessions/${listed[1].id}`)).body.code, "SESSION_NOT_FOUND")
    assert.strictEqual((await by(present).del("/users/sessions")).status, 204)
    assert.deepStrictEqual([(await me(third)).status, (await me(present)).status], [401, 200])
    assert.strictEqual((await by(present).get("/users/sessions")).body.length, 1)
  })

  it("a session tells the browser and the address of its last sign-in", async () => {
    await signUp(request, "where@users.test")
    const signInFrom = (agent: string, cookie?: string) =>
      request("POST", "/users/auth/signin", {
        body: { email: "where@users.test", password },
        headers: { "user-agent": agent, "x-forwarded-for": "198.51.100.9", ...(cookie === undefined ? {} : { cookie }) }
      })
    const first = await signInFrom("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    const [session] = (await by(cookieOf(first) ?? "").get("/users/sessions")).body
    assert.strictEqual(session.browser, "Firefox on Linux")
    // Without --trust-proxy nobody makes up an address.
    assert.notStrictEqual(session.address, "198.51.100.9")
    const second = cookieOf(await signInFrom("curl/8.5.0", cookieOf(first))) ?? ""
    const [again] = (await by(second).get("/users/sessions")).body
    assert.deepStrictEqual([again.browser, again.createdAt], ["curl", session.createdAt])
  })

  it("nobody ends another's session, nor sees it", async () => {
    const [mine, theirs] = [await enter(request, "mine@users.test"), await enter(request, "theirs@users.test")]
    const [session] = (await by(theirs).get("/users/sessions")).body
    const refused = await by(mine).del(`/users/sessions/${session.id}`)
    assert.deepStrictEqual([refused.status, refused.body.code], [404, "SESSION_NOT_FOUND"])
    assert.strictEqual((await by(mine).get("/users/sessions")).body.length, 1)
    assert.strictEqual((await by(mine).del("/users/sessions")).status, 204)
    assert.strictEqual((await me(theirs)).status, 200)
  })

  it("ending a session leaves the other people of that browser signed in", async () => {
    const shared = await enter(request, "guest@users.test")
    await signUp(request, "host@users.test")
    const both = cookieOf(await signIn(request, "host@users.test", shared, "host")) ?? ""
    assert.strictEqual((await by(await again("host@users.test")).del("/users/sessions")).status, 204)
    assert.strictEqual((await me(both)).body.email, "guest@users.test")
    assert.strictEqual((await switchTo(both, "host")).status, 404)
  })

  it("the picture is drawn for every user, for anybody, and for nobody else", async () => {
    const { body } = await signUp(request, "face@users.test")
    const path = new URL(body.userMetadata.picture).pathname
    const picture = await request("GET", path)
    assert.strictEqual(picture.status, 200)
    assert.match(picture.headers.get("content-type") ?? "", /^image\/svg\+xml/)
    assert.match(picture.headers.get("cache-control") ?? "", /max-age/)
    assert.isTrue(picture.text.startsWith("<svg "))
    assert.strictEqual((await request("GET", path)).text, picture.text)
    const unknown = await request("GET", "/users/00000000-0000-4000-8000-000000000000/picture")
    assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "USER_NOT_FOUND"])
    assert.strictEqual((await request("GET", "/users/1/picture")).status, 400)
  })
})

describe.each(stores)("secrets of people over %s", (_, store) => {
  const lines: Array<string> = []
  const capture = Logger.make(({ message, cause, annotations, spans }) =>
    lines.push(JSON.stringify([message, cause, [...annotations], [...spans]]))
  )
  const logger = Layer.merge(Logger.replace(Logger.defaultLogger, capture), Logger.minimumLogLevel(LogLevel.All))
  const { request } = testApp(store, {}, logger)

  it("no log line holds a password, a cookie or a hash", async () => {
    const cookie = await enter(request, "quiet@users.test")
    await request("POST", "/users/auth/signin", { body: { email: "quiet@users.test", password: "wrong horse" } })
    const change = { currentPassword: password, newPassword }
    await request("POST", "/users/me/password", { headers: { cookie }, body: change })
    const log = lines.join("\n")
    for (const secret of [password, newPassword, "wrong horse", cookie.slice(11), "scrypt$"])
      assert.notInclude(log, secret)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { guessable } from "../../../src/adapters/memory/access/PasswordStrength.ts"
import { PasswordResetRepo } from "../../../src/ports/access/PasswordResetRepo.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"
import { caller, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { accountByOperator } from "../../support/access/Operator.ts"
import { accountCalls, cookieOf, password } from "../../support/access/Person.ts"
import { eventually } from "../../support/Npm.ts"
import { stores } from "../../support/Stores.ts"
import { joinStudio, openStudio, type Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const newPassword = "another battery staple"

interface Listed {
  readonly membershipId: number
  readonly user: { readonly email: string }
}

describe.each(stores)("password resets over %s", (_, store) => {
  const { request, run } = testApp(store, { owner: "above-guest@studio.test, above-peer@studio.test" })
  const { me } = accountCalls(request)

  const memberOf = async (studio: Studio, name: string): Promise<number> => {
    const members = await request("GET", `/organization/${studio.organizationId}/members`, { headers: studio.cookie })
    return members.body.items.find((each: Listed) => each.user.email === `${name}@studio.test`).membershipId
  }

  /** A link for the member, as the one with the cookie asks for it. */
  const linkFor = async (studio: Studio, name: string, by: Record<string, string> = studio.cookie) =>
    caller(request, by)(
      "POST",
      `/organization/${studio.organizationId}/members/${await memberOf(studio, name)}/password-reset`
    )

  const use = (token: string, next: unknown = newPassword) =>
    request("POST", "/users/auth/password-reset", { body: { token, password: next } })

  const signInWith = (name: string, given: string) =>
    request("POST", "/users/auth/signin", { body: { email: `${name}@studio.test`, password: given } })

  /** A studio with its owner and a member of that role. */
  const open = async (name: string, role = "Viewer") => {
    const studio = await openStudio(request, name)
    const guest = `${name}-guest`
    return { studio, guest, cookie: await joinStudio(request, studio, guest, role) }
  }

  const expire = (token: string) =>
    run(
      Effect.gen(function* () {
        const { hash } = yield* Secrets
        const resets = yield* PasswordResetRepo
        const found = Option.getOrThrow(yield* resets.findByTokenHash(hash(Redacted.make(token))))
        yield* resets.put({ ...found, expiresAt: DateTime.subtract(found.createdAt, { seconds: 1 }) })
      })
    )

  it("gives the member a password by a link that is shown once, and works once", async () => {
    const { studio, guest, cookie } = await open("lost")
    const made = await linkFor(studio, guest)
    assert.strictEqual(made.status, 201)
    assert.deepStrictEqual(keysOf(made.body), ["expiresAt", "token", "url"])
    const { token, url } = made.body
    assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    assert.strictEqual(url, `http://127.0.0.1:4210/reset-password#${token}`)
    assert.strictEqual((await me(cookie.cookie)).status, 200)
    assert.strictEqual((await use(token)).status, 204)
    assert.strictEqual((await me(cookie.cookie)).status, 401)
    assert.strictEqual((await signInWith(guest, password)).status, 401)
    assert.strictEqual((await signInWith(guest, newPassword)).status, 200)
    refused(await use(token, "yet another staple"), 404, "PASSWORD_RESET_NOT_FOUND")
    assert.strictEqual((await signInWith(guest, newPassword)).status, 200)
  })

  it("and every sign-in stand in the account's own list of attempts, newest first", async () => {
    const { studio, guest } = await open("listed")
    await use((await linkFor(studio, guest)).body.token)
    const entered = await signInWith(guest, newPassword)
    const headers = { cookie: cookieOf(entered) ?? "" }
    const answer = await request("GET", "/users/sign-ins", { headers })
    assert.deepStrictEqual(
      answer.body.map(({ outcome }: { outcome: string }) => outcome),
      ["signedIn", "passwordReset", "signedIn"]
    )
    for (const each of answer.body) assert.deepStrictEqual(keysOf(each), ["address", "at", "browser", "outcome"])
    const own = (await request("GET", "/users/sign-ins", { headers: studio.cookie })).body
    assert.lengthOf(own, 1)

    assert.strictEqual((await signInWith(guest, "wrong horse")).status, 401)
    const newest = await eventually("the wrong password is noted", async () => {
      const [first] = (await request("GET", "/users/sign-ins", { headers })).body
      return first.outcome === "signedIn" ? undefined : first
    })
    assert.strictEqual(newest.outcome, "wrongPassword")
  })

  it("leaves an entry in the log of changes, without the token", async () => {
    const { studio, guest } = await open("logged")
    const { token } = (await linkFor(studio, guest)).body
    await use(token)
    const log = await request("GET", `/organization/${studio.organizationId}/audit-log`, { headers: studio.cookie })
    const made = log.body.items.filter((each: { operation: string }) => each.operation.startsWith("passwordResets"))
    assert.deepStrictEqual(
      made.map(({ operation, object }: { operation: string; object: { id: string } }) => [operation, object.id]),
      [["passwordResets.create", String(await memberOf(studio, guest))]]
    )
    assert.notInclude(log.text, token)
  })

  it("works for one of those who use a link at once", async () => {
    const { studio, guest } = await open("race")
    const { token } = (await linkFor(studio, guest)).body
    const answers = await Promise.all(["first staple", "second staple", "third staple"].map((next) => use(token, next)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, 404, 404])
  })

  it("ends with its hours, with the next link, with a change of the password and with the rights of its maker", async () => {
    const { studio, guest, cookie } = await open("ends")
    const first = (await linkFor(studio, guest)).body.token
    const second = (await linkFor(studio, guest)).body.token
    refused(await use(first), 404, "PASSWORD_RESET_NOT_FOUND")
    await expire(second)
    refused(await use(second), 404, "PASSWORD_RESET_NOT_FOUND")
    const third = (await linkFor(studio, guest)).body.token
    await caller(request, cookie)("POST", "/users/me/password", { currentPassword: password, newPassword })
    refused(await use(third), 404, "PASSWORD_RESET_NOT_FOUND")

    const admin = await joinAs(request, studio, "ends-admin", "Admin")
    const fourth = (await linkFor(studio, guest, admin.cookie)).body.token
    const removed = await request("DELETE", `/organization/${studio.organizationId}/members/${admin.membershipId}`, {
      headers: studio.cookie
    })
    assert.strictEqual(removed.status, 204)
    refused(await use(fourth), 404, "PASSWORD_RESET_NOT_FOUND")
    assert.strictEqual((await signInWith(guest, newPassword)).status, 200)
  })

  it("is refused to whoever holds less than the member, for oneself, and for people of other organizations", async () => {
    const { studio, guest, cookie } = await open("less", "Admin")
    const owner = await memberOf(studio, "less")
    const path = (id: number) => `/organization/${studio.organizationId}/members/${id}/password-reset`
    refused(await caller(request, cookie)("POST", path(owner)), 403, "FORBIDDEN")
    refused(await caller(request, studio.cookie)("POST", path(owner)), 403, "FORBIDDEN")
    refused(await caller(request, studio.cookie)("POST", path(999_999)), 404, "MEMBER_NOT_FOUND")
    const viewer = await joinAs(request, studio, "less-viewer", "Viewer")
    refused(await linkFor(studio, guest, viewer.cookie), 403, "FORBIDDEN")
    const stranger = await openStudio(request, "less-stranger")
    refused(await caller(request, stranger.cookie)("POST", path(owner)), 404, "ORGANIZATION_NOT_FOUND")

    // Whatever somebody has done in an organization of their own is not the maker's.
    assert.strictEqual((await linkFor(studio, guest)).status, 201)
    const busy = await caller(request, cookie)("POST", "/organization", { name: "My own" })
    assert.strictEqual(busy.status, 201)
    refused(await linkFor(studio, guest), 403, "FORBIDDEN")
  })

  it("is refused for whoever owns the server, unless another owner of it makes it", async () => {
    await run(Effect.forEach(["above-guest", "above-peer"], (each) => accountByOperator(`${each}@studio.test`)))
    const { studio, guest } = await open("above")
    const member = `/organization/${studio.organizationId}/members/${await memberOf(studio, guest)}`
    const refusedLink = await linkFor(studio, guest)
    refused(refusedLink, 403, "FORBIDDEN")
    assert.include(refusedLink.body.message, "owns the server")
    refused(await caller(request, studio.cookie)("DELETE", `${member}/second-factor`), 403, "FORBIDDEN")
    const peer = await joinStudio(request, studio, "above-peer", "Admin")
    assert.strictEqual((await linkFor(studio, guest, peer)).status, 201)
  })

  it("takes no password that sign-up would not take, and no other fields", async () => {
    const { studio, guest } = await open("short")
    const { token } = (await linkFor(studio, guest)).body
    for (const next of ["1234567", "x".repeat(257), 12345678, null]) {
      refused(await use(token, next), 400, "VALIDATION_FAILED")
    }
    refused(await use(token, guessable), 422, "PASSWORD_TOO_WEAK")
    const more = { token, password: newPassword, userId: "somebody" }
    refused(await request("POST", "/users/auth/password-reset", { body: more }), 400, "VALIDATION_FAILED")
    refused(await use("unknown"), 404, "PASSWORD_RESET_NOT_FOUND")
    assert.strictEqual((await use(token)).status, 204)
  })
})

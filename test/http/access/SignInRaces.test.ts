import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { UserId } from "../../../src/domain/Ids.ts"
import { SecondFactorRepo } from "../../../src/ports/access/SecondFactorRepo.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { caller, joinAs, refused } from "../../support/Caller.ts"
import { codeOf, setUpFactor } from "../../support/access/Authenticators.ts"
import { accountCalls, cookieOf, password, signIn } from "../../support/access/Person.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const factor = "/users/me/second-factor"
const newPassword = "another battery staple"

type Reading = "account" | "factor"

/** A request that is held after it has read the account or its second factor, as where many wait for the comparison of their passwords. */
const held: {
  next: Reading | null
  /** Readings that pass before. */
  passing: number
  readonly reached: Effect.Latch
  readonly released: Effect.Latch
} = { next: null, passing: 0, reached: Effect.unsafeMakeLatch(false), released: Effect.unsafeMakeLatch(false) }

const hold = (reading: Reading) =>
  Effect.suspend(() => {
    if (held.next !== reading || held.passing-- > 0) return Effect.void
    held.next = null
    return Effect.zipRight(held.reached.open, held.released.await)
  })

const heldAccounts = Layer.effect(
  UserRepo,
  Effect.map(UserRepo, (repo) => ({
    ...repo,
    findByEmail: (email: string) => Effect.tap(repo.findByEmail(email), () => hold("account"))
  }))
)

const heldFactors = Layer.effect(
  SecondFactorRepo,
  Effect.map(SecondFactorRepo, (repo) => ({
    ...repo,
    find: (userId: UserId) => Effect.tap(repo.find(userId), () => hold("factor"))
  }))
)

describe.each(stores)("what is on its way while the account changes, over %s", (_, store) => {
  const { request } = testApp(Layer.mergeAll(store, Layer.provide(Layer.merge(heldAccounts, heldFactors), store)))
  const { me } = accountCalls(request)

  const memberWith = async (name: string) => {
    const studio = await openStudio(request, name)
    const member = await joinAs(request, studio, `${name}-guest`, "Viewer")
    return { studio, member, email: `${name}-guest@studio.test` }
  }

  /** What a request is answered that read before the change what it compares after it. */
  const overtaken = async <Answer>(
    reading: Reading,
    passing: number,
    ask: () => Promise<Answer>,
    change: () => Promise<unknown>
  ): Promise<Answer> => {
    await Effect.runPromise(Effect.zipRight(held.reached.close, held.released.close))
    Object.assign(held, { next: reading, passing })
    const asked = ask()
    await Effect.runPromise(held.reached.await)
    await change()
    await Effect.runPromise(held.released.open)
    return asked
  }

  const overtakenSignIn = (email: string, change: () => Promise<{ readonly status: number }>) =>
    overtaken(
      "account",
      0,
      () => signIn(request, email),
      async () => assert.strictEqual((await change()).status, 204)
    )

  const outcomesOf = async (email: string): Promise<ReadonlyArray<string>> => {
    const entered = await request("POST", "/users/auth/signin", { body: { email, password: newPassword } })
    assert.strictEqual(entered.status, 200)
    const log = await request("GET", "/users/sign-ins", { headers: { cookie: cookieOf(entered) ?? "" } })
    return log.body.map(({ outcome }: { readonly outcome: string }) => outcome)
  }

  it("is refused after a reset, which ends all sessions, and is noted as refused", async () => {
    const { studio, member, email } = await memberWith("reset")
    const path = `/organization/${studio.organizationId}/members/${member.membershipId}/password-reset`
    const { token } = (await caller(request, studio.cookie)("POST", path)).body
    const answer = await overtakenSignIn(email, () =>
      request("POST", "/users/auth/password-reset", { body: { token, password: newPassword } })
    )
    refused(answer, 401, "INVALID_CREDENTIALS")
    assert.deepStrictEqual(answer.headers.getSetCookie(), [])
    assert.deepStrictEqual((await outcomesOf(email)).slice(0, 3), ["signedIn", "wrongPassword", "passwordReset"])
  })

  it("is refused after the person has chosen another one, which ends all other sessions", async () => {
    const { member, email } = await memberWith("chosen")
    const body = { currentPassword: password, newPassword }
    const answer = await overtakenSignIn(email, () =>
      caller(request, member.cookie)("POST", "/users/me/password", body)
    )
    refused(answer, 401, "INVALID_CREDENTIALS")
    assert.strictEqual((await me(member.cookie.cookie)).status, 200)
  })

  it("goes on where nothing has changed", async () => {
    const { email } = await memberWith("same")
    const answer = await overtakenSignIn(email, async () => ({ status: 204 }))
    assert.strictEqual(answer.status, 200)
    assert.strictEqual((await me(cookieOf(answer) ?? "")).status, 200)
  })

  it("is asked for a code after a second factor was confirmed", async () => {
    const { member, email } = await memberWith("factor")
    const answer = await overtaken(
      "factor",
      0,
      () => signIn(request, email),
      async () => assert.strictEqual((await setUpFactor(request, member.cookie.cookie)).confirmed.status, 200)
    )
    refused(answer, 401, "SECOND_FACTOR_REQUIRED")
    assert.deepStrictEqual(answer.headers.getSetCookie(), [])
  })

  it("confirms no authenticator that another tab has begun since its code was compared", async () => {
    const { member } = await memberWith("tabs")
    const { cookie: headers } = member
    const begin = () => request("POST", factor, { headers, body: { currentPassword: password } })
    const { secret } = (await begin()).body
    const answer = await overtaken(
      "factor",
      1,
      () => request("POST", `${factor}/confirmation`, { headers, body: { code: codeOf(secret) } }),
      async () => assert.strictEqual((await begin()).status, 201)
    )
    refused(answer, 422, "SECOND_FACTOR_INCORRECT")
    assert.isNull((await request("GET", factor, { headers })).body.confirmedAt)
  })
})

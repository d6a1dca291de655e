import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { caller, joinAs, refused } from "../../support/Caller.ts"
import { accountCalls, cookieOf, password, signIn } from "../../support/access/Person.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const newPassword = "another battery staple"

/** A sign-in that is held between what it reads of the account and the comparison of the password, which waits where many sign in. */
const held = { isNext: false, reached: Effect.unsafeMakeLatch(false), released: Effect.unsafeMakeLatch(false) }

const heldSignIns = Layer.effect(
  UserRepo,
  Effect.map(UserRepo, (repo) => ({
    ...repo,
    findByEmail: (email: string) =>
      Effect.tap(repo.findByEmail(email), () => {
        if (!held.isNext) return Effect.void
        held.isNext = false
        return Effect.zipRight(held.reached.open, held.released.await)
      })
  }))
)

describe.each(stores)("a sign-in that is on its way while the password changes, over %s", (_, store) => {
  const { request } = testApp(Layer.merge(store, Layer.provide(heldSignIns, store)))
  const { me } = accountCalls(request)

  const memberWith = async (name: string) => {
    const studio = await openStudio(request, name)
    const member = await joinAs(request, studio, `${name}-guest`, "Viewer")
    return { studio, member, email: `${name}-guest@studio.test` }
  }

  /** What a sign-in with the old password is answered that read the account before the change and compares the password after it. */
  const overtaken = async (email: string, change: () => Promise<{ readonly status: number }>) => {
    await Effect.runPromise(Effect.zipRight(held.reached.close, held.released.close))
    held.isNext = true
    const entering = signIn(request, email)
    await Effect.runPromise(held.reached.await)
    const changed = await change()
    await Effect.runPromise(held.released.open)
    assert.strictEqual(changed.status, 204)
    return entering
  }

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
    const answer = await overtaken(email, () =>
      request("POST", "/users/auth/password-reset", { body: { token, password: newPassword } })
    )
    refused(answer, 401, "INVALID_CREDENTIALS")
    assert.deepStrictEqual(answer.headers.getSetCookie(), [])
    assert.deepStrictEqual((await outcomesOf(email)).slice(0, 3), ["signedIn", "wrongPassword", "passwordReset"])
  })

  it("is refused after the person has chosen another one, which ends all other sessions", async () => {
    const { member, email } = await memberWith("chosen")
    const body = { currentPassword: password, newPassword }
    const answer = await overtaken(email, () => caller(request, member.cookie)("POST", "/users/me/password", body))
    refused(answer, 401, "INVALID_CREDENTIALS")
    assert.strictEqual((await me(member.cookie.cookie)).status, 200)
  })

  it("goes on where nothing has changed", async () => {
    const { email } = await memberWith("same")
    const answer = await overtaken(email, async () => ({ status: 204 }))
    assert.strictEqual(answer.status, 200)
    assert.strictEqual((await me(cookieOf(answer) ?? "")).status, 200)
  })
})

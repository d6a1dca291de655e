import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimits } from "../../../src/ports/access/RateLimits.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { codeOf } from "../../support/access/Authenticators.ts"
import { password } from "../../support/access/Person.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const factor = "/users/me/second-factor"

/** Others go on between any two uses of the counts, as where a database keeps them. */
const farCounts = Layer.effect(
  RateLimits,
  Effect.map(RateLimits, (limits) => ({
    waitMillis: (...asked: Parameters<typeof limits.waitMillis>) =>
      Effect.zipRight(nextTurn, limits.waitMillis(...asked)),
    guess: (...asked: Parameters<typeof limits.guess>) => Effect.zipRight(nextTurn, limits.guess(...asked)),
    failure: (...asked: Parameters<typeof limits.failure>) => Effect.zipRight(nextTurn, limits.failure(...asked)),
    success: (...asked: Parameters<typeof limits.success>) => Effect.zipRight(nextTurn, limits.success(...asked))
  }))
)

describe.each(stores)("guesses of a code that come at once, over %s", (_, store) => {
  const { request } = testApp(Layer.mergeAll(store, Layer.provide(farCounts, store)), { rateLimits: true })

  it("are let by as often as one after the other", async () => {
    const { cookie: headers } = await openStudio(request, "ada")
    const { secret } = (await request("POST", factor, { headers, body: { currentPassword: password } })).body
    const confirm = (code: string) => request("POST", `${factor}/confirmation`, { headers, body: { code } })
    const right = codeOf(secret)
    const wrong = right.replace(/./, (digit) => String((Number(digit) + 5) % 10))
    const guesses = await Promise.all(Array.from({ length: 12 }, () => confirm(wrong)))
    const codes = guesses.map(({ status, body }) => `${status} ${body.code}`)
    assert.deepStrictEqual(codes.toSorted(), [
      ...Array.from({ length: 5 }, () => "422 SECOND_FACTOR_INCORRECT"),
      ...Array.from({ length: 7 }, () => "429 RATE_LIMITED")
    ])
  })

  it("do not count what was right", async () => {
    const { cookie: headers } = await openStudio(request, "bob")
    const begin = async () => (await request("POST", factor, { headers, body: { currentPassword: password } })).body
    const { secret } = await begin()
    const confirmed = await request("POST", `${factor}/confirmation`, { headers, body: { code: codeOf(secret) } })
    assert.strictEqual(confirmed.status, 200)
    for (const code of confirmed.body.recoveryCodes.slice(0, 6)) {
      const body = { email: "bob@studio.test", password, code }
      assert.strictEqual((await request("POST", "/users/auth/signin", { body })).status, 200)
    }
  })
})

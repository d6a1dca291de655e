import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { PasswordStrengthNode } from "../../../src/adapters/node/PasswordStrength.ts"
import { unknownStrength, wordsAbout } from "../../../src/domain/access/PasswordStrength.ts"
import { PasswordStrength } from "../../../src/ports/access/PasswordStrength.ts"
import { passwordWorker } from "../../support/Workers.ts"

const estimate = (password: string, script = passwordWorker) =>
  Effect.flatMap(PasswordStrength, (strength) =>
    strength.estimate(Redacted.make(password), wordsAbout("ada.lovelace@emberkeep.example", "Ada Lovelace"))
  ).pipe(Effect.provide(PasswordStrengthNode(script)), Effect.runPromise)

describe("the estimate of a password", () => {
  it("is that of zxcvbn, which knows the person", async () => {
    const cases: ReadonlyArray<readonly [password: string, score: number]> = [
      ["password123", 0],
      ["passwordpassword", 0],
      ["lovelace", 0],
      ["emberkeep", 0],
      ["supersecret", 1],
      ["a-long-password", 3],
      ["correct horse battery staple", 4]
    ]
    for (const [password, score] of cases) assert.strictEqual((await estimate(password)).score, score, password)
  })

  it("says what is wrong and what would help", async () => {
    assert.strictEqual(
      (await estimate("password123")).advice,
      "This is a commonly used password. Add more words that are less common."
    )
    assert.strictEqual((await estimate("correct horse battery staple")).advice, "")
  })

  it("looks at the beginning of a long one, and at several one after the other", async () => {
    const long = await Promise.all(["x".repeat(256), "1a2b!cQ".repeat(36)].map((password) => estimate(password)))
    assert.deepStrictEqual(
      long.map(({ score }) => score),
      [0, 3]
    )
  })

  it("says nothing against a password where there is no estimator", async () => {
    assert.deepStrictEqual(await estimate("password123", "/nowhere/PasswordEstimator.mjs"), unknownStrength)
  })
})

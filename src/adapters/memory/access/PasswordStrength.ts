import { Effect, Layer, Redacted } from "effect"
import { PasswordStrength } from "../../../ports/access/PasswordStrength.ts"

/** Knows one bad password. */
export const guessable = "password123"

/** Finds `guessable` easy to guess, and nothing else, without the dictionaries of an estimator. */
export const PasswordStrengthMemory = Layer.succeed(PasswordStrength, {
  estimate: (password) =>
    Effect.succeed(
      Redacted.value(password) === guessable ? { score: 0, advice: "Everybody tries it." } : { score: 4, advice: "" }
    )
})

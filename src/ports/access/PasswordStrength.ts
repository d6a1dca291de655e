import type { Effect, Redacted } from "effect"
import { Context } from "effect"
import type { PasswordEstimate } from "../../domain/access/PasswordStrength.ts"

/** Estimates how many guesses a password takes. */
export class PasswordStrength extends Context.Tag("ports/access/PasswordStrength")<
  PasswordStrength,
  {
    /**
     * The estimate for somebody who knows `about`: words that have to do with the person, of which a password should not be made.
     * Without an answer of the estimator it says nothing against the password.
     */
    readonly estimate: (password: Redacted.Redacted, about: ReadonlyArray<string>) => Effect.Effect<PasswordEstimate>
  }
>() {}

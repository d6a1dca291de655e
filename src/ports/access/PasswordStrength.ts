import type { Effect, Redacted } from "effect"
import { Context } from "effect"
import type { PasswordEstimate } from "../../domain/access/PasswordStrength.ts"

/** Estimates how many guesses a password takes. */
export class PasswordStrength extends Context.Tag("ports/access/PasswordStrength")<
  PasswordStrength,
  {
    /**
     * The estimate for a guesser who knows the words `about` (see `wordsAbout`). Where the estimator does not answer, it is
     * `unknownStrength`, which lets every password pass.
     */
    readonly estimate: (password: Redacted.Redacted, about: ReadonlyArray<string>) => Effect.Effect<PasswordEstimate>
  }
>() {}

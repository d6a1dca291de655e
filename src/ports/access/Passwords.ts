import type { Effect, Redacted } from "effect"
import { Context } from "effect"

/** Hashes and verifies passwords. */
export class Passwords extends Context.Tag("ports/access/Passwords")<
  Passwords,
  {
    /** A salted, slow hash. Its text includes its parameters, so that these may change for later hashes. */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string>
    /** Whether the password has this hash, compared in constant time; false for a malformed hash. */
    readonly verify: (password: Redacted.Redacted, hash: string) => Effect.Effect<boolean>
  }
>() {}

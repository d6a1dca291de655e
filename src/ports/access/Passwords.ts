import type { Effect, Redacted } from "effect"
import { Context } from "effect"

export class Passwords extends Context.Tag("ports/access/Passwords")<
  Passwords,
  {
    /** A salted, slow hash that carries its own parameters. */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string>
    /** Constant-time comparison; false for a malformed hash. */
    readonly verify: (password: Redacted.Redacted, hash: string) => Effect.Effect<boolean>
  }
>() {}

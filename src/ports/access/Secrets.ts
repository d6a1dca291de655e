import type { Effect, Redacted } from "effect"
import { Context } from "effect"

export class Secrets extends Context.Tag("ports/access/Secrets")<
  Secrets,
  {
    /** That many cryptographically random bytes. */
    readonly bytes: (length: number) => Effect.Effect<Uint8Array>
    /** A random UUID, version 4. */
    readonly uuid: Effect.Effect<string>
    /** SHA-256 in base64url: how a high-entropy secret is kept. */
    readonly hash: (secret: Redacted.Redacted) => string
    /** SHA-256 of a text, as 32 bytes: for ids that follow from what they name. */
    readonly fingerprint: (text: string) => Uint8Array
    /** SHA-256 of bytes in base64url, for content tags. */
    readonly digest: (bytes: Uint8Array) => string
  }
>() {}

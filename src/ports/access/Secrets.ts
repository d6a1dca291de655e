import type { Effect, Redacted } from "effect"
import { Context } from "effect"

/** Randomness and hashes. */
export class Secrets extends Context.Tag("ports/access/Secrets")<
  Secrets,
  {
    /** That many cryptographically random bytes. */
    readonly bytes: (length: number) => Effect.Effect<Uint8Array>
    /** A random UUID, version 4. */
    readonly uuid: Effect.Effect<string>
    /** SHA-256 in base64url, under which high-entropy secrets are stored. */
    readonly hash: (secret: Redacted.Redacted) => string
    /** SHA-256 of a text, 32 bytes. Ids that must be derivable from what they name are made of it. */
    readonly fingerprint: (text: string) => Uint8Array
    /** The same as 64 digits in lower case, for half of what 32 bytes cost. */
    readonly fingerprintDigits: (text: string) => string
    /** SHA-256 of bytes in base64url, for entity tags. */
    readonly digest: (bytes: Uint8Array) => string
    /** HMAC-SHA256 of a text under a key, 32 bytes. */
    readonly sign: (key: Uint8Array, text: string) => Uint8Array
  }
>() {}

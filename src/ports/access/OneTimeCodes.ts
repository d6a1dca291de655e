import type { Effect, Option } from "effect"
import { Context } from "effect"

/** One-time codes of authenticator apps (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). */
export class OneTimeCodes extends Context.Tag("ports/access/OneTimeCodes")<
  OneTimeCodes,
  {
    /** A new key of 160 random bits, in base32. */
    readonly secret: Effect.Effect<string>
    /** The address that an app reads from a picture: `otpauth://totp/…`, with the name of the server and of the account. */
    readonly address: (secret: string, server: string, account: string) => string
    /**
     * The 30 seconds since 1970 whose code it is, compared in constant time: those of `now` (epoch ms), the ones before or
     * the ones after, for clocks that go wrong. None where it is the code of none of the three.
     */
    readonly stepOf: (secret: string, code: string, now: number) => Option.Option<number>
  }
>() {}

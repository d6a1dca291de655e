import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { NewPasskey, Passkey } from "../../domain/access/Passkey.ts"

/** To whom an authenticator's answer must have been given. */
export interface ExpectedPlace {
  /** The scheme, host and port of the page. */
  readonly origin: string
  /** The domain to which passkeys are bound. */
  readonly domain: string
  /** What was to be signed, in base64url. */
  readonly challenge: string
}

/** What every answer begins with, as browsers write it. */
interface Answer {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
}

/** The answer to a registration. */
export interface MakingAnswer extends Answer {
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: ReadonlyArray<string>
  }
}

/** The answer to a sign-in. */
export interface UsingAnswer extends Answer {
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

/** What an authenticator says of a new key. */
export type MadePasskey = Pick<NewPasskey, "credentialId" | "publicKey" | "counter" | "transports">

/**
 * Checks what authenticators answer (Web Authentication, level 3: 7.1 and 7.2). An answer only holds if the authenticator has verified its
 * user, by a finger, a face or a PIN.
 */
export class Authenticators extends Context.Tag("ports/access/Authenticators")<
  Authenticators,
  {
    /**
     * The challenge (base64url) that the client data of an answer name; none where they cannot be read. It proves nothing before `made` or
     * `used` has checked the answer.
     */
    readonly challengeOf: (clientDataJson: string) => Option.Option<string>
    /** The new key that an answer to a registration holds; none where the answer fails a check. */
    readonly made: (answer: MakingAnswer, place: ExpectedPlace) => Effect.Effect<Option.Option<MadePasskey>>
    /** How many uses the authenticator has counted; none where the answer fails a check or was not made by this passkey. */
    readonly used: (answer: UsingAnswer, passkey: Passkey, place: ExpectedPlace) => Effect.Effect<Option.Option<number>>
  }
>() {}

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

/** Checks what authenticators answer (Web Authentication, level 3: 7.1 and 7.2). Whoever uses them has shown a finger, a face or a PIN. */
export class Authenticators extends Context.Tag("ports/access/Authenticators")<
  Authenticators,
  {
    /** What was to be signed, in base64url, by the client data of an answer; none where they are none. It proves nothing yet. */
    readonly challengeOf: (clientDataJson: string) => Option.Option<string>
    /** The new key of an answer to a registration; none where the answer does not hold. */
    readonly made: (answer: MakingAnswer, place: ExpectedPlace) => Effect.Effect<Option.Option<MadePasskey>>
    /** The uses that the authenticator has counted, where its answer was made by the passkey; none where it does not hold. */
    readonly used: (answer: UsingAnswer, passkey: Passkey, place: ExpectedPlace) => Effect.Effect<Option.Option<number>>
  }
>() {}

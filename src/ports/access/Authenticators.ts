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

/** What an authenticator says of a new key. */
export type MadePasskey = Pick<NewPasskey, "credentialId" | "publicKey" | "counter" | "transports">

/** Checks what authenticators answer (Web Authentication, level 3: 7.1 and 7.2). Whoever uses them has shown a finger, a face or a PIN. */
export class Authenticators extends Context.Tag("ports/access/Authenticators")<
  Authenticators,
  {
    /** What was to be signed, in base64url, by the client data of an answer; none where they are none. It proves nothing yet. */
    readonly challengeOf: (clientDataJson: string) => Option.Option<string>
    /** The new key of an answer to a registration; none where the answer does not hold. `response` is its JSON as browsers make it. */
    readonly made: (response: unknown, place: ExpectedPlace) => Effect.Effect<Option.Option<MadePasskey>>
    /** The uses that the authenticator has counted, where its answer was made by the passkey; none where it does not hold. */
    readonly used: (response: unknown, passkey: Passkey, place: ExpectedPlace) => Effect.Effect<Option.Option<number>>
  }
>() {}

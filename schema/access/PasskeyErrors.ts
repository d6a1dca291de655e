import { Failure } from "../Failure.ts"

export class PasskeyRefused extends Failure<PasskeyRefused>()(
  "PASSKEY_REFUSED",
  401,
  "No account has the passkey, or what the authenticator answered does not hold, is too old, or was used."
) {}
export class PasskeyNotFound extends Failure<PasskeyNotFound>()(
  "PASSKEY_NOT_FOUND",
  404,
  "The caller has no passkey of the id."
) {}
export class PasskeyKnown extends Failure<PasskeyKnown>()(
  "PASSKEY_KNOWN",
  409,
  "An account has this passkey already."
) {}
export class PasskeysExhausted extends Failure<PasskeysExhausted>()(
  "PASSKEYS_EXHAUSTED",
  409,
  "The account has as many passkeys as it may have."
) {}
export class PasskeysUnavailable extends Failure<PasskeysUnavailable>()(
  "PASSKEYS_UNAVAILABLE",
  409,
  "The address of the server is none to which browsers bind passkeys: see --public-url."
) {}

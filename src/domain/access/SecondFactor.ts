import type { DateTime } from "effect"
import type { UserId } from "../Ids.ts"

/** The app of a person that makes one-time codes (TOTP, RFC 6238: six digits, each for 30 seconds). */
export interface Authenticator {
  readonly userId: UserId
  /** The key that the server shares with the app, in base32. It has to be known to check a code, so it is stored as it is. */
  readonly secret: string
  readonly createdAt: DateTime.Utc
  /** Since when a sign-in asks for a code; null until the person has shown one. */
  readonly confirmedAt: DateTime.Utc | null
  /** The 30 seconds, counted from 1970, whose code was used last: neither it nor one before it is good again, see `isUnused`. 0 before the first. */
  readonly lastStep: number
}

/**
 * How many steps of 30 seconds a used one may lie ahead of the one that is shown, and still tell that this was used. It lies further ahead where the
 * clock of the server, and of the phone, was ahead, and has been set back: whoever signed in meanwhile would wait until time gets there.
 */
export const mostStepsAhead = 10

/** Whether the code of a step is good, for a person whose code of `lastStep` was used last. */
export const isUnused = (step: number, lastStep: number): boolean => lastStep < step || lastStep > step + mostStepsAhead

/** Codes that a person gets for when the app is lost. Each is good once. */
export const recoveryCodeCount = 10

/** Random bytes of a recovery code: 80 bits, too many to try even for whoever has read its hash. */
export const recoveryCodeBytes = 10

const letters = "abcdefghjkmnpqrstvwxyz0123456789"

/** A recovery code as people are given it: 16 letters and digits that are not mistaken for each other, in groups of four. */
export const recoveryCodeOf = (bytes: Uint8Array): string => {
  let [held, bits, text] = [0, 0, ""]
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += letters[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return text.match(/.{1,4}/g)?.join("-") ?? ""
}

/** What a person has typed as a code: digits of the app, a recovery code as its hash was made of, or neither. */
export type TypedCode = { readonly kind: "app" | "recovery"; readonly code: string } | { readonly kind: "neither" }

/** Reads a typed code. Blanks, dashes and capitals make no difference, nor does an `o` for a zero or an `l` or `i` for a one. */
export const readCode = (typed: string): TypedCode => {
  const plain = typed.replace(/[\s-]/g, "").toLowerCase()
  if (/^\d{6}$/.test(plain)) return { kind: "app", code: plain }
  if (!/^[a-z0-9]{16}$/.test(plain)) return { kind: "neither" }
  const code = plain.replace(/o/g, "0").replace(/[il]/g, "1")
  return { kind: "recovery", code: code.match(/.{4}/g)?.join("-") ?? "" }
}

import type { DateTime } from "effect"
import type { PasskeyId, UserId } from "../Ids.ts"

/** Ways in which browsers reach authenticators (Web Authentication, 5.8.4). */
export const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const
export type Transport = (typeof transports)[number]

/** What an authenticator has made of a person: a key in a phone, a computer, a password manager or a stick (Web Authentication, level 3). */
export interface NewPasskey {
  readonly userId: UserId
  /** By what the authenticator names the key, in base64url. No other account has it. */
  readonly credentialId: string
  /** The public half of the key, as COSE. */
  readonly publicKey: Uint8Array
  /** Uses that the authenticator has counted; 0 for ever where it counts none, as synchronised passkeys do. */
  readonly counter: number
  /** Ways to reach the authenticator. */
  readonly transports: ReadonlyArray<Transport>
  /** What the person calls it. */
  readonly name: string
  readonly createdAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc | null
}

export interface Passkey extends NewPasskey {
  readonly id: PasskeyId
}

/** What an authenticator is asked to sign once: 32 random bytes, of which only the hash is stored. */
export interface PasskeyChallenge {
  readonly hash: string
  /** Whose new passkey it is for; null for a sign-in, of whoever has the passkey. */
  readonly userId: UserId | null
  readonly expiresAt: DateTime.Utc
}

/** Passkeys that an account may have. */
export const mostPasskeys = 20

/** Minutes in which an authenticator has to answer. */
export const challengeMinutes = 5

/** Challenges that wait for an answer at most. Past them the oldest are forgotten. */
export const mostChallenges = 10_000

/**
 * The domain to which passkeys of a server at that address are bound; null where there can be none: an address of numbers has no domain, and
 * browsers use passkeys over https alone, but for `localhost`.
 */
export const passkeyDomain = (publicUrl: string): string | null => {
  const { protocol, hostname } = new URL(publicUrl)
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith("[")) return null
  const isNear = hostname === "localhost" || hostname.endsWith(".localhost")
  return protocol === "https:" || isNear ? hostname : null
}

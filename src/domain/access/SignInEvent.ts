import type { DateTime } from "effect"
import type { UserId } from "../Ids.ts"
import type { SignInPlace } from "./Browser.ts"

/**
 * What came of an attempt: signed in by password, by passkey or through a provider of identities, a wrong password, the right password with a wrong code, or
 * another password by a link.
 */
export type SignInOutcome = "signedIn" | "passkey" | "singleSignOn" | "wrongPassword" | "wrongCode" | "passwordReset"

/** An attempt to get into an account. */
export interface SignInEvent extends SignInPlace {
  readonly userId: UserId
  readonly outcome: SignInOutcome
  readonly at: DateTime.Utc
}

/** Attempts of an account that are kept: the newest. */
export const keptSignIns = 100

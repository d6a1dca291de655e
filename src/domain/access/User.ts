import type { DateTime } from "effect"
import type { UserId } from "../Ids.ts"

export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly externalReference: string
  readonly motive: string
  /** Empty where the person signs in through a provider of identities alone. */
  readonly passwordHash: string
  readonly createdAt: DateTime.Utc
  readonly deletedAt: DateTime.Utc | null
}

/** Whether the account can be entered by password. */
export const hasPassword = ({ passwordHash }: Pick<User, "passwordHash">): boolean => passwordHash !== ""

/** Who may sign up: everybody, only addresses with a pending invitation, or nobody. */
export type SignUpRule = "open" | "invited" | "off"

/** Where the operator has set no rule, sign-up is open until the first organization has its owner, then by invitation. */
export const signUpRule = (set: SignUpRule | null, hasOwner: boolean): SignUpRule =>
  set ?? (hasOwner ? "invited" : "open")

/** The form in which e-mail addresses are compared: addresses that differ only in case are one account. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/**
 * An e-mail address: something, one `@`, and a domain with a dot within. Up to that dot the domain has none but at its beginning, so that each
 * text matches in one way at most: strangers send long ones, and one that matches in many takes the square of its length.
 */
export const emailPattern = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/

/** An e-mail address to which mail can go: its domain has no dot at its beginning or end, nor two in a row (RFC 5321, 2.3.5). */
export const newEmailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/

/** Characters that nobody sees, or that turn the text around them: controls, joiners, marks of direction, soft hyphens, half a surrogate pair. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u

/**
 * Whether an address is told from others by looking at it, as far as Unicode knows: without characters that nobody sees, and in the form NFKC, which
 * has one way to write what looks the same (UAX #15). Two accounts whose addresses read alike would be taken for each other in lists of members.
 */
export const isReadableAddress = (email: string): boolean => email.normalize("NFKC") === email && !unseen.test(email)

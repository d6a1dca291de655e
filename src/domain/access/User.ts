import type { DateTime } from "effect"
import type { UserId } from "../Ids.ts"

export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly externalReference: string
  readonly motive: string
  readonly passwordHash: string
  readonly createdAt: DateTime.Utc
  readonly deletedAt: DateTime.Utc | null
}

/** The form in which e-mail addresses are compared: addresses that differ only in case are one account. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

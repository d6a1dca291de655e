import { DateTime } from "effect"
import type { UserId } from "../Ids.ts"

/** One account signed in to a browser. */
export interface BrowserAccount {
  /** Names the account within its browser. */
  readonly handle: string
  readonly userId: UserId
  readonly isActive: boolean
  readonly expiresAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc
  readonly createdAt: DateTime.Utc
}

/** A browser: all the accounts behind one session cookie. */
export interface Browser {
  readonly id: number
  readonly tokenHash: string
  readonly createdAt: DateTime.Utc
  readonly accounts: ReadonlyArray<BrowserAccount>
}

export type AccountStatus = "active" | "available" | "expired"

/** `expired` once the end has come, whatever the account was before. */
export const statusOf = (account: BrowserAccount, now: DateTime.Utc): AccountStatus =>
  DateTime.lessThanOrEqualTo(account.expiresAt, now) ? "expired" : account.isActive ? "active" : "available"

import { DateTime } from "effect"
import type { OrganizationId, UserId } from "../Ids.ts"

/** A link by which somebody gives their account another password without knowing the present one. A user has one at most. */
export interface PasswordReset {
  readonly userId: UserId
  readonly tokenHash: string
  /** The organization of whoever handed it out, and who that is; null where the operator did, or whoever asked for it by mail. */
  readonly handedOut: { readonly organizationId: OrganizationId; readonly by: UserId } | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** Hours that a link works which somebody hands out. */
export const resetHours = 24

/** Whether the link no longer works; from the instant of its end on. */
export const isOver = ({ expiresAt }: PasswordReset, now: DateTime.Utc): boolean =>
  DateTime.lessThanOrEqualTo(expiresAt, now)

/** The address of the page that takes a link's token. What follows # is sent to no server, so no log of a proxy has it. */
export const resetAddress = (publicUrl: string, token: string): string => `${publicUrl}/reset-password#${token}`

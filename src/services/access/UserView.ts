import type { BrowserAccount } from "../../domain/access/Browser.ts"
import { statusOf } from "../../domain/access/Browser.ts"
import type { User } from "../../domain/access/User.ts"
import type { UserId } from "../../domain/Ids.ts"
import type { DateTime } from "effect"

const pictureOf = (publicUrl: string, id: UserId): string => `${publicUrl}/users/${id}/picture`

/** The user record of the contract. */
export const userRecord = (user: User, publicUrl: string) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  externalReference: user.externalReference,
  createdAt: user.createdAt,
  deletedAt: user.deletedAt,
  userMetadata: { email: user.email, name: user.name, picture: pictureOf(publicUrl, user.id) }
})

/** A browser's account as the contract lists it. */
export const accountEntry = (account: BrowserAccount, user: User, publicUrl: string, now: DateTime.Utc) => ({
  handle: account.handle,
  user: {
    id: user.id,
    email: user.email,
    userMetadata: { name: user.name, picture: pictureOf(publicUrl, user.id) }
  },
  status: statusOf(account, now),
  expiresAt: account.expiresAt,
  lastUsedAt: account.lastUsedAt
})

import { DateTime, Either } from "effect"
import type { UserId } from "../Ids.ts"

/** From where somebody signed in; null: unknown, as of accounts from before it was noted. */
export interface SignInPlace {
  /** What a person calls the browser, such as "Firefox on Windows". */
  readonly browser: string | null
  /** The address on the network. */
  readonly address: string | null
}

/** Of sign-ins that nobody asked for over the network. */
export const unknownPlace: SignInPlace = { browser: null, address: null }

/** One account signed in to a browser, and the place of its last sign-in. */
export interface BrowserAccount extends SignInPlace {
  /** Identifies the account within its browser. */
  readonly handle: string
  readonly userId: UserId
  readonly isActive: boolean
  /** Whether nothing but the password was shown: no code, passkey or sign-in at a provider. */
  readonly byPasswordAlone: boolean
  readonly expiresAt: DateTime.Utc
  readonly lastUsedAt: DateTime.Utc
  readonly createdAt: DateTime.Utc
}

/** A browser, with all accounts behind its one session cookie. */
export interface Browser {
  readonly id: number
  readonly tokenHash: string
  readonly createdAt: DateTime.Utc
  readonly accounts: ReadonlyArray<BrowserAccount>
}

export type AccountStatus = "active" | "available" | "expired"

/** The account's status; `expired` from the instant of its end on. */
export const statusOf = (account: Pick<BrowserAccount, "isActive" | "expiresAt">, now: DateTime.Utc): AccountStatus =>
  DateTime.lessThanOrEqualTo(account.expiresAt, now) ? "expired" : account.isActive ? "active" : "available"

/** The order in which accounts are stored and shown: oldest first, ties by handle. */
export const inOrder = (accounts: ReadonlyArray<BrowserAccount>): ReadonlyArray<BrowserAccount> =>
  [...accounts].sort(
    (a, b) => DateTime.distance(b.createdAt, a.createdAt) || (a.handle < b.handle ? -1 : a.handle > b.handle ? 1 : 0)
  )

/** Why a change of a browser's accounts was refused. */
export type AccountRefusal = "unknown" | "expired" | "too many" | "handle taken"

const activate = (accounts: ReadonlyArray<BrowserAccount>, handle: string, now: DateTime.Utc) =>
  accounts.map((account) => ({
    ...account,
    isActive: account.handle === handle,
    lastUsedAt: account.handle === handle ? now : account.lastUsedAt
  }))

/** Records that the account of that handle was used. */
export const touch = (
  accounts: ReadonlyArray<BrowserAccount>,
  handle: string,
  now: DateTime.Utc
): ReadonlyArray<BrowserAccount> =>
  accounts.map((account) => (account.handle === handle ? { ...account, lastUsedAt: now } : account))

/**
 * Adds an account to a browser or refreshes the one its user has there, and makes it the active one.
 * Refused where another user's account in this browser holds the handle: it would be lost.
 */
export const signIn = (
  accounts: ReadonlyArray<BrowserAccount>,
  user: Pick<BrowserAccount, "userId" | "handle" | "expiresAt"> & Partial<Pick<BrowserAccount, "byPasswordAlone">>,
  maxAccounts: number,
  now: DateTime.Utc,
  { browser, address }: SignInPlace = unknownPlace
): Either.Either<ReadonlyArray<BrowserAccount>, "too many" | "handle taken"> => {
  const others = accounts.filter((account) => account.userId !== user.userId)
  if (others.some(({ handle }) => handle === user.handle)) return Either.left("handle taken")
  if (others.length >= maxAccounts) return Either.left("too many")
  const previous = accounts.find((account) => account.userId === user.userId)
  const { byPasswordAlone = true } = user
  const added = {
    ...user,
    byPasswordAlone,
    isActive: true,
    lastUsedAt: now,
    createdAt: previous?.createdAt ?? now,
    browser,
    address
  }
  return Either.right(activate([...others, added], user.handle, now))
}

/** Records that the user has shown a second factor in this browser. */
export const prove = (accounts: ReadonlyArray<BrowserAccount>, userId: UserId): ReadonlyArray<BrowserAccount> =>
  accounts.map((account) => (account.userId === userId ? { ...account, byPasswordAlone: false } : account))

/** Makes the account of that handle the active one. */
export const switchTo = (
  accounts: ReadonlyArray<BrowserAccount>,
  handle: string,
  now: DateTime.Utc
): Either.Either<ReadonlyArray<BrowserAccount>, "unknown" | "expired"> => {
  const chosen = accounts.find((account) => account.handle === handle)
  if (chosen === undefined) return Either.left("unknown")
  if (statusOf({ ...chosen, isActive: false }, now) === "expired") return Either.left("expired")
  return Either.right(activate(accounts, handle, now))
}

/** Removes an account. If it was active, the most recently used available account becomes active. */
export const remove = (
  accounts: ReadonlyArray<BrowserAccount>,
  handle: string,
  now: DateTime.Utc
): Either.Either<ReadonlyArray<BrowserAccount>, "unknown"> => {
  const removed = accounts.find((account) => account.handle === handle)
  if (removed === undefined) return Either.left("unknown")
  const rest = accounts.filter((account) => account !== removed)
  if (!removed.isActive) return Either.right(rest)
  const [next] = rest
    .filter((account) => statusOf(account, now) === "available")
    .sort((a, b) => DateTime.distance(a.lastUsedAt, b.lastUsedAt))
  return Either.right(next === undefined ? rest : activate(rest, next.handle, next.lastUsedAt))
}

/** Removes the user's account, if it is there. */
export const removeUser = (
  accounts: ReadonlyArray<BrowserAccount>,
  userId: UserId,
  now: DateTime.Utc
): ReadonlyArray<BrowserAccount> => {
  const own = accounts.find((account) => account.userId === userId)
  return own === undefined ? accounts : Either.getOrElse(remove(accounts, own.handle, now), () => accounts)
}

/** Browsers in which one user may be signed in at the same time. */
export const maxBrowsers = 100

/** The browsers in which the user has to be signed out, so that the user stays signed in to the `maxBrowsers` that were used last. */
export const beyondLimit = (browsers: ReadonlyArray<Browser>, userId: UserId): ReadonlyArray<Browser> => {
  const usedAt = ({ accounts }: Browser) =>
    accounts.find((account) => account.userId === userId)?.lastUsedAt.epochMillis ?? -Infinity
  return [...browsers].sort((a, b) => usedAt(b) - usedAt(a) || b.id - a.id).slice(maxBrowsers)
}

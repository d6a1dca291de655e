import type { Either, Redacted } from "effect"
import { DateTime, Effect, Option } from "effect"
import {
  AccountExpired,
  AccountNotFound,
  HandleTaken,
  TooManyAccounts,
  Unauthenticated
} from "../../../schema/access/AccessErrors.ts"
import type { AccountRefusal, Browser, BrowserAccount } from "../../domain/access/Browser.ts"
import { beyondLimit, prove as proveIn, removeUser, statusOf } from "../../domain/access/Browser.ts"
import type { Principal } from "../../domain/access/Principal.ts"
import type { UserId } from "../../domain/Ids.ts"
import { BrowserRepo } from "../../ports/access/BrowserRepo.ts"
import { PasskeyRepo } from "../../ports/access/PasskeyRepo.ts"
import { PasswordResetRepo } from "../../ports/access/PasswordResetRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

type Accounts = ReadonlyArray<BrowserAccount>

/** The session cookie that a request carried. */
export type Cookie = Redacted.Redacted | undefined

/** Browsers and the accounts behind their cookies: every change is read, decided and written in one transaction. */
export class Sessions extends Effect.Service<Sessions>()("services/access/Sessions", {
  effect: Effect.gen(function* () {
    const { maxAccounts } = yield* Settings
    const browsers = yield* BrowserRepo
    const passkeys = yield* PasskeyRepo
    const resets = yield* PasswordResetRepo
    const secrets = yield* Secrets
    const transaction = yield* Transaction

    const refusals = {
      unknown: new AccountNotFound({ message: "This browser has no account of that handle" }),
      expired: new AccountExpired({ message: "This account's session has ended: sign in again" }),
      "too many": new TooManyAccounts({ message: `A browser holds at most ${maxAccounts} accounts: remove one first` }),
      "handle taken": new HandleTaken({ message: "accountHandle: another account of this browser has this handle" })
    }
    const absent = new Unauthenticated({ message: "This browser has no session: sign in" })

    const find = Effect.fnUntraced(function* (cookie: Cookie) {
      return cookie === undefined ? Option.none<Browser>() : yield* browsers.findByTokenHash(secrets.hash(cookie))
    })

    const save = (browser: Browser, accounts: Accounts) =>
      accounts.length === 0 ? browsers.remove(browser.id) : browsers.update({ ...browser, accounts })

    /** Signs the user out of the browsers that `choose` picks of theirs, and answers how many they were. Run it in a transaction. */
    const endIn = Effect.fnUntraced(function* (
      userId: UserId,
      choose: (browsers: ReadonlyArray<Browser>) => ReadonlyArray<Browser>
    ) {
      const now = yield* DateTime.now
      const ended = choose(yield* browsers.listOfUser(userId))
      yield* Effect.forEach(ended, (browser) => save(browser, removeUser(browser.accounts, userId, now)))
      return ended.length
    })

    /** The accounts that remain in the browser behind the cookie. */
    const change = Effect.fnUntraced(function* <Refusal extends AccountRefusal>(
      cookie: Cookie,
      decide: (accounts: Accounts, now: DateTime.Utc) => Either.Either<Accounts, Refusal>
    ) {
      const now = yield* DateTime.now
      const changed = Effect.gen(function* () {
        const found = yield* find(cookie)
        if (Option.isNone(found)) return yield* Effect.fail(absent)
        const decided = yield* Effect.mapError(decide(found.value.accounts, now), (refusal) => refusals[refusal])
        yield* save(found.value, decided)
        return decided
      })
      return yield* transaction.run(changed)
    })

    /**
     * Adds the account to the browser that the cookie identifies, or to a new one. Either gets a new token, so that a token planted by somebody
     * else is useless. `still` runs in the transaction: it refuses whoever may not enter any more.
     */
    const enter = Effect.fnUntraced(function* <Refusal extends AccountRefusal, E = never>(
      cookie: Cookie,
      token: Redacted.Redacted,
      decide: (accounts: Accounts, now: DateTime.Utc) => Either.Either<Accounts, Refusal>,
      still: Effect.Effect<void, E> = Effect.void
    ) {
      const now = yield* DateTime.now
      const tokenHash = secrets.hash(token)
      const entered = Effect.gen(function* () {
        yield* still
        const found = yield* find(cookie)
        const known = Option.match(found, { onNone: () => [], onSome: (browser) => browser.accounts })
        const accounts = yield* Effect.mapError(decide(known, now), (refusal) => refusals[refusal])
        yield* Option.match(found, {
          onNone: () => browsers.insert({ tokenHash, createdAt: now, accounts }),
          onSome: (browser) => browsers.update({ ...browser, tokenHash, accounts })
        })
        const entering = accounts.find(({ isActive }) => isActive)
        // A user may have only so many sessions, so that ending all of them stays short.
        if (entering !== undefined) yield* endIn(entering.userId, (all) => beyondLimit(all, entering.userId))
      })
      yield* transaction.run(entered)
    })

    /** Whether the user is still signed in to the browser. */
    const isOpen = Effect.fnUntraced(function* (userId: UserId, browserId: number) {
      const now = yield* DateTime.now
      const browser = (yield* browsers.listOfUser(userId)).find(({ id }) => id === browserId)
      return (
        browser?.accounts.some((account) => account.userId === userId && statusOf(account, now) !== "expired") ?? false
      )
    })

    /** Whether the session is still open that has let the principal in; who was let in otherwise has none that could end. */
    const isLetIn = Effect.fnUntraced(function* (principal: Principal) {
      if (principal.kind !== "session" || principal.letIn === undefined) return true
      return yield* isOpen(principal.userId, principal.letIn.browserId)
    })

    /** Signs the user out of the browsers for which `isEnded` holds, and answers how many they were. Run it in a transaction. */
    const end = (userId: UserId, isEnded: (browser: Browser) => boolean) => endIn(userId, (all) => all.filter(isEnded))

    /**
     * Notes that the user has shown a second factor in the browser behind the cookie, and signs the user out wherever the password alone was shown:
     * it does not let anybody in any more. Run it in a transaction.
     */
    const prove = Effect.fnUntraced(function* (cookie: Cookie, userId: UserId) {
      const found = yield* find(cookie)
      if (Option.isSome(found)) yield* save(found.value, proveIn(found.value.accounts, userId))
      yield* end(userId, ({ accounts }) => accounts.some((each) => each.userId === userId && each.byPasswordAlone))
    })

    /**
     * Ends what lets somebody into the account beside its password: the link for a new one, passkeys and sessions. Nobody proves an address at
     * the sign-up, so whoever had the account before may have left any of them. Run it in a transaction.
     */
    const endWaysIn = Effect.fnUntraced(function* (userId: UserId) {
      yield* resets.removeOfUser(userId)
      yield* passkeys.removeOfUser(userId)
      yield* end(userId, () => true)
    })

    return { find, change, enter, isLetIn, prove, end, endWaysIn, ofUser: browsers.listOfUser } as const
  })
}) {}

import { DateTime, Duration, Effect, Either, Option, Redacted } from "effect"
import type { AccountList, SignedIn, SignIn, SignUp, SignUpPolicy } from "../../../schema/access/Accounts.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { EmailTaken, SignUpClosed } from "../../../schema/access/AccessErrors.ts"
import type { UserRecord } from "../../../schema/access/Users.ts"
import type { BrowserAccount, SignInPlace } from "../../domain/access/Browser.ts"
import * as Browser from "../../domain/access/Browser.ts"
import { userOf } from "../../domain/access/Principal.ts"
import * as Token from "../../domain/access/Token.ts"
import { guessedAccount, guessedFrom, guessingAddress } from "../../domain/access/RateLimit.ts"
import type { User } from "../../domain/access/User.ts"
import { emailKey, hasPassword, signUpRule } from "../../domain/access/User.ts"
import { UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { SignInLog } from "../../ports/access/SignInLog.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { NewPasswords } from "./passwords/NewPasswords.ts"
import { OrganizationView } from "./OrganizationView.ts"
import { onlyThroughProvider, PasswordCheck, wrong } from "./passwords/PasswordCheck.ts"
import { SecondFactorCheck } from "./SecondFactorCheck.ts"
import { passwordsOff, ServerOwners } from "./ServerOwners.ts"
import type { Cookie } from "./Sessions.ts"
import { Sessions } from "./Sessions.ts"
import { OrganizationSetup } from "./OrganizationSetup.ts"
import { accountEntry, userRecord } from "./UserView.ts"

/** Who signs in: the browser's cookie and the address it comes from. */
export interface Visitor {
  readonly cookie: Cookie
  readonly address: string
  readonly browser: string | null
}

/** A failed sign-in is noted so long after its answer: otherwise the time of the write would tell whether the address has an account. */
const notedAfter = Duration.seconds(1)

/** Sign-up, sign-in, and the accounts of one browser. */
export class Accounts extends Effect.Service<Accounts>()("services/access/Accounts", {
  scoped: Effect.gen(function* () {
    const scope = yield* Effect.scope
    const settings = yield* Settings
    const organizations = yield* OrganizationRepo
    const owners = yield* ServerOwners
    const passwords = yield* NewPasswords
    const check = yield* PasswordCheck
    const factors = yield* SecondFactorCheck
    const log = yield* SignInLog
    const secrets = yield* Secrets
    const sessions = yield* Sessions
    const studios = yield* OrganizationSetup
    const users = yield* UserRepo
    const view = yield* OrganizationView
    const lifetime = Duration.days(settings.sessionDays)

    const randomText = Effect.map(secrets.bytes(64), Token.randomText)

    const entryOf = Effect.fnUntraced(function* (account: BrowserAccount, now: DateTime.Utc) {
      const user = yield* users.find(account.userId)
      return Option.map(user, (found) => accountEntry(account, found, settings.publicUrl, now))
    })

    const listOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<BrowserAccount>) {
      const now = yield* DateTime.now
      const entries = yield* Effect.forEach(accounts, (account) => entryOf(account, now))
      return { accounts: entries.flatMap(Option.toArray), maxAccounts: settings.maxAccounts } satisfies AccountList
    })

    const ruleNow = Effect.map(organizations.exists, (hasOwner) => signUpRule(settings.signUp, hasOwner))
    const signUpPolicy = Effect.map(Effect.all([ruleNow, users.exists]), ([rule, hasAccount]): SignUpPolicy => ({
      signUp: owners.isWithoutPasswords ? "off" : rule,
      isNew: !hasAccount
    }))

    const demandOpen = Effect.fnUntraced(function* (email: string) {
      const rule = yield* ruleNow
      if (rule === "open") return
      if (rule === "invited" && (yield* organizations.isInvited(email, yield* DateTime.now))) return
      const message =
        rule === "off"
          ? "Nobody can sign up on this server: its operator creates accounts with create-admin"
          : "Only invited people can sign up on this server: ask a member of your organization for an invitation"
      return yield* Effect.fail(new SignUpClosed({ message }))
    })

    const signUp = Effect.fnUntraced(function* ({ password, ...request }: SignUp) {
      if (owners.isWithoutPasswords) return yield* Effect.fail(onlyThroughProvider)
      yield* demandOpen(request.email)
      yield* owners.demandNoOwner(request.email)
      const user: User = {
        ...request,
        id: UserId.make(yield* secrets.uuid),
        externalReference: `usr_${yield* randomText}`,
        passwordHash: yield* passwords.hash("password", password, request),
        createdAt: yield* DateTime.now,
        deletedAt: null
      }
      const inserted = yield* users.insert(user)
      if (Option.isNone(inserted)) {
        return yield* Effect.fail(new EmailTaken({ message: "An account with this e-mail address already exists" }))
      }
      return userRecord(inserted.value, settings.publicUrl) satisfies UserRecord
    })

    /** What every sign-in by password is refused with, so that nobody learns which addresses have an account, or own the server. */
    const refusal = owners.isWithoutPasswords ? passwordsOff : wrong

    /** Counts failures separately for a browser with a session of the account, so that a stranger's guesses do not lock its owner out. */
    const guesserOf = Effect.fnUntraced(function* (email: string, user: User | undefined, cookie: Cookie) {
      const browser = yield* sessions.find(cookie)
      const known = Option.filter(browser, ({ accounts }) => accounts.some(({ userId }) => userId === user?.id))
      return Option.match(known, {
        onNone: () => guessedAccount(emailKey(email)),
        onSome: ({ id }) => guessedFrom(emailKey(email), id)
      })
    })

    const authenticate = Effect.fnUntraced(function* (
      { email, password, code }: SignIn,
      { cookie, ...place }: Visitor
    ) {
      const found = yield* users.findByEmail(email)
      const mayEnter = ({ deletedAt }: User) => deletedAt === null && owners.hasOwnWays(email)
      const user = Option.getOrUndefined(Option.filter(found, mayEnter))
      const guesser = yield* guesserOf(email, user, cookie)
      const isRight = yield* check.verify(
        Redacted.make(password),
        user !== undefined && hasPassword(user) ? user.passwordHash : undefined,
        guesser,
        guessingAddress(place.address)
      )
      if (user === undefined) return yield* Effect.fail(refusal)
      const attempt = { ...place, userId: user.id, at: yield* DateTime.now }
      if (!isRight) {
        yield* Effect.forkIn(Effect.delay(log.append({ ...attempt, outcome: "wrongPassword" }), notedAfter), scope)
        return yield* Effect.fail(refusal)
      }
      const isProven = yield* Effect.tapErrorTag(factors.demandAtSignIn(user.id, code), "SecondFactorIncorrect", () =>
        log.append({ ...attempt, outcome: "wrongCode" })
      )
      return { user, isProven, attempt }
    })

    /**
     * Refuses whose password has been changed, whose account closed, or whose second factor confirmed, since the password was compared: that takes
     * long, and sign-ins wait for it.
     */
    const demandSame = Effect.fnUntraced(function* (compared: User, isProven: boolean) {
      const isSame = (present: User) => present.deletedAt === null && present.passwordHash === compared.passwordHash
      if (!Option.exists(yield* users.find(compared.id), isSame)) return yield* Effect.fail(refusal)
      if (!isProven) yield* factors.demandAtSignIn(compared.id, undefined)
    })

    /** A session of somebody who has shown who they are: what the browser's cookie is to carry. Asks for no password: its callers do. */
    const enter = Effect.fnUntraced(function* <E = never>(
      userId: UserId,
      accountHandle: string | undefined,
      cookie: Cookie,
      { byPasswordAlone, ...place }: { readonly byPasswordAlone: boolean } & SignInPlace,
      still: Effect.Effect<void, E> = Effect.void
    ) {
      const token = Redacted.make(yield* randomText)
      const generated = yield* randomText
      const decide = (accounts: ReadonlyArray<BrowserAccount>, now: DateTime.Utc) => {
        const previous = accounts.find((account) => account.userId === userId)?.handle
        const handle = accountHandle ?? previous ?? generated
        const entering = { userId, handle, expiresAt: DateTime.addDuration(now, lifetime), byPasswordAlone }
        return Browser.signIn(accounts, entering, settings.maxAccounts, now, place)
      }
      yield* sessions.enter(cookie, token, decide, still)
      return { token, lifetime }
    })

    /** Lets somebody in who has shown who they are: the user with their organizations, and the session that the browser's cookie is to carry. */
    const welcome = Effect.fnUntraced(function* <E = never>(
      user: User,
      accountHandle: string | undefined,
      { cookie, browser, address }: Visitor,
      byPasswordAlone: boolean,
      still: Effect.Effect<void, E> = Effect.void
    ) {
      const session = yield* enter(user.id, accountHandle, cookie, { byPasswordAlone, browser, address }, still)
      if (settings.defaultOrganization) yield* studios.welcome(user)
      const memberships = yield* organizations.listOfUser(user.id)
      const told = yield* view.ofAll(memberships)
      const signedIn = {
        user: userRecord(user, settings.publicUrl),
        // Where the password is not enough, it shows no project either.
        organizations: told.map((each) =>
          byPasswordAlone && each.requiresSecondFactor ? { ...each, applications: [] } : each
        )
      } satisfies SignedIn
      return { signedIn, session }
    })

    const signIn = Effect.fnUntraced(function* (request: SignIn, visitor: Visitor) {
      const { user, isProven, attempt } = yield* authenticate(request, visitor)
      const entering = Effect.zipRight(demandSame(user, isProven), log.append({ ...attempt, outcome: "signedIn" }))
      return yield* Effect.tapError(
        welcome(user, request.accountHandle, visitor, !isProven, entering),
        // The transaction has taken its entry back. Who is asked for a code has not come to an end.
        ({ _tag }) =>
          _tag === "SecondFactorRequired"
            ? Effect.void
            : log.append({ ...attempt, outcome: _tag === refusal._tag ? "wrongPassword" : "signedIn" })
      )
    })

    const list = Effect.fnUntraced(function* (cookie: Cookie) {
      const browser = yield* sessions.find(cookie)
      return yield* listOf(Option.match(browser, { onNone: () => [], onSome: ({ accounts }) => accounts }))
    })

    const switchTo = Effect.fnUntraced(function* (cookie: Cookie, handle: string) {
      return yield* listOf(yield* sessions.change(cookie, (accounts, now) => Browser.switchTo(accounts, handle, now)))
    })

    const remove = Effect.fnUntraced(function* (cookie: Cookie, handle: string) {
      return yield* listOf(yield* sessions.change(cookie, (accounts, now) => Browser.remove(accounts, handle, now)))
    })

    /** Ends the caller's session; the accounts that remain in the browser. */
    const signOut = Effect.fnUntraced(function* (cookie: Cookie) {
      const caller = userOf(yield* Principal)
      const accounts = yield* sessions.change(cookie, (all, now) =>
        Either.right(caller === null ? all : Browser.removeUser(all, caller.id, now))
      )
      return { accounts }
    })

    const { trustProxy, publicUrl } = settings
    const isSecure = publicUrl.startsWith("https:")
    return {
      signUp,
      signUpPolicy,
      demandOpen,
      welcome,
      signIn,
      enter,
      signOut,
      list,
      switchTo,
      remove,
      trustProxy,
      isSecure
    } as const
  })
}) {}

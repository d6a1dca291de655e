import { DateTime, Effect, Option } from "effect"
import { SessionNotFound, UserNotFound } from "../../../schema/access/AccessErrors.ts"
import type {
  CallerRecord,
  ChangePassword,
  SessionRecord,
  SignInRecord,
  UpdateUser,
  UserRecord
} from "../../../schema/access/Users.ts"
import type { Browser } from "../../domain/access/Browser.ts"
import { statusOf } from "../../domain/access/Browser.ts"
import { draw } from "../../domain/access/Identicon.ts"
import type { User } from "../../domain/access/User.ts"
import type { UserId } from "../../domain/Ids.ts"
import { PasswordResetRepo } from "../../ports/access/PasswordResetRepo.ts"
import { SignInLog } from "../../ports/access/SignInLog.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { NewPasswords } from "./passwords/NewPasswords.ts"
import { OwnAccount } from "./OwnAccount.ts"
import { ServerOwners } from "./ServerOwners.ts"
import type { Cookie } from "./Sessions.ts"
import { Sessions } from "./Sessions.ts"
import { userRecord } from "./UserView.ts"

const sessionsIn = (browser: Browser, userId: UserId, current: Option.Option<Browser>, now: DateTime.Utc) =>
  browser.accounts
    .filter((account) => account.userId === userId)
    .map(({ handle, createdAt, lastUsedAt, expiresAt, browser: name, address, ...account }) => ({
      id: browser.id,
      handle,
      status: statusOf({ ...account, expiresAt }, now),
      isCurrent: Option.exists(current, ({ id }) => id === browser.id),
      createdAt,
      lastUsedAt,
      expiresAt,
      browser: name,
      address
    }))

/** The caller's own record, password and sessions. */
export class Users extends Effect.Service<Users>()("services/access/Users", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const { caller, withPassword, incorrect } = yield* OwnAccount
    const passwords = yield* NewPasswords
    const log = yield* SignInLog
    const resets = yield* PasswordResetRepo
    const sessions = yield* Sessions
    const transaction = yield* Transaction
    const users = yield* UserRepo
    const owners = yield* ServerOwners

    const me = Effect.fnUntraced(function* () {
      const user = yield* caller
      return { ...userRecord(user, publicUrl), ownsServer: owners.isOwner(user.email) } satisfies CallerRecord
    })

    const updateMe = Effect.fnUntraced(function* ({ name }: UpdateUser) {
      const rename = Effect.flatMap(caller, (user) => users.update({ ...user, name: name ?? user.name }))
      return userRecord(yield* transaction.run(rename), publicUrl) satisfies UserRecord
    })

    const endOthers = Effect.fnUntraced(function* (userId: UserId, cookie: Cookie) {
      const current = yield* sessions.find(cookie)
      yield* sessions.end(userId, ({ id }) => !Option.exists(current, (browser) => browser.id === id))
    })

    /** Replaces the password, unless it has changed since it was checked. */
    const replacePassword = Effect.fnUntraced(function* (checked: User, passwordHash: string, cookie: Cookie) {
      const user = yield* caller
      if (user.passwordHash !== checked.passwordHash) return yield* Effect.fail(incorrect)
      yield* users.update({ ...user, passwordHash })
      yield* resets.removeOfUser(user.id)
      yield* endOthers(user.id, cookie)
    })

    const changePassword = Effect.fnUntraced(function* (request: ChangePassword, cookie: Cookie) {
      const user = yield* withPassword(request.currentPassword, cookie)
      const passwordHash = yield* passwords.hash("newPassword", request.newPassword, user)
      yield* transaction.run(replacePassword(user, passwordHash, cookie))
    })

    const listSessions = Effect.fnUntraced(function* (cookie: Cookie) {
      const { id } = yield* caller
      const now = yield* DateTime.now
      const current = yield* sessions.find(cookie)
      const browsers = yield* sessions.ofUser(id)
      return browsers.flatMap((browser) => sessionsIn(browser, id, current, now)) satisfies ReadonlyArray<SessionRecord>
    })

    const signIns = Effect.fnUntraced(function* () {
      const { id } = yield* caller
      const all = yield* log.listOfUser(id)
      return all.map(({ userId: _, ...each }) => each) satisfies ReadonlyArray<SignInRecord>
    })

    const endOtherSessions = Effect.fnUntraced(function* (cookie: Cookie) {
      const { id } = yield* caller
      yield* transaction.run(endOthers(id, cookie))
    })

    const endSession = Effect.fnUntraced(function* (sessionId: number) {
      const { id } = yield* caller
      const ended = yield* transaction.run(sessions.end(id, (browser) => browser.id === sessionId))
      if (ended === 0) {
        return yield* Effect.fail(new SessionNotFound({ message: `You have no session ${sessionId}` }))
      }
    })

    const picture = Effect.fnUntraced(function* (id: UserId) {
      if (Option.isSome(yield* users.find(id))) return draw(id)
      return yield* Effect.fail(new UserNotFound({ message: `User ${id} does not exist` }))
    })

    return {
      me,
      updateMe,
      changePassword,
      sessions: listSessions,
      signIns,
      endOtherSessions,
      endSession,
      picture
    } as const
  })
}) {}

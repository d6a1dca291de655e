import { DateTime, Effect, Either, Option, Redacted } from "effect"
import { Unauthenticated } from "../../../schema/access/AccessErrors.ts"
import { type ApiKey, isUsable, presentedWith, useRecordedEvery } from "../../domain/access/ApiKey.ts"
import { type Browser, type BrowserAccount, statusOf, touch } from "../../domain/access/Browser.ts"
import type { Principal } from "../../domain/access/Principal.ts"
import type { Requester } from "../../domain/analytics/question/Execution.ts"
import { system } from "../../domain/access/Principal.ts"
import * as Token from "../../domain/access/Token.ts"
import type { UserId } from "../../domain/Ids.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import type { Cookie } from "./Sessions.ts"
import { Sessions } from "./Sessions.ts"

const written = "a key or token is sent as the header Authorization: Bearer KEY, without quotes"

/** Every credential that does not work gets the same refusal, which tells nobody why. */
const unknown = Effect.fail(
  new Unauthenticated({ message: `The credential is unknown, expired or deactivated; ${written}` })
)

/** The refusal of a request that shows no credential where one is needed. */
export const missingCredential = new Unauthenticated({
  message: `No credential came: no header Authorization and no session; ${written}`
})
const missing = Effect.fail(missingCredential)

const isDue = (last: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  last === null || DateTime.distance(last, now) >= useRecordedEvery

/** A presented key or cookie becomes a principal. */
export class Credentials extends Effect.Service<Credentials>()("services/access/Credentials", {
  effect: Effect.gen(function* () {
    const keys = yield* CredentialRepo
    const users = yield* UserRepo
    const secrets = yield* Secrets
    const sessions = yield* Sessions
    /** By name, when the last use of a key or session was noted, or tried to be. */
    const tried = new LruCache<DateTime.Utc>(1 * mebibyte, () => 8)

    /**
     * Notes the last use of a key, token or session, at most once a minute. A write that fails, as on a full disk, refuses
     * nobody: the next attempt is a minute later.
     */
    const note = <E>(name: string, last: DateTime.Utc | null, now: DateTime.Utc, write: Effect.Effect<unknown, E>) => {
      if (!isDue(last, now) || !isDue(tried.get(name) ?? null, now)) return Effect.void
      tried.set(name, now)
      return Effect.catchAllCause(write, (cause) =>
        Effect.logDebug("The last use of a credential was not noted", cause)
      )
    }

    const owner = Effect.fnUntraced(function* (id: UserId) {
      const user = yield* users.find(id)
      if (Option.isNone(user) || user.value.deletedAt !== null) return yield* unknown
      return user.value
    })

    const usable = Effect.fnUntraced(function* (found: Option.Option<ApiKey>) {
      if (Option.isNone(found) || !isUsable(found.value, yield* DateTime.now)) return yield* unknown
      return found.value
    })

    /** The key as whoever holds the secret of this hash has it, while that secret works. */
    const keyOfSecret = Effect.fnUntraced(function* (secretHash: string) {
      const found = yield* keys.findBySecretHash(secretHash)
      return yield* usable(Option.map(found, (key) => presentedWith(key, secretHash)))
    })

    const fromKey = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
      if (Token.typeOf(Redacted.value(presented)) === undefined) return yield* unknown
      const key = yield* keyOfSecret(secrets.hash(presented))
      const now = yield* DateTime.now
      yield* note(`key ${key.id}`, key.lastUsedAt, now, keys.touch(key.id, now))
      if (key.type !== "personal") return { kind: key.type, key } satisfies Principal
      if (key.userId === null) return yield* unknown
      const { id, email } = yield* owner(key.userId)
      return { kind: "personal", userId: id, email, key } satisfies Principal
    })

    /** The account that a browser speaks for at present. */
    const activeIn = Effect.fnUntraced(function* (cookie: Cookie, now: DateTime.Utc) {
      const browser = yield* sessions.find(cookie)
      if (Option.isNone(browser)) return yield* unknown
      const active = browser.value.accounts.find((account) => statusOf(account, now) === "active")
      if (active === undefined) return yield* unknown
      return { browser: browser.value, active }
    })

    /** Whoever an account of a browser is of, let in at this time. */
    const letIn = Effect.fnUntraced(function* (
      { userId, byPasswordAlone }: BrowserAccount,
      browser: Browser,
      now: DateTime.Utc
    ) {
      const { id, email } = yield* owner(userId)
      const session = { browserId: browser.id, at: now.epochMillis }
      return { kind: "session", userId: id, email, byPasswordAlone, letIn: session } satisfies Principal
    })

    const fromSession = Effect.fnUntraced(function* (cookie: Redacted.Redacted) {
      const now = yield* DateTime.now
      const { browser, active } = yield* activeIn(cookie, now)
      const touched = sessions.change(cookie, (accounts) => Either.right(touch(accounts, active.handle, now)))
      yield* note(`session ${browser.id} ${active.handle}`, active.lastUsedAt, now, touched)
      return yield* letIn(active, browser, now)
    })

    /** Who asked for something earlier, as they are now. */
    const present = Effect.fnUntraced(function* (requester: Requester) {
      switch (requester.kind) {
        case "system":
          return system
        case "session": {
          const { id, email } = yield* owner(requester.userId)
          return { kind: "session", userId: id, email } satisfies Principal
        }
        case "personal": {
          const key = yield* usable(yield* keys.findPersonal(requester.userId, requester.keyId))
          const { id, email } = yield* owner(requester.userId)
          return { kind: "personal", userId: id, email, key } satisfies Principal
        }
        case "key": {
          const key = yield* usable(yield* keys.find(requester.organizationId, requester.keyId))
          return { kind: "secret", key } satisfies Principal
        }
      }
    })

    /** A person who goes on listening, as they are now. Ends with the session or the token, and notes no use of either. */
    const again = Effect.fnUntraced(function* (principal: Principal, cookie: Cookie) {
      if (principal.kind === "session") {
        const now = yield* DateTime.now
        const { active, browser } = yield* activeIn(cookie, now)
        if (active.userId !== principal.userId) return yield* unknown
        return yield* letIn(active, browser, now)
      }
      if (principal.kind !== "personal") return yield* unknown
      const key = yield* keyOfSecret(principal.key.secretHash)
      const { id, email } = yield* owner(principal.userId)
      return { kind: "personal", userId: id, email, key } satisfies Principal
    })

    /** Refuses a cookie that identifies no account. */
    const demandBrowser = Effect.fnUntraced(function* (cookie: Cookie) {
      if (Option.isNone(yield* sessions.find(cookie))) return yield* unknown
    })

    return { fromKey, fromSession, keyOfSecret, present, again, demandBrowser, missing } as const
  })
}) {}

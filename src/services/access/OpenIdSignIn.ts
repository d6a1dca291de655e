import { Clock, DateTime, Effect, Encoding, Option } from "effect"
import type { OidcPolicy } from "../../../schema/access/OpenId.ts"
import {
  OidcAccountLinked,
  OidcEmailUnverified,
  OidcNotConfigured,
  OidcRefused,
  OidcStateInvalid,
  OidcUnavailable
} from "../../../schema/access/OpenIdErrors.ts"
import { withoutPrevious } from "../../domain/access/ApiKey.ts"
import { statusOf } from "../../domain/access/Browser.ts"
import * as OpenId from "../../domain/access/OpenId.ts"
import { isSameSecret } from "../../domain/access/SecretEquality.ts"
import * as Token from "../../domain/access/Token.ts"
import type { User } from "../../domain/access/User.ts"
import { UserId } from "../../domain/Ids.ts"
import { IdentityProvider, type SentFlow } from "../../ports/access/IdentityProvider.ts"
import { IdentityRepo } from "../../ports/access/IdentityRepo.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { SecondFactorRepo } from "../../ports/access/SecondFactorRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { SignInLog } from "../../ports/access/SignInLog.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Accounts, type Visitor } from "./Accounts.ts"
import { GroupMemberships } from "./GroupMemberships.ts"
import { OrganizationSetup } from "./OrganizationSetup.ts"
import type { Cookie } from "./Sessions.ts"
import { ServerOwners } from "./ServerOwners.ts"
import { Sessions } from "./Sessions.ts"

const notConfigured = new OidcNotConfigured({
  message: "This server knows no provider to sign in through: sign in with your password"
})
const beginAgain = new OidcStateInvalid({
  message: "This sign-in did not begin in this browser, or took longer than ten minutes: begin again"
})
const unavailable = new OidcUnavailable({
  message: "The provider to sign in through does not answer as it should: try again later, or tell the operator"
})
const refused = new OidcRefused({
  message: "The provider refused the sign-in, or its answer does not hold: begin again"
})
const closed = new OidcRefused({ message: "The account of this identity was closed" })
const unverified = new OidcEmailUnverified({
  message: "The provider has not verified your e-mail address, so that no account can be found by it"
})
const linkedElsewhere = new OidcAccountLinked({
  message: "The account of your e-mail address is linked to another identity of the provider: unlink that one first"
})

/** Turns whoever signs in away. The reason is for the operator alone, and names no token. */
const turnedAway = <Refusal>(reason: string, refusal: Refusal) =>
  Effect.zipRight(Effect.logInfo(`Single sign-on was refused: ${reason}`), Effect.fail(refusal))

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Sign-in through the provider that the operator has named. Nothing is kept of one that has begun: its cookie carries it. */
export class OpenIdSignIn extends Effect.Service<OpenIdSignIn>()("services/access/OpenIdSignIn", {
  effect: Effect.gen(function* () {
    const { oidc, publicUrl, defaultOrganization } = yield* Settings
    const accounts = yield* Accounts
    const memberships = yield* GroupMemberships
    const identities = yield* IdentityRepo
    const log = yield* SignInLog
    const provider = yield* IdentityProvider
    const factors = yield* SecondFactorRepo
    const keys = yield* CredentialRepo
    const secrets = yield* Secrets
    const owners = yield* ServerOwners
    const sessions = yield* Sessions
    const studios = yield* OrganizationSetup
    const transaction = yield* Transaction
    const users = yield* UserRepo

    const policy: OidcPolicy = { name: oidc?.name ?? null, only: oidc?.only ?? false }
    const demandConfigured = oidc === null ? Effect.fail(notConfigured) : Effect.void

    const sentOf = (flow: OpenId.Flow): SentFlow => {
      const signed = (use: Parameters<typeof OpenId.signedOf>[0]) =>
        Encoding.encodeBase64Url(secrets.sign(bytesOf(flow.secret), OpenId.signedOf(use, flow)))
      const [state, nonce, verifier] = [signed("state"), signed("nonce"), signed("verifier")]
      return { redirectUri: `${publicUrl}/users/auth/oidc/callback`, state, nonce, verifier }
    }

    const notAnswering = ({ reason }: { readonly reason: string }) =>
      Effect.zipRight(Effect.logWarning(`Single sign-on: ${reason}`), Effect.fail(unavailable))

    /** Where the browser goes, and what its cookie carries meanwhile. */
    const start = Effect.fnUntraced(function* (returnTo: string | undefined) {
      yield* demandConfigured
      const secret = Encoding.encodeBase64Url(yield* secrets.bytes(32))
      const startedAt = yield* Clock.currentTimeMillis
      const flow = { secret, startedAt, returnTo: OpenId.returnPath(returnTo) }
      const location = yield* Effect.catchAll(provider.authorizationUrl(sentOf(flow)), notAnswering)
      return { location, cookie: OpenId.writtenFlow(flow) }
    })

    const claimsOf = Effect.fnUntraced(function* (answer: URLSearchParams, cookie: string | undefined) {
      const flow = cookie === undefined ? undefined : OpenId.flowIn(cookie)
      if (flow === undefined) return yield* turnedAway("the browser has no cookie of a sign-in", beginAgain)
      if (OpenId.isFlowOver(flow, yield* Clock.currentTimeMillis))
        return yield* turnedAway("it took longer than ten minutes", beginAgain)
      const sent = sentOf(flow)
      if (!isSameSecret(bytesOf(answer.get("state") ?? ""), bytesOf(sent.state)))
        return yield* turnedAway("the state is not that of the browser's sign-in", beginAgain)
      return yield* Effect.catchTags(provider.claims(answer, sent), {
        ProviderUnavailable: notAnswering,
        ProviderRefused: ({ reason }) => turnedAway(reason, refused)
      })
    })

    const isSignedIn = Effect.fnUntraced(function* (user: User, cookie: Cookie) {
      const now = yield* DateTime.now
      const browser = yield* sessions.find(cookie)
      return Option.exists(browser, ({ accounts: all }) =>
        all.some((account) => account.userId === user.id && statusOf(account, now) !== "expired")
      )
    })

    const endTokens = Effect.fnUntraced(function* (userId: UserId) {
      const deactivatedAt = yield* DateTime.now
      const working = (yield* keys.listPersonal(userId)).filter((key) => key.deactivatedAt === null)
      yield* Effect.forEach(working, (key) => keys.update({ ...key, ...withoutPrevious, deactivatedAt }))
    })

    /**
     * Hands the account of an address over to whom the provider knows by it. Nobody proves an address at the sign-up: what somebody else may
     * have left there, a password, a second factor, a passkey, a token or a session, opens it no more. Owners of the server keep their password, for the day when the provider is down.
     */
    const handOver = Effect.fnUntraced(function* (user: User, cookie: Cookie) {
      if (owners.isOwner(user.email) || (yield* isSignedIn(user, cookie))) return user
      yield* sessions.endWaysIn(user.id)
      yield* factors.remove(user.id)
      yield* endTokens(user.id)
      return yield* users.update({ ...user, passwordHash: "" })
    })

    const create = Effect.fnUntraced(function* ({ groups, ...claims }: OpenId.Claims, email: string) {
      if (!memberships.giveAny(groups))
        yield* Effect.catchAll(accounts.demandOpen(email), (isClosed) =>
          turnedAway(`${email} has no account. ${isClosed.message}`, isClosed)
        )
      const user: User = {
        id: UserId.make(yield* secrets.uuid),
        email,
        name: OpenId.nameOf(claims, email),
        motive: "",
        externalReference: `usr_${Token.randomText(yield* secrets.bytes(64))}`,
        passwordHash: "",
        createdAt: yield* DateTime.now,
        deletedAt: null
      }
      return yield* Effect.orDie(yield* users.insert(user))
    })

    const link = Effect.fnUntraced(function* (claims: OpenId.Claims, cookie: Cookie) {
      const { issuer, subject, verifiedEmail: email } = claims
      if (email === null) return yield* turnedAway(`the e-mail address of ${subject} is not verified`, unverified)
      const found = yield* users.findByEmail(email)
      const user = Option.isSome(found) ? yield* handOver(found.value, cookie) : yield* create(claims, email)
      const now = yield* DateTime.now
      const linked = yield* identities.insert({
        userId: user.id,
        issuer,
        subject,
        email,
        createdAt: now,
        lastUsedAt: now
      })
      return Option.isSome(linked) ? user : yield* turnedAway(`${email} is linked to another identity`, linkedElsewhere)
    })

    /** The account of the identity, whose memberships are what its groups say now. */
    const accountOf = Effect.fnUntraced(
      function* (claims: OpenId.Claims, cookie: Cookie) {
        const known = yield* identities.find(claims.issuer, claims.subject)
        const user = Option.isSome(known)
          ? yield* Effect.flatMap(users.find(known.value.userId), Effect.orDie)
          : yield* link(claims, cookie)
        if (user.deletedAt !== null) return yield* turnedAway(`the account of ${claims.subject} was closed`, closed)
        if (Option.isSome(known)) {
          const { id, email } = known.value
          yield* identities.noteUse(id, claims.verifiedEmail ?? email, yield* DateTime.now)
        }
        yield* memberships.follow(user, claims.groups)
        return user
      },
      (effect) => transaction.run(effect)
    )

    /** The session that the browser's cookie is to carry, and the page where the sign-in began. */
    const finish = Effect.fnUntraced(function* (
      answer: URLSearchParams,
      flowCookie: string | undefined,
      { cookie, ...place }: Visitor
    ) {
      yield* demandConfigured
      const claims = yield* claimsOf(answer, flowCookie)
      const user = yield* accountOf(claims, cookie)
      // The account keeps the handle that it has in the browser, or gets one that no other has.
      const entered = accounts.enter(user.id, undefined, cookie, { ...place, byPasswordAlone: false })
      const session = yield* Effect.catchTag(entered, "HandleTaken", Effect.die)
      yield* log.append({ ...place, userId: user.id, outcome: "singleSignOn", at: yield* DateTime.now })
      if (defaultOrganization) yield* studios.welcome(user)
      return session
    })

    /** The page where the sign-in of the cookie began. */
    const returnOf = (cookie: string | undefined): string =>
      (cookie === undefined ? undefined : OpenId.flowIn(cookie)?.returnTo) ?? "/"

    return { policy, start, finish, returnOf, pageOf: OpenId.returnPath } as const
  })
}) {}

import { DateTime, Effect, Option, type Redacted } from "effect"
import { UserNotFound } from "../../../schema/access/AccessErrors.ts"
import type { User } from "../../domain/access/User.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import { type OrganizationId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { Passwords } from "../../ports/access/Passwords.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { SecondFactorRepo } from "../../ports/access/SecondFactorRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { organizationMissing } from "../access/NotFound.ts"
import { PasswordResetLinks } from "../access/passwords/PasswordResetLinks.ts"
import { Sessions } from "../access/Sessions.ts"
import { OrganizationSetup } from "../access/OrganizationSetup.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { AuditTrail } from "./AuditTrail.ts"

/** What the log of changes of each organization tells of what was done to a member: as the endpoint that does the same. */
interface Deed {
  readonly command: "create-admin" | "reset-password" | "remove-second-factor"
  readonly kind: "passwordResets" | "secondFactors"
  readonly operation: string
}

const deeds = {
  setPassword: { command: "create-admin", kind: "passwordResets", operation: "passwordResets.setByOperator" },
  makeLink: { command: "reset-password", kind: "passwordResets", operation: "passwordResets.create" },
  removeFactor: {
    command: "remove-second-factor",
    kind: "secondFactors",
    operation: "secondFactors.removeOfMember"
  }
} as const satisfies Record<string, Deed>

const byOperator = (command: string): string => `gamekeeper ${command}, by the operator of the server`

/** What the person who runs the server does to its users, from the command line. */
export class Operators extends Effect.Service<Operators>()("services/operations/Operators", {
  effect: Effect.gen(function* () {
    const users = yield* UserRepo
    const passwords = yield* Passwords
    const secrets = yield* Secrets
    const studios = yield* OrganizationSetup
    const links = yield* PasswordResetLinks
    const sessions = yield* Sessions
    const factors = yield* SecondFactorRepo
    const organizations = yield* OrganizationRepo
    const roles = yield* RoleRepo
    const transaction = yield* Transaction
    const trail = yield* AuditTrail

    const noteIn = (email: string, { command, kind, operation }: Deed, { id, organizationId }: Membership) =>
      trail.byServer(organizationId, {
        operation,
        object: { kind, id: String(id), name: email },
        reason: byOperator(command),
        before: null,
        after: null
      })

    /** Tells each organization of the person what the operator has done to their account. Run it in the transaction of that. */
    const note = Effect.fnUntraced(function* ({ id, email }: Pick<User, "id" | "email">, deed: Deed) {
      const all = yield* organizations.listOfUser(id)
      yield* Effect.forEach(all, ({ membership }) => noteIn(email, deed, membership), { discard: true })
    })

    const create = Effect.fnUntraced(function* (email: string, name: string, passwordHash: string) {
      const id = UserId.make(yield* secrets.uuid)
      const createdAt = yield* DateTime.now
      const user: User = {
        id,
        email,
        name,
        passwordHash,
        externalReference: `usr_${id.replaceAll("-", "")}`,
        motive: "operator",
        createdAt,
        deletedAt: null
      }
      return yield* Effect.flatMap(users.insert(user), Effect.orDie)
    })

    const ensure = Effect.fnUntraced(function* (
      email: string,
      name: string,
      password: Redacted.Redacted,
      onNewPassword: (user: User) => Effect.Effect<void>
    ) {
      const passwordHash = yield* passwords.hash(password)
      return yield* transaction.run(
        Effect.gen(function* () {
          const found = yield* users.findByEmail(email)
          if (Option.isNone(found)) return { user: yield* create(email, name, passwordHash), isNew: true }
          const user = yield* users.update({ ...found.value, passwordHash })
          yield* onNewPassword(user)
          yield* note(user, deeds.setPassword)
          return { user, isNew: false }
        })
      )
    })

    /** Makes the person, or gives the one of that e-mail address a new password, which ends their sessions, links and passkeys. */
    const ensurePerson = (email: string, name: string, password: Redacted.Redacted) =>
      ensure(email, name, password, ({ id }) => sessions.endWaysIn(id))

    /** As `ensurePerson`, but who is signed in stays: the password of a demo is another one at each start. */
    const ensureVisitor = (email: string, name: string, password: Redacted.Redacted) =>
      ensure(email, name, password, () => Effect.void)

    /** Makes the person or gives them a new password, and an organization of their own where they are in none. */
    const ensureOwner = Effect.fnUntraced(function* (email: string, name: string, password: Redacted.Redacted) {
      const ensured = yield* ensurePerson(email, name, password)
      yield* studios.welcome(ensured.user)
      return ensured
    })

    const present = (email: string) =>
      Effect.map(
        users.findByEmail(email),
        Option.filter(({ deletedAt }) => deletedAt === null)
      )

    /** A link by which the person of that e-mail address chooses another password; none where nobody has the address. */
    const resetPassword = Effect.fnUntraced(function* (email: string) {
      return yield* Effect.transposeMapOption(yield* present(email), (user) =>
        transaction.run(Effect.zipLeft(links.make(user.id, null), note(user, deeds.makeLink)))
      )
    })

    /**
     * Takes away the second factor of the person of that e-mail address. Answers whether they had one, and none where nobody has the
     * address.
     */
    const removeSecondFactor = Effect.fnUntraced(function* (email: string) {
      return yield* Effect.transposeMapOption(yield* present(email), (user) =>
        transaction.run(
          Effect.tap(factors.remove(user.id), (had) => (had ? note(user, deeds.removeFactor) : Effect.void))
        )
      )
    })

    /** The membership of the person in the organization, which they enter where they are in it not yet. */
    const membershipIn = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
      const found = yield* organizations.findMemberByUser(organizationId, userId)
      if (Option.isSome(found)) return found.value
      const added = yield* organizations.addMember({ organizationId, userId, createdAt: yield* DateTime.now })
      return yield* Effect.orDie(added)
    })

    const giveOwnership = Effect.fnUntraced(function* (user: User, organizationId: OrganizationId) {
      const organization = yield* Effect.mapError(yield* organizations.find(organizationId), () =>
        organizationMissing(organizationId)
      )
      const owner = yield* studios.ownerRole(organizationId)
      const { id: membershipId } = yield* membershipIn(organizationId, user.id)
      const grants = yield* roles.grantsOf(membershipId)
      const held = grants.find(({ applicationId }) => applicationId === null)?.roleId
      if (held === owner.id) return { user, organization, isNew: false }
      const before = held === undefined ? Option.none() : yield* roles.find(organizationId, held)
      const grant = { organizationId, applicationId: null, membershipId, roleId: owner.id }
      yield* roles.putGrant({ ...grant, createdAt: yield* DateTime.now, createdBy: null })
      yield* trail.byServer(organizationId, {
        operation: "organizations.setMemberRole",
        object: { kind: "organizations", id: String(membershipId), name: user.email },
        reason: byOperator("make-owner"),
        before: Option.getOrNull(Option.map(before, ({ name }) => ({ role: name }))),
        after: { role: owner.name }
      })
      return { user, organization, isNew: true }
    })

    /**
     * Makes the person of that e-mail address an owner of the organization, as its owners could: they may be lost, or not there any more. It
     * takes no slot into account, because nobody is left who could free one. Answers whether the person was no owner before.
     */
    const makeOwner = Effect.fnUntraced(function* (email: string, organizationId: OrganizationId) {
      const nobody = new UserNotFound({
        message: `Nobody has the e-mail address ${email}: gamekeeper create-admin makes an account for it`
      })
      const user = yield* Effect.mapError(yield* present(email), () => nobody)
      return yield* transaction.run(giveOwnership(user, organizationId))
    })

    return { ensurePerson, ensureVisitor, ensureOwner, resetPassword, removeSecondFactor, makeOwner } as const
  })
}) {}

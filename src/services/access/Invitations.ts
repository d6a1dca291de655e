import { DateTime, Effect, Encoding, Option, Redacted } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import {
  AlreadyMember,
  Forbidden,
  InvitationNotFound,
  InviterLacksRights,
  SlotsExhausted
} from "../../../schema/access/AccessErrors.ts"
import type { InvitationWithToken } from "../../../schema/access/InvitationRecord.ts"
import type { CreateInvitation, InvitationPage } from "../../../schema/access/Invitations.ts"
import type { Paging } from "../../../schema/Parameters.ts"
import {
  invitationMail,
  invitationsOfOrganization,
  invitationsToAddress,
  mailsToAddress
} from "../../domain/access/AccountMail.ts"
import type { Invitation } from "../../domain/access/Organization.ts"
import { statusOfInvitation } from "../../domain/access/Organization.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { emailKey } from "../../domain/access/User.ts"
import type { InvitationId, OrganizationId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { Mailer } from "../../ports/operations/Mailer.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Delegation } from "./Delegation.ts"
import { Grants } from "./Grants.ts"
import { MemberView } from "./MemberView.ts"
import { Organizations } from "./Organizations.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { whole } from "../Whole.ts"
import { page } from "../analytics/Page.ts"
import { AuditTrail } from "../operations/AuditTrail.ts"
import { Policy } from "./Policy.ts"

const missing = Effect.fail(
  new InvitationNotFound({ message: "This invitation does not exist, was taken back, used or has expired" })
)

const senderLacksRights = new InviterLacksRights({
  message: "Whoever sent this invitation may no longer give its role: ask for another invitation"
})

type Wanted = Pick<CreateInvitation, "email" | "roleId"> & Partial<CreateInvitation>

/** Days an invitation stands open where the request names none. */
const daysValid = 7

/** Invitations of people to an organization, by e-mail address. */
export class Invitations extends Effect.Service<Invitations>()("services/access/Invitations", {
  effect: Effect.gen(function* () {
    const { memberSlots, publicUrl } = yield* Settings
    const organizations = yield* OrganizationRepo
    const mailer = yield* Mailer
    const limiter = yield* RateLimiter
    const users = yield* UserRepo
    const roles = yield* RoleRepo
    const secrets = yield* Secrets
    const trail = yield* AuditTrail
    const transaction = yield* Transaction
    const policy = yield* Policy
    const delegation = yield* Delegation
    const grants = yield* Grants
    const view = yield* MemberView
    const own = yield* Organizations

    /**
     * The invitations of the e-mail address that nobody has accepted, where the organization has a slot for it. Members and the
     * pending invitations of other addresses take a slot each.
     */
    const reserve = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string) {
      const now = yield* DateTime.now
      const sent = yield* organizations.invitations(organizationId)
      const isOfAddress = (each: Invitation) => emailKey(each.email) === emailKey(email)
      const others = sent.filter((each) => statusOfInvitation(each, now) === "pending" && !isOfAddress(each))
      const taken = (yield* organizations.members(organizationId)).length + others.length
      if (taken >= memberSlots) {
        return yield* Effect.fail(
          new SlotsExhausted({
            message: `Members and open invitations take ${taken} of the ${memberSlots} slots of this organization: remove a member or take an invitation back first`
          })
        )
      }
      return sent.filter((each) => each.acceptedAt === null && isOfAddress(each))
    })

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId, paging: typeof Paging.Type) {
      yield* policy.organization("members:read", organizationId)
      const all = yield* organizations.invitations(organizationId)
      const { items, nextCursor } = yield* page(all, ({ id }) => id, paging)
      const shown = yield* view.invitations(organizationId, items, yield* DateTime.now)
      return { items: shown, nextCursor } satisfies InvitationPage
    })

    /** The page of the dashboard on which whoever was invited accepts. */
    const pageOf = (token: string): string => `${publicUrl}/invite/${token}`

    const shownWith = Effect.fnUntraced(function* (invitation: Invitation, token: string) {
      const [record] = yield* view.invitations(invitation.organizationId, [invitation], invitation.createdAt)
      const shown = yield* Effect.orDie(Effect.fromNullable(record))
      const acceptUrl = pageOf(token)
      return { ...shown, token, acceptUrl }
    })

    /** Whether one more mail may go to the address, to which anybody can have invitations sent, and from the organization. */
    const mayMail = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string) {
      const limits = [
        [`invitations of ${organizationId} to ${emailKey(email)}`, mailsToAddress],
        [`invitations of ${organizationId}`, invitationsOfOrganization],
        [`invitation mail ${emailKey(email)}`, invitationsToAddress]
      ] as const
      // What one limit refuses counts for none of those after it: an organization that goes on inviting an address uses up nobody else's mails.
      for (const [key, limit] of limits) {
        const taken = yield* limiter.request(key, limit)
        if (Option.isSome(taken) && !taken.value.allowed) return false
      }
      return true
    })

    /** Mails the link to the page that accepts the invitation; the answer tells whether it went. */
    const mail = Effect.fnUntraced(function* (invitation: Omit<InvitationWithToken, "mail">) {
      if (!mailer.isConfigured) return "off"
      const { organizationId, email, token, invitedBy, expiresAt } = invitation
      if (!(yield* mayMail(organizationId, email))) {
        yield* Effect.logWarning(`Organization ${organizationId} sent too many invitations to be mailed within an hour`)
        return "failed"
      }
      const { name } = yield* Effect.flatMap(organizations.find(organizationId), Effect.orDie)
      const link = { organization: name, by: invitedBy?.name ?? null, acceptUrl: pageOf(token) }
      const text = invitationMail(publicUrl, { ...link, until: DateTime.formatIsoDateUtc(expiresAt) })
      return yield* mailer.send({ to: email, ...text }).pipe(
        Effect.as("sent" as const),
        Effect.catchTag("MailNotSent", ({ reason }) =>
          Effect.as(Effect.logWarning(`An invitation could not be mailed: ${reason}`), "failed" as const)
        )
      )
    })

    /** Revokes an invitation, provided that the caller may take its role from a member. */
    const withdraw = Effect.fnUntraced(function* ({ id, organizationId, roleId }: Invitation) {
      const role = yield* roles.find(organizationId, roleId)
      if (Option.isSome(role)) yield* delegation.mayTakeRole(role.value, null)
      yield* organizations.removeInvitation(id)
    })

    const insert = Effect.fnUntraced(
      function* (organizationId: OrganizationId, { email, roleId, expiresInDays = daysValid }: Wanted) {
        yield* policy.organization("members:write", organizationId)
        const role = yield* grants.roleOf(organizationId, roleId)
        yield* delegation.mayGiveRole(role, null)
        if (Option.isSome(yield* grants.personOf(organizationId, email))) {
          return yield* Effect.fail(new AlreadyMember({ message: `${email} already is a member` }))
        }
        const former = yield* reserve(organizationId, email)
        const createdAt = yield* DateTime.now
        // One that has ended gives nobody a role any more, so nobody needs the right to take that.
        const end = (each: Invitation) =>
          statusOfInvitation(each, createdAt) === "pending" ? withdraw(each) : organizations.removeInvitation(each.id)
        yield* Effect.forEach(former, end)
        const token = Encoding.encodeBase64Url(yield* secrets.bytes(32))
        const expiresAt = DateTime.add(createdAt, { days: expiresInDays })
        const invitedBy = userOf(yield* Principal)?.id ?? null
        const tokenHash = secrets.hash(Redacted.make(token))
        const invitation = { organizationId, email, roleId, tokenHash, invitedBy, createdAt, expiresAt }
        return yield* shownWith(yield* organizations.insertInvitation({ ...invitation, acceptedAt: null }), token)
      },
      (effect) => transaction.run(effect)
    )

    /** Inviting an address again replaces the invitation it still has, or that has ended. A caller who hangs up leaves it as it is, and mailed. */
    const create = (organizationId: OrganizationId, wanted: Wanted) =>
      whole(
        Effect.flatMap(insert(organizationId, wanted), (made) =>
          Effect.map(mail(made), (sent): InvitationWithToken => ({ ...made, mail: sent }))
        )
      )

    const revoke = Effect.fnUntraced(function* (organizationId: OrganizationId, id: InvitationId) {
      yield* policy.organization("members:write", organizationId)
      const found = yield* organizations.findInvitation(organizationId, id)
      if (Option.isNone(found)) return yield* missing
      yield* withdraw(found.value)
    })

    /** Refuses an invitation that its sender could not send any more: who has left, or lost what the role now allows. */
    const demandSender = Effect.fnUntraced(function* ({ organizationId, roleId, invitedBy }: Invitation) {
      const sender = invitedBy === null ? Option.none() : yield* users.find(invitedBy)
      if (Option.isNone(sender) || sender.value.deletedAt !== null) return yield* Effect.fail(senderLacksRights)
      const { id: userId, email } = sender.value
      const role = yield* Effect.orDie(yield* roles.find(organizationId, roleId))
      const mayInvite = Effect.zipRight(
        policy.organization("members:write", organizationId),
        delegation.mayGiveRole(role, null)
      )
      const bySender = Effect.provideService(mayInvite, Principal, { kind: "session", userId, email })
      yield* Effect.mapError(bySender, () => senderLacksRights)
    })

    const join = Effect.fnUntraced(function* (invitation: Invitation, userId: UserId) {
      const { organizationId, roleId, email, invitedBy } = invitation
      const createdAt = yield* DateTime.now
      const present = yield* organizations.findMemberByUser(organizationId, userId)
      const status = statusOfInvitation(invitation, createdAt)
      if (Option.isSome(present) && status !== "expired") return
      if (status !== "pending") return yield* missing
      yield* demandSender(invitation)
      yield* reserve(organizationId, email)
      const membership = yield* Effect.orDie(yield* organizations.addMember({ organizationId, userId, createdAt }))
      const grant = { organizationId, applicationId: null, membershipId: membership.id, roleId }
      yield* roles.putGrant({ ...grant, createdAt, createdBy: invitedBy })
    })

    /** Only for the address invited. Accepting again, or as a member, changes nothing. */
    const accept = Effect.fnUntraced(
      function* (token: string) {
        const user = userOf(yield* Principal)
        const found = yield* organizations.findInvitationByHash(secrets.hash(Redacted.make(token)))
        if (Option.isNone(found)) return yield* missing
        const invitation = found.value
        if (user === null || emailKey(user.email) !== emailKey(invitation.email)) {
          const message = "This invitation is for another e-mail address: sign in with the one it was sent to"
          return yield* Effect.fail(new Forbidden({ message }))
        }
        yield* trail.joined(invitation.organizationId)
        yield* join(invitation, user.id)
        const acceptedAt = invitation.acceptedAt ?? (yield* DateTime.now)
        yield* organizations.updateInvitation({ ...invitation, acceptedAt })
        const organization = yield* Effect.flatMap(organizations.find(invitation.organizationId), Effect.orDie)
        return yield* Effect.catchTag(own.ofMember(organization), "OrganizationNotFound", () => missing)
      },
      (effect) => transaction.run(effect)
    )

    return { list, create, revoke, accept } as const
  })
}) {}

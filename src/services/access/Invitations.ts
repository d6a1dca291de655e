import { DateTime, Effect, Encoding, Option, Redacted } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { AlreadyMember, Forbidden, InvitationNotFound } from "../../../schema/access/AccessErrors.ts"
import type { CreateInvitation, InvitationPage, InvitationWithToken } from "../../../schema/access/Invitations.ts"
import type { Paging } from "../../../schema/Parameters.ts"
import type { Invitation } from "../../domain/access/Organization.ts"
import { statusOfInvitation } from "../../domain/access/Organization.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { emailKey } from "../../domain/access/User.ts"
import type { InvitationId, OrganizationId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Grants } from "./Grants.ts"
import { Members } from "./Members.ts"
import { MemberView } from "./MemberView.ts"
import { Organizations } from "./Organizations.ts"
import { page } from "../analytics/Page.ts"
import { Policy } from "./Policy.ts"

const missing = Effect.fail(
  new InvitationNotFound({ message: "This invitation does not exist, was taken back, used or has expired" })
)

/** Invitations of people to an organization, by e-mail address. */
export class Invitations extends Effect.Service<Invitations>()("services/access/Invitations", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const organizations = yield* OrganizationRepo
    const users = yield* UserRepo
    const roles = yield* RoleRepo
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const policy = yield* Policy
    const grants = yield* Grants
    const members = yield* Members
    const view = yield* MemberView
    const own = yield* Organizations

    const isMember = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string) {
      const user = yield* users.findByEmail(email)
      return Option.isSome(user) && Option.isSome(yield* organizations.findMemberByUser(organizationId, user.value.id))
    })

    const list = Effect.fn("Invitations.list")(function* (organizationId: OrganizationId, paging: typeof Paging.Type) {
      yield* policy.organization("members:read", organizationId)
      const all = yield* organizations.invitations(organizationId)
      const { items, nextCursor } = yield* page(all, ({ id }) => id, paging)
      const shown = yield* view.invitations(organizationId, items, yield* DateTime.now)
      return { items: shown, nextCursor } satisfies InvitationPage
    })

    const shownWith = Effect.fnUntraced(function* (invitation: Invitation, token: string) {
      const [record] = yield* view.invitations(invitation.organizationId, [invitation], invitation.createdAt)
      const shown = yield* Effect.orDie(Effect.fromNullable(record))
      const acceptUrl = `${publicUrl}/users/invitations/${token}/accept`
      return { ...shown, token, acceptUrl } satisfies InvitationWithToken
    })

    /** Inviting an address again replaces the invitation it still has. */
    const create = Effect.fn("Invitations.create")(
      function* (organizationId: OrganizationId, { email, roleId, expiresInDays }: CreateInvitation) {
        yield* policy.organization("members:write", organizationId)
        const role = yield* grants.roleOf(organizationId, roleId)
        yield* policy.mayGiveRole(role, null)
        if (yield* isMember(organizationId, email)) {
          return yield* Effect.fail(new AlreadyMember({ message: `${email} already is a member` }))
        }
        const former = yield* members.reserve(organizationId, email)
        yield* Effect.forEach(former, ({ id }) => organizations.removeInvitation(id))
        const token = Encoding.encodeBase64Url(yield* secrets.bytes(32))
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.add(createdAt, { days: expiresInDays })
        const invitedBy = userOf(yield* Principal)?.id ?? null
        const tokenHash = secrets.hash(Redacted.make(token))
        const invitation = { organizationId, email, roleId, tokenHash, invitedBy, createdAt, expiresAt }
        return yield* shownWith(yield* organizations.insertInvitation({ ...invitation, acceptedAt: null }), token)
      },
      (effect) => transaction.run(effect)
    )

    const revoke = Effect.fn("Invitations.revoke")(function* (organizationId: OrganizationId, id: InvitationId) {
      yield* policy.organization("members:write", organizationId)
      if (Option.isNone(yield* organizations.findInvitation(organizationId, id))) return yield* missing
      yield* organizations.removeInvitation(id)
    })

    const join = Effect.fnUntraced(function* (invitation: Invitation, userId: UserId) {
      const { organizationId, roleId, email, invitedBy } = invitation
      const createdAt = yield* DateTime.now
      const present = yield* organizations.findMemberByUser(organizationId, userId)
      const status = statusOfInvitation(invitation, createdAt)
      if (Option.isSome(present) && status !== "expired") return
      if (status !== "pending") return yield* missing
      yield* members.reserve(organizationId, email)
      const membership = yield* Effect.orDie(yield* organizations.addMember({ organizationId, userId, createdAt }))
      const grant = { organizationId, applicationId: null, membershipId: membership.id, roleId }
      yield* roles.putGrant({ ...grant, createdAt, createdBy: invitedBy })
    })

    /** Only for the address invited. Accepting again, or as a member, changes nothing. */
    const accept = Effect.fn("Invitations.accept")(
      function* (token: string) {
        const user = userOf(yield* Principal)
        const found = yield* organizations.findInvitationByHash(secrets.hash(Redacted.make(token)))
        if (Option.isNone(found)) return yield* missing
        const invitation = found.value
        if (user === null || emailKey(user.email) !== emailKey(invitation.email)) {
          const message = "This invitation is for another e-mail address: sign in with the one it was sent to"
          return yield* Effect.fail(new Forbidden({ message }))
        }
        yield* join(invitation, user.id)
        const acceptedAt = invitation.acceptedAt ?? (yield* DateTime.now)
        yield* organizations.updateInvitation({ ...invitation, acceptedAt })
        return yield* own.ofMember(yield* Effect.flatMap(organizations.find(invitation.organizationId), Effect.orDie))
      },
      (effect) => transaction.run(effect)
    )

    return { list, create, revoke, accept } as const
  })
}) {}

import type { DateTime } from "effect"
import { Effect, Layer, Option } from "effect"
import type { Invitation, Membership, NewOrganization, Organization } from "../../../domain/access/Organization.ts"
import { statusOfInvitation } from "../../../domain/access/Organization.ts"
import { emailKey } from "../../../domain/access/User.ts"
import { InvitationId, MembershipId, OrganizationId } from "../../../domain/Ids.ts"
import type { Icon } from "../../../ports/access/OrganizationRepo.ts"
import { OrganizationRepo } from "../../../ports/access/OrganizationRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const ofOrganizations = ({ access, organizations, icons }: MemoryDb["Type"]) => {
  const find = (id: OrganizationId) => Option.fromNullable(organizations.rows.find((each) => each.id === id))
  return {
    exists: access(() => organizations.rows.length > 0),
    find: (id: OrganizationId) => access(() => find(id)),
    insert: (organization: NewOrganization) =>
      access(() =>
        organizations.insert({
          ...organization,
          id: OrganizationId.make(organizations.nextId()),
          requiresSecondFactor: false
        })
      ),
    update: (organization: Organization) =>
      access(() => organizations.replace(({ id }) => id === organization.id, organization)),
    icon: (id: OrganizationId) =>
      access(() => Option.fromNullable(icons.rows.find(({ organizationId }) => organizationId === id))),
    putIcon: (id: OrganizationId, icon: Icon | null) =>
      access(() => {
        icons.remove(({ organizationId }) => organizationId === id)
        if (icon !== null) icons.insert({ ...icon, organizationId: id })
      })
  }
}

const ofMembers = ({ access, memberships, grants }: MemoryDb["Type"]) => {
  const findBy = (test: (membership: Membership) => boolean) =>
    access(() => Option.fromNullable(memberships.rows.find(test)))
  const isSame = (a: Omit<Membership, "id">) => (b: Membership) =>
    a.organizationId === b.organizationId && a.userId === b.userId
  return {
    addMember: (membership: Omit<Membership, "id">) =>
      access(() =>
        memberships.rows.some(isSame(membership))
          ? Option.none()
          : Option.some(memberships.insert({ ...membership, id: MembershipId.make(memberships.nextId()) }))
      ),
    removeMember: (id: MembershipId) =>
      access(() => {
        memberships.remove((each) => each.id === id)
        grants.remove(({ membershipId }) => membershipId === id)
      }),
    findMember: (organizationId: OrganizationId, id: MembershipId) =>
      findBy((each) => each.id === id && each.organizationId === organizationId),
    findMemberByUser: (organizationId: OrganizationId, userId: Membership["userId"]) =>
      findBy((each) => each.userId === userId && each.organizationId === organizationId),
    members: (organizationId: OrganizationId) =>
      access(() => memberships.rows.filter((each) => each.organizationId === organizationId))
  }
}

const ofInvitations = ({ access, invitations }: MemoryDb["Type"]) => {
  const findBy = (test: (invitation: Invitation) => boolean) =>
    access(() => Option.fromNullable(invitations.rows.find(test)))
  return {
    insertInvitation: (invitation: Omit<Invitation, "id">) =>
      access(() => invitations.insert({ ...invitation, id: InvitationId.make(invitations.nextId()) })),
    updateInvitation: (invitation: Invitation) =>
      access(() => invitations.replace(({ id }) => id === invitation.id, invitation)),
    isInvited: (email: string, now: DateTime.Utc) =>
      access(() =>
        invitations.rows.some(
          (each) => emailKey(each.email) === emailKey(email) && statusOfInvitation(each, now) === "pending"
        )
      ),
    removeInvitation: (id: InvitationId) => access(() => invitations.remove((each) => each.id === id)),
    expireInvitations: (before: number) =>
      access(() =>
        invitations.remove(({ acceptedAt, expiresAt }) => acceptedAt === null && expiresAt.epochMillis < before)
      ),
    findInvitation: (organizationId: OrganizationId, id: InvitationId) =>
      findBy((each) => each.id === id && each.organizationId === organizationId),
    findInvitationByHash: (tokenHash: string) => findBy((each) => each.tokenHash === tokenHash),
    invitations: (organizationId: OrganizationId) =>
      access(() => invitations.rows.filter((each) => each.organizationId === organizationId))
  }
}

export const OrganizationRepoMemory = Layer.effect(
  OrganizationRepo,
  Effect.map(MemoryDb, (db) => {
    const listOfUser = (userId: Membership["userId"]) =>
      db.access(() =>
        db.memberships.rows
          .filter((membership) => membership.userId === userId)
          .flatMap((membership) =>
            db.organizations.rows
              .filter(({ id }) => id === membership.organizationId)
              .map((organization) => ({ organization, membership }))
          )
      )
    return OrganizationRepo.of({ ...ofOrganizations(db), ...ofMembers(db), ...ofInvitations(db), listOfUser })
  })
)

import { SqlClient, SqlSchema } from "@effect/sql"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { emailKey } from "../../../domain/access/User.ts"
import type { OrganizationId } from "../../../domain/Ids.ts"
import * as Ids from "../../../domain/Ids.ts"
import type { Icon } from "../../../ports/access/OrganizationRepo.ts"
import { OrganizationRepo } from "../../../ports/access/OrganizationRepo.ts"
import { dialectOf } from "../Dialect.ts"
import { Flag, Instant, tableOf } from "../Rows.ts"

const NewOrganization = Schema.Struct({
  name: Schema.String,
  color: Schema.NullOr(Schema.String),
  iconTag: Schema.NullOr(Schema.String),
  createdAt: Instant
})
const Organization = Schema.Struct({
  id: Ids.OrganizationId,
  requiresSecondFactor: Flag,
  ...NewOrganization.fields
})

const NewMembership = Schema.Struct({ organizationId: Ids.OrganizationId, userId: Ids.UserId, createdAt: Instant })
const Membership = Schema.Struct({ id: Ids.MembershipId, ...NewMembership.fields })

const NewInvitation = Schema.Struct({
  organizationId: Ids.OrganizationId,
  email: Schema.String,
  roleId: Ids.RoleId,
  tokenHash: Schema.String,
  invitedBy: Schema.NullOr(Ids.UserId),
  createdAt: Instant,
  expiresAt: Instant,
  acceptedAt: Schema.NullOr(Instant)
})
const Invitation = Schema.Struct({ id: Ids.InvitationId, ...NewInvitation.fields })

const IconRow = Schema.Struct({ contentType: Schema.String, bytes: Schema.Uint8ArrayFromSelf })

const ofIcons = Effect.map(SqlClient.SqlClient, (sql) => {
  const find = SqlSchema.findOne({
    Request: Schema.Number,
    Result: IconRow,
    execute: (id) => sql`select content_type, bytes from organization_icons where organization_id = ${id}`
  })
  return {
    icon: (id: OrganizationId) => Effect.orDie(find(id)),
    putIcon: (id: OrganizationId, icon: Icon | null) =>
      Effect.asVoid(
        Effect.orDie(
          icon === null
            ? sql`delete from organization_icons where organization_id = ${id}`
            : sql`insert into organization_icons ${sql.insert({ organizationId: id, ...icon })}
                on conflict (organization_id) do update set content_type = excluded.content_type, bytes = excluded.bytes`
        )
      )
  }
})

const ofMembers = Effect.map(tableOf("memberships", Membership, NewMembership), ({ sql, ...memberships }) => ({
  addMember: memberships.insertUnlessTaken("organizationId", "userId"),
  removeMember: (id: Ids.MembershipId) => memberships.removeWhere(sql`id = ${id}`),
  findMember: (organizationId: OrganizationId, id: Ids.MembershipId) =>
    memberships.findWhere(sql`id = ${id} and organization_id = ${organizationId}`),
  findMemberByUser: (organizationId: OrganizationId, userId: Ids.UserId) =>
    memberships.findWhere(sql`user_id = ${userId} and organization_id = ${organizationId}`),
  members: (organizationId: OrganizationId) => memberships.listWhere(sql`organization_id = ${organizationId}`),
  ofUser: (userId: Ids.UserId) => memberships.listWhere(sql`user_id = ${userId}`)
}))

const ofInvitations = Effect.map(tableOf("invitations", Invitation, NewInvitation), ({ sql, ...invitations }) => ({
  insertInvitation: invitations.insert,
  updateInvitation: invitations.update,
  removeInvitation: (id: Ids.InvitationId) => invitations.removeWhere(sql`id = ${id}`),
  expireInvitations: (before: number) =>
    invitations.removeWhere(
      sql`accepted_at is null and expires_at < ${DateTime.formatIso(DateTime.unsafeMake(before))}`
    ),
  findInvitation: (organizationId: OrganizationId, id: Ids.InvitationId) =>
    invitations.findWhere(sql`id = ${id} and organization_id = ${organizationId}`),
  findInvitationByHash: (hash: string) => invitations.findWhere(sql`token_hash = ${hash}`),
  // `lower` knows ASCII alone, in PostgreSQL under this collation: addresses with other characters are compared here.
  isInvited: (email: string, now: DateTime.Utc) => {
    const { named } = dialectOf(sql)
    const sameAddress = sql`(lower(trim(email)) = ${emailKey(email)} or ${named("email glob '*[^ -~]*'", "email ~ '[^ -~]'")})`
    const pending = sql`accepted_at is null and expires_at > ${DateTime.formatIso(now)}`
    return Effect.map(invitations.listWhere(sql`${pending} and ${sameAddress}`), (found) =>
      found.some((each) => emailKey(each.email) === emailKey(email))
    )
  },
  invitations: (organizationId: OrganizationId) => invitations.listWhere(sql`organization_id = ${organizationId}`)
}))

export const OrganizationRepoSql = Layer.effect(
  OrganizationRepo,
  Effect.gen(function* () {
    const { sql, ...organizations } = yield* tableOf("organizations", Organization, NewOrganization)
    const { ofUser, ...members } = yield* ofMembers
    const find = (id: OrganizationId) => organizations.findWhere(sql`id = ${id}`)
    return OrganizationRepo.of({
      ...members,
      ...(yield* ofInvitations),
      ...(yield* ofIcons),
      insert: organizations.insert,
      update: organizations.update,
      exists: Effect.map(organizations.findWhere(sql`true limit 1`), Option.isSome),
      find: find,
      listOfUser: Effect.fnUntraced(function* (userId) {
        const found = yield* organizations.listWhere(
          sql`id in (select organization_id from memberships where user_id = ${userId})`
        )
        const byId = new Map(found.map((organization) => [organization.id, organization]))
        return (yield* ofUser(userId)).flatMap((membership) => {
          const organization = byId.get(membership.organizationId)
          return organization === undefined ? [] : [{ organization, membership }]
        })
      })
    })
  })
)

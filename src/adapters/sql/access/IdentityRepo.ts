import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import * as Ids from "../../../domain/Ids.ts"
import { IdentityRepo } from "../../../ports/access/IdentityRepo.ts"
import { Instant } from "../Rows.ts"

const NewIdentity = Schema.Struct({
  userId: Ids.UserId,
  issuer: Schema.String,
  subject: Schema.String,
  email: Schema.String,
  createdAt: Instant,
  lastUsedAt: Instant
})
const Identity = Schema.Struct({ id: Ids.IdentityId, ...NewIdentity.fields })

const Subject = Schema.Struct({ issuer: Schema.String, subject: Schema.String })
const Owned = Schema.Struct({ id: Ids.IdentityId, userId: Ids.UserId })
const Use = Schema.Struct({ id: Ids.IdentityId, email: Schema.String, at: Instant })

const Membership = Schema.Struct({
  id: Ids.MembershipId,
  organizationId: Ids.OrganizationId,
  userId: Ids.UserId,
  createdAt: Instant
})

const ofIdentities = Effect.map(SqlClient.SqlClient, (sql) => {
  const insert = SqlSchema.findOne({
    Request: NewIdentity,
    Result: Identity,
    execute: (row) => sql`insert into identities ${sql.insert(row)} on conflict do nothing returning *`
  })
  const find = SqlSchema.findOne({
    Request: Subject,
    Result: Identity,
    execute: ({ issuer, subject }) => sql`select * from identities where issuer = ${issuer} and subject = ${subject}`
  })
  const noteUse = SqlSchema.void({
    Request: Use,
    execute: ({ id, email, at }) => sql`update identities set email = ${email}, last_used_at = ${at} where id = ${id}`
  })
  const listOfUser = SqlSchema.findAll({
    Request: Ids.UserId,
    Result: Identity,
    execute: (userId) => sql`select * from identities where user_id = ${userId} order by id`
  })
  const remove = SqlSchema.findOne({
    Request: Owned,
    Result: Identity,
    execute: ({ id, userId }) => sql`delete from identities where id = ${id} and user_id = ${userId} returning *`
  })
  return { insert, find, noteUse, listOfUser, remove }
})

const ofMemberships = Effect.map(SqlClient.SqlClient, (sql) => {
  const markGiven = SqlSchema.void({
    Request: Ids.MembershipId,
    execute: (id) => sql`insert into given_memberships ${sql.insert({ membershipId: id })} on conflict do nothing`
  })
  const givenTo = SqlSchema.findAll({
    Request: Ids.UserId,
    Result: Membership,
    execute: (userId) => sql`
      select m.* from memberships m join given_memberships g on g.membership_id = m.id
      where m.user_id = ${userId} order by m.id`
  })
  return { markGiven, givenTo }
})

export const IdentityRepoSql = Layer.effect(
  IdentityRepo,
  Effect.map(Effect.all([ofIdentities, ofMemberships]), ([identities, memberships]) =>
    IdentityRepo.of({
      insert: (identity) => Effect.orDie(identities.insert(identity)),
      find: (issuer, subject) => Effect.orDie(identities.find({ issuer, subject })),
      noteUse: (id, email, at) => Effect.orDie(identities.noteUse({ id, email, at })),
      listOfUser: (userId) => Effect.orDie(identities.listOfUser(userId)),
      remove: (userId, id) => Effect.orDie(identities.remove({ id, userId })),
      markGiven: (id) => Effect.orDie(memberships.markGiven(id)),
      givenTo: (userId) => Effect.orDie(memberships.givenTo(userId))
    })
  )
)

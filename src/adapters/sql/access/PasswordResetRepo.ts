import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import type { PasswordReset } from "../../../domain/access/PasswordReset.ts"
import { OrganizationId, UserId } from "../../../domain/Ids.ts"
import { PasswordResetRepo } from "../../../ports/access/PasswordResetRepo.ts"
import { Instant } from "../Rows.ts"

const Row = Schema.Struct({
  userId: UserId,
  tokenHash: Schema.String,
  organizationId: Schema.NullOr(OrganizationId),
  handedOutBy: Schema.NullOr(UserId),
  createdAt: Instant,
  expiresAt: Instant
})

const resetOf = ({ organizationId, handedOutBy, ...row }: typeof Row.Type): PasswordReset => ({
  ...row,
  handedOut: organizationId === null || handedOutBy === null ? null : { organizationId, by: handedOutBy }
})

const rowOf = ({ handedOut, ...reset }: PasswordReset): typeof Row.Type => ({
  ...reset,
  organizationId: handedOut?.organizationId ?? null,
  handedOutBy: handedOut?.by ?? null
})

export const PasswordResetRepoSql = Layer.effect(
  PasswordResetRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = SqlSchema.void({
      Request: Row,
      execute: (row) => sql`insert into password_resets ${sql.insert(row)}`
    })
    const find = SqlSchema.findOne({
      Request: Schema.String,
      Result: Row,
      execute: (hash) => sql`select * from password_resets where token_hash = ${hash}`
    })
    const take = SqlSchema.findOne({
      Request: Schema.String,
      Result: Row,
      execute: (hash) => sql`delete from password_resets where token_hash = ${hash} returning *`
    })
    const removeOfUser = (userId: UserId) => sql`delete from password_resets where user_id = ${userId}`
    return PasswordResetRepo.of({
      put: (reset) =>
        Effect.orDie(sql.withTransaction(Effect.zipRight(removeOfUser(reset.userId), insert(rowOf(reset))))),
      findByTokenHash: (hash) => Effect.map(Effect.orDie(find(hash)), Option.map(resetOf)),
      take: (hash) => Effect.map(Effect.orDie(take(hash)), Option.map(resetOf)),
      removeOfUser: (userId) => Effect.asVoid(Effect.orDie(removeOfUser(userId)))
    })
  })
)

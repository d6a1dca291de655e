import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { mostStepsAhead } from "../../../domain/access/SecondFactor.ts"
import { UserId } from "../../../domain/Ids.ts"
import { SecondFactorRepo } from "../../../ports/access/SecondFactorRepo.ts"
import { Instant } from "../Rows.ts"

const Row = Schema.Struct({
  userId: UserId,
  secret: Schema.String,
  createdAt: Instant,
  confirmedAt: Schema.NullOr(Instant),
  lastStep: Schema.Number
})

const Confirmation = Schema.Struct({ userId: UserId, confirmedAt: Instant })

export const SecondFactorRepoSql = Layer.effect(
  SecondFactorRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const find = SqlSchema.findOne({
      Request: UserId,
      Result: Row,
      execute: (userId) => sql`select * from authenticators where user_id = ${userId}`
    })
    const removeAuthenticator = (userId: UserId) =>
      Effect.map(sql`delete from authenticators where user_id = ${userId} returning user_id`, (rows) => rows.length > 0)
    const insert = SqlSchema.void({
      Request: Row,
      execute: (row) => sql`insert into authenticators ${sql.insert(row)}`
    })
    const confirm = SqlSchema.void({
      Request: Confirmation,
      execute: ({ userId, confirmedAt }) =>
        sql`update authenticators set confirmed_at = ${confirmedAt} where user_id = ${userId}`
    })
    const removeCodes = (userId: UserId) => sql`delete from recovery_codes where user_id = ${userId}`
    const putCodes = (userId: UserId, hashes: ReadonlyArray<string>) =>
      Effect.zipRight(
        removeCodes(userId),
        hashes.length === 0
          ? Effect.void
          : Effect.asVoid(
              sql`insert into recovery_codes ${sql.insert(hashes.map((codeHash) => ({ userId, codeHash })))}`
            )
      )
    return SecondFactorRepo.of({
      find: (userId) => Effect.orDie(find(userId)),
      put: (authenticator) =>
        Effect.orDie(
          sql.withTransaction(Effect.zipRight(removeAuthenticator(authenticator.userId), insert(authenticator)))
        ),
      confirm: (userId, confirmedAt) => Effect.orDie(confirm({ userId, confirmedAt })),
      useStep: (userId, step) =>
        Effect.orDie(
          Effect.map(
            sql`update authenticators set last_step = ${step} where user_id = ${userId}
                and (last_step < ${step} or last_step > ${step + mostStepsAhead}) returning user_id`,
            (rows) => rows.length > 0
          )
        ),
      putRecoveryCodes: (userId, hashes) => Effect.orDie(sql.withTransaction(putCodes(userId, hashes))),
      takeRecoveryCode: (userId, hash) =>
        Effect.orDie(
          Effect.map(
            sql`delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id`,
            (rows) => rows.length > 0
          )
        ),
      recoveryCodesLeft: (userId) =>
        Effect.orDie(
          Effect.map(sql`select code_hash from recovery_codes where user_id = ${userId}`, (rows) => rows.length)
        ),
      remove: (userId) =>
        Effect.orDie(sql.withTransaction(Effect.zipRight(removeCodes(userId), removeAuthenticator(userId))))
    })
  })
)

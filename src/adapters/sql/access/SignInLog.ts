import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { keptSignIns } from "../../../domain/access/SignInEvent.ts"
import { UserId } from "../../../domain/Ids.ts"
import { SignInLog } from "../../../ports/access/SignInLog.ts"
import { Instant } from "../Rows.ts"

const Row = Schema.Struct({
  userId: UserId,
  outcome: Schema.Literal("signedIn", "passkey", "singleSignOn", "wrongPassword", "wrongCode", "passwordReset"),
  browser: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  at: Instant
})

export const SignInLogSql = Layer.effect(
  SignInLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = SqlSchema.void({ Request: Row, execute: (row) => sql`insert into sign_ins ${sql.insert(row)}` })
    const list = SqlSchema.findAll({
      Request: UserId,
      Result: Row,
      execute: (id) =>
        sql`select user_id, outcome, browser, address, at from sign_ins where user_id = ${id} order by id desc`
    })
    const trim = (id: UserId) => sql`
      delete from sign_ins where user_id = ${id} and id <= (
        select id from sign_ins where user_id = ${id} order by id desc limit 1 offset ${keptSignIns}
      )`
    return SignInLog.of({
      append: (event) =>
        Effect.orDie(sql.withTransaction(Effect.zipRight(insert(event), Effect.asVoid(trim(event.userId))))),
      listOfUser: (userId) => Effect.orDie(list(userId))
    })
  })
)

import { Effect, Layer, Option, Schema } from "effect"
import type { User } from "../../../domain/access/User.ts"
import { emailKey } from "../../../domain/access/User.ts"
import { UserId } from "../../../domain/Ids.ts"
import { UserRepo } from "../../../ports/access/UserRepo.ts"
import { Instant, tableOf } from "../Rows.ts"

const Row = Schema.Struct({
  id: UserId,
  email: Schema.String,
  emailKey: Schema.String,
  name: Schema.String,
  externalReference: Schema.String,
  motive: Schema.String,
  passwordHash: Schema.String,
  createdAt: Instant,
  deletedAt: Schema.NullOr(Instant)
})

const rowOf = (user: User) => ({ ...user, emailKey: emailKey(user.email) })
const userOf = ({ emailKey: _, ...user }: typeof Row.Type): User => user

export const UserRepoSql = Layer.effect(
  UserRepo,
  Effect.map(tableOf("users", Row, Row), ({ sql, ...users }) => {
    const insert = users.insertUnlessTaken("emailKey")
    return UserRepo.of({
      insert: (user) => Effect.map(insert(rowOf(user)), Option.map(userOf)),
      update: (user) => Effect.map(users.update(rowOf(user)), userOf),
      find: (id) => Effect.map(users.findWhere(sql`id = ${id}`), Option.map(userOf)),
      exists: Effect.map(users.findWhere(sql`true limit 1`), Option.isSome),
      findByEmail: (email) => Effect.map(users.findWhere(sql`email_key = ${emailKey(email)}`), Option.map(userOf))
    })
  })
)

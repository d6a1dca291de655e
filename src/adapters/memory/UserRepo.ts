import { Effect, Layer, Option } from "effect"
import { emailKey } from "../../domain/access/User.ts"
import { UserRepo } from "../../ports/UserRepo.ts"
import { MemoryDb } from "./MemoryDb.ts"

export const UserRepoMemory = Layer.effect(
  UserRepo,
  Effect.map(MemoryDb, ({ users }) => {
    const byEmail = (email: string) => users.rows.find((user) => emailKey(user.email) === emailKey(email))
    return UserRepo.of({
      insert: (user) =>
        Effect.sync(() => (byEmail(user.email) === undefined ? Option.some(users.insert(user)) : Option.none())),
      update: (user) => Effect.sync(() => users.replace(({ id }) => id === user.id, user)),
      find: (id) => Effect.sync(() => Option.fromNullable(users.rows.find((user) => user.id === id))),
      findByEmail: (email) => Effect.sync(() => Option.fromNullable(byEmail(email)))
    })
  })
)

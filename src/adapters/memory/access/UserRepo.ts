import { Effect, Layer, Option } from "effect"
import { emailKey } from "../../../domain/access/User.ts"
import { UserRepo } from "../../../ports/access/UserRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const UserRepoMemory = Layer.effect(
  UserRepo,
  Effect.map(MemoryDb, ({ access, users }) => {
    const byEmail = (email: string) => users.rows.find((user) => emailKey(user.email) === emailKey(email))
    return UserRepo.of({
      insert: (user) =>
        access(() => (byEmail(user.email) === undefined ? Option.some(users.insert(user)) : Option.none())),
      update: (user) => access(() => users.replace(({ id }) => id === user.id, user)),
      find: (id) => access(() => Option.fromNullable(users.rows.find((user) => user.id === id))),
      exists: access(() => users.rows.length > 0),
      findByEmail: (email) => access(() => Option.fromNullable(byEmail(email)))
    })
  })
)

import { Effect, Layer, Option } from "effect"
import { PasswordResetRepo } from "../../../ports/access/PasswordResetRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const PasswordResetRepoMemory = Layer.effect(
  PasswordResetRepo,
  Effect.map(MemoryDb, ({ access, passwordResets }) => {
    const find = (hash: string) => Option.fromNullable(passwordResets.rows.find(({ tokenHash }) => tokenHash === hash))
    return PasswordResetRepo.of({
      put: (reset) =>
        access(() => {
          passwordResets.remove(({ userId }) => userId === reset.userId)
          passwordResets.insert(reset)
        }),
      findByTokenHash: (hash) => access(() => find(hash)),
      take: (hash) =>
        access(() => {
          const found = find(hash)
          passwordResets.remove(({ tokenHash }) => tokenHash === hash)
          return found
        }),
      removeOfUser: (id) => access(() => passwordResets.remove(({ userId }) => userId === id))
    })
  })
)

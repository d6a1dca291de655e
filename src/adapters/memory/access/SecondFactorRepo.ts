import { Effect, Layer, Option } from "effect"
import { type Authenticator, isUnused } from "../../../domain/access/SecondFactor.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { SecondFactorRepo } from "../../../ports/access/SecondFactorRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const SecondFactorRepoMemory = Layer.effect(
  SecondFactorRepo,
  Effect.map(MemoryDb, ({ access, authenticators, recoveryCodes }) => {
    const find = (id: UserId) => authenticators.rows.find(({ userId }) => userId === id)
    const change = (id: UserId, changed: Partial<Authenticator>) => {
      const found = find(id)
      if (found !== undefined) authenticators.replace((each) => each === found, { ...found, ...changed })
    }
    const codesOf = (id: UserId) => recoveryCodes.rows.filter(({ userId }) => userId === id)
    return SecondFactorRepo.of({
      find: (id) => access(() => Option.fromNullable(find(id))),
      put: (authenticator) =>
        access(() => {
          authenticators.remove(({ userId }) => userId === authenticator.userId)
          authenticators.insert(authenticator)
        }),
      confirm: (id, confirmedAt) => access(() => change(id, { confirmedAt })),
      useStep: (id, step) =>
        access(() => {
          const isNew = isUnused(step, find(id)?.lastStep ?? step)
          if (isNew) change(id, { lastStep: step })
          return isNew
        }),
      putRecoveryCodes: (id, hashes) =>
        access(() => {
          recoveryCodes.remove(({ userId }) => userId === id)
          for (const codeHash of hashes) recoveryCodes.insert({ userId: id, codeHash })
        }),
      takeRecoveryCode: (id, hash) =>
        access(() => {
          const found = codesOf(id).find(({ codeHash }) => codeHash === hash)
          recoveryCodes.remove((each) => each === found)
          return found !== undefined
        }),
      recoveryCodesLeft: (id) => access(() => codesOf(id).length),
      remove: (id) =>
        access(() => {
          const had = find(id) !== undefined
          authenticators.remove(({ userId }) => userId === id)
          recoveryCodes.remove(({ userId }) => userId === id)
          return had
        })
    })
  })
)

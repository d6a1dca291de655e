import { DateTime, Effect, Layer, Option } from "effect"
import { mostChallenges } from "../../../domain/access/Passkey.ts"
import { PasskeyId } from "../../../domain/Ids.ts"
import { PasskeyRepo } from "../../../ports/access/PasskeyRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const PasskeyRepoMemory = Layer.effect(
  PasskeyRepo,
  Effect.map(MemoryDb, ({ access, passkeys, passkeyChallenges }) => {
    const byCredential = (id: string) => passkeys.rows.find(({ credentialId }) => credentialId === id)
    return PasskeyRepo.of({
      insert: (passkey) =>
        access(() =>
          byCredential(passkey.credentialId) === undefined
            ? Option.some(passkeys.insert({ ...passkey, id: PasskeyId.make(passkeys.nextId()) }))
            : Option.none()
        ),
      listOfUser: (id) => access(() => passkeys.rows.filter(({ userId }) => userId === id)),
      findByCredential: (id) => access(() => Option.fromNullable(byCredential(id))),
      noteUse: (id, counter, lastUsedAt) =>
        access(() => {
          const found = passkeys.rows.find((each) => each.id === id)
          if (found !== undefined) passkeys.replace((each) => each === found, { ...found, counter, lastUsedAt })
        }),
      remove: (userId, id) =>
        access(() => {
          const isTheirs = (each: { readonly id: PasskeyId; readonly userId: string }) =>
            each.id === id && each.userId === userId
          const had = passkeys.rows.some(isTheirs)
          passkeys.remove(isTheirs)
          return had
        }),
      removeOfUser: (id) => access(() => passkeys.remove(({ userId }) => userId === id)),
      putChallenge: (challenge, now) =>
        access(() => {
          passkeyChallenges.remove(({ expiresAt }) => DateTime.lessThan(expiresAt, now))
          const tooMany = passkeyChallenges.rows.length + 1 - mostChallenges
          if (tooMany > 0) {
            const inOrder = passkeyChallenges.rows.toSorted((one, other) =>
              DateTime.Order(one.expiresAt, other.expiresAt)
            )
            const oldest = new Set(inOrder.slice(0, tooMany))
            passkeyChallenges.remove((each) => oldest.has(each))
          }
          passkeyChallenges.insert(challenge)
        }),
      takeChallenge: (hash) =>
        access(() => {
          const found = passkeyChallenges.rows.find((each) => each.hash === hash)
          passkeyChallenges.remove((each) => each === found)
          return Option.fromNullable(found)
        })
    })
  })
)

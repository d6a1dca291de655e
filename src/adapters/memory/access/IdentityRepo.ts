import { Effect, Layer, Option } from "effect"
import type { Identity } from "../../../domain/access/OpenId.ts"
import { IdentityId } from "../../../domain/Ids.ts"
import { IdentityRepo } from "../../../ports/access/IdentityRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const IdentityRepoMemory = Layer.effect(
  IdentityRepo,
  Effect.map(MemoryDb, ({ access, identities, memberships, givenMemberships }) => {
    const isTaken = ({ issuer, subject, userId }: Omit<Identity, "id">) =>
      identities.rows.some((each) => each.issuer === issuer && (each.subject === subject || each.userId === userId))
    return IdentityRepo.of({
      insert: (identity) =>
        access(() =>
          isTaken(identity)
            ? Option.none()
            : Option.some(identities.insert({ ...identity, id: IdentityId.make(identities.nextId()) }))
        ),
      find: (issuer, subject) =>
        access(() =>
          Option.fromNullable(identities.rows.find((each) => each.issuer === issuer && each.subject === subject))
        ),
      noteUse: (id, email, at) =>
        access(() => {
          const found = identities.rows.find((each) => each.id === id)
          if (found !== undefined) identities.replace((each) => each.id === id, { ...found, email, lastUsedAt: at })
        }),
      listOfUser: (userId) => access(() => identities.rows.filter((each) => each.userId === userId)),
      remove: (userId, id) =>
        access(() => {
          const isIt = (each: Identity) => each.id === id && each.userId === userId
          const found = Option.fromNullable(identities.rows.find(isIt))
          identities.remove(isIt)
          return found
        }),
      markGiven: (id) =>
        access(() => {
          if (!givenMemberships.rows.includes(id)) givenMemberships.insert(id)
        }),
      givenTo: (userId) =>
        access(() =>
          memberships.rows.filter((each) => each.userId === userId && givenMemberships.rows.includes(each.id))
        )
    })
  })
)

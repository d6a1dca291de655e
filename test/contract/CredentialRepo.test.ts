import { Effect, Option } from "effect"
import { all } from "../../src/domain/access/Permission.ts"
import { ApiKeyId, ApplicationId, EnvironmentId } from "../../src/domain/Ids.ts"
import { CredentialRepo } from "../../src/ports/CredentialRepo.ts"
import { contract } from "../support/MetadataStores.ts"
import { addOrganization, addUser, at, dies, newKey, same, userId } from "../support/Rows.ts"

const unknown = ApiKeyId.make(99)

const keysOfTwo = Effect.gen(function* () {
  const credentials = yield* CredentialRepo
  yield* Effect.forEach([1, 2], addUser)
  const { id } = yield* addOrganization("first")
  const other = yield* addOrganization("second")
  return {
    id,
    other: other.id,
    personal: yield* credentials.insert(newKey(id, { type: "personal", userId: userId(1), secretHash: "a" })),
    secret: yield* credentials.insert(newKey(id, { type: "secret", secretHash: "b" })),
    public: yield* credentials.insert(newKey(id, { type: "public", secretHash: "c" })),
    elsewhere: yield* credentials.insert(newKey(other.id, { secretHash: "d" })),
    abroad: yield* credentials.insert(newKey(other.id, { type: "personal", userId: userId(1), secretHash: "e" }))
  }
})

contract("CredentialRepo", (holds) => {
  holds("keeps every field, null or not", () =>
    Effect.gen(function* () {
      const credentials = yield* CredentialRepo
      const user = yield* addUser(1)
      const { id } = yield* addOrganization("first")
      const full = newKey(id, {
        type: "personal",
        userId: user.id,
        name: "clé 🎮",
        description: "",
        allProjects: false,
        applicationIds: [3, 1, 2].map((n) => ApplicationId.make(n)),
        environmentIds: [9].map((n) => EnvironmentId.make(n)),
        permissions: [...all].reverse(),
        expiresAt: at(1),
        lastUsedAt: at(2),
        createdAt: at(3),
        createdBy: { id: user.id, email: user.email },
        deactivatedAt: at(4)
      })
      const first = yield* credentials.insert(full)
      const second = yield* credentials.insert(newKey(id, { secretHash: "other" }))
      same(first, { id: first.id, ...full })
      same(yield* credentials.findPersonal(user.id, first.id), Option.some(first))
      same(
        yield* credentials.find(id, second.id),
        Option.some({ id: second.id, ...newKey(id, { secretHash: "other" }) })
      )
    })
  )

  holds("finds an organization's keys in it alone, and never a personal one among them", () =>
    Effect.gen(function* () {
      const credentials = yield* CredentialRepo
      const keys = yield* keysOfTwo
      same(yield* credentials.find(keys.id, keys.secret.id), Option.some(keys.secret))
      same(yield* credentials.find(keys.id, keys.public.id), Option.some(keys.public))
      same(yield* credentials.find(keys.id, keys.personal.id), Option.none())
      same(yield* credentials.find(keys.other, keys.secret.id), Option.none())
      same(yield* credentials.find(keys.id, unknown), Option.none())
      same(yield* credentials.list(keys.id), [keys.secret, keys.public])
      same(yield* credentials.list(keys.other), [keys.elsewhere])
    })
  )

  holds("finds personal tokens for their owner alone, in every organization", () =>
    Effect.gen(function* () {
      const credentials = yield* CredentialRepo
      const keys = yield* keysOfTwo
      same(yield* credentials.findPersonal(userId(1), keys.personal.id), Option.some(keys.personal))
      same(yield* credentials.findPersonal(userId(2), keys.personal.id), Option.none())
      same(yield* credentials.findPersonal(userId(1), keys.secret.id), Option.none())
      same(yield* credentials.listPersonal(userId(1)), [keys.personal, keys.abroad])
      same(yield* credentials.listPersonal(userId(2)), [])
    })
  )

  holds("finds any kind by the hash of its secret; a rotated one by the new hash alone", () =>
    Effect.gen(function* () {
      const credentials = yield* CredentialRepo
      const keys = yield* keysOfTwo
      same(yield* credentials.findBySecretHash("a"), Option.some(keys.personal))
      same(yield* credentials.findBySecretHash("d"), Option.some(keys.elsewhere))
      same(yield* credentials.findBySecretHash("A"), Option.none())
      const rotated = { ...keys.secret, secretHash: "z", lastFour: "zzzz", expiresAt: at(3) }
      same(yield* credentials.update(rotated), rotated)
      same(yield* credentials.findBySecretHash("b"), Option.none())
      same(yield* credentials.findBySecretHash("z"), Option.some(rotated))
    })
  )

  holds("updates one key; an update of none is a defect", () =>
    Effect.gen(function* () {
      const credentials = yield* CredentialRepo
      const keys = yield* keysOfTwo
      const changed = {
        ...keys.secret,
        allProjects: false,
        applicationIds: [ApplicationId.make(4)],
        environmentIds: [EnvironmentId.make(5)],
        permissions: ["analytics:read" as const],
        deactivatedAt: at(6)
      }
      same(yield* credentials.update(changed), changed)
      same(yield* credentials.list(keys.id), [changed, keys.public])
      yield* dies(credentials.update({ ...changed, id: unknown, secretHash: "y" }))
    })
  )

  holds("notes the last use of one key and nothing else", () =>
    Effect.gen(function* () {
      const credentials = yield* CredentialRepo
      const keys = yield* keysOfTwo
      yield* credentials.touch(keys.secret.id, at(77))
      yield* credentials.touch(unknown, at(78))
      same(yield* credentials.list(keys.id), [{ ...keys.secret, lastUsedAt: at(77) }, keys.public])
      same(yield* credentials.listPersonal(userId(1)), [keys.personal, keys.abroad])
    })
  )
})

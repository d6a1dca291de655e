import { Effect, Layer, Option } from "effect"
import type { ApiKey } from "../../../domain/access/ApiKey.ts"
import { ApiKeyId } from "../../../domain/Ids.ts"
import { CredentialRepo } from "../../../ports/access/CredentialRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

export const CredentialRepoMemory = Layer.effect(
  CredentialRepo,
  Effect.map(MemoryDb, ({ access, credentials }) => {
    const findBy = (test: (key: ApiKey) => boolean) => access(() => Option.fromNullable(credentials.rows.find(test)))
    const listBy = (test: (key: ApiKey) => boolean) => access(() => credentials.rows.filter(test))
    return CredentialRepo.of({
      insert: (key) => access(() => credentials.insert({ ...key, id: ApiKeyId.make(credentials.nextId()) })),
      update: (key) => access(() => credentials.replace(({ id }) => id === key.id, key)),
      touch: (id, lastUsedAt) =>
        access(() => {
          const key = credentials.rows.find((each) => each.id === id)
          if (key !== undefined) credentials.replace((each) => each.id === id, { ...key, lastUsedAt })
        }),
      find: (organizationId, id) =>
        findBy((key) => key.id === id && key.organizationId === organizationId && key.type !== "personal"),
      findPersonal: (userId, id) => findBy((key) => key.id === id && key.userId === userId && key.type === "personal"),
      findBySecretHash: (hash) =>
        findBy(({ secretHash, previousSecretHash }) => secretHash === hash || previousSecretHash === hash),
      list: (organizationId) => listBy((key) => key.organizationId === organizationId && key.type !== "personal"),
      listPersonal: (userId) => listBy((key) => key.userId === userId && key.type === "personal"),
      remove: (id) => access(() => credentials.remove((key) => key.id === id))
    })
  })
)

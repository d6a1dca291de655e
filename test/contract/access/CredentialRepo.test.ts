import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { allPermissions } from "../../../src/domain/access/Permission.ts"
import { ApiKeyId, ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addOrganization, addUser, anyText, instant, newKey, newUserId, next } from "../../support/access/Tenants.ts"

const nowhere = ApiKeyId.make(9_007_199_254_740_991)

for (const [label, store] of everyStore) {
  layer(store)(`keys in ${label}`, (it) => {
    it.effect("gives back what was put in, with and without what may be null", () =>
      Effect.gen(function* () {
        const keys = yield* CredentialRepo
        const { id: organizationId } = yield* addOrganization
        const full = newKey(organizationId, {
          type: "public",
          description: anyText,
          allProjects: true,
          applicationIds: [ApplicationId.make(3), ApplicationId.make(1)],
          environmentIds: [EnvironmentId.make(2)],
          permissions: allPermissions,
          expiresAt: instant(1),
          lastUsedAt: instant(2),
          createdBy: { id: newUserId(), email: "Ada@studio.test" },
          deactivatedAt: instant(3)
        })
        const first = yield* keys.insert(full)
        const second = yield* keys.insert(newKey(organizationId))
        assert.deepStrictEqual(first, { ...full, id: first.id })
        assert.deepStrictEqual(yield* keys.find(organizationId, first.id), Option.some(first))
        assert.deepStrictEqual(yield* keys.findBySecretHash(second.secretHash), Option.some(second))
        assert.deepStrictEqual(yield* keys.findBySecretHash("nothing"), Option.none())
        assert.deepStrictEqual(yield* keys.list(organizationId), [first, second])
      })
    )

    it.effect("finds an organization's keys there alone, and personal tokens with their owner alone", () =>
      Effect.gen(function* () {
        const keys = yield* CredentialRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const key = yield* keys.insert(newKey(one.id))
        const token = yield* keys.insert(newKey(one.id, { type: "personal", userId: ada.id }))
        const elsewhere = yield* keys.insert(newKey(other.id, { type: "personal", userId: ada.id }))
        assert.deepStrictEqual(yield* keys.find(one.id, key.id), Option.some(key))
        assert.deepStrictEqual(yield* keys.find(other.id, key.id), Option.none())
        assert.deepStrictEqual(yield* keys.find(one.id, token.id), Option.none())
        assert.deepStrictEqual(yield* keys.find(one.id, nowhere), Option.none())
        assert.deepStrictEqual(yield* keys.findPersonal(ada.id, token.id), Option.some(token))
        assert.deepStrictEqual(yield* keys.findPersonal(bob.id, token.id), Option.none())
        assert.deepStrictEqual(yield* keys.findPersonal(ada.id, key.id), Option.none())
        assert.deepStrictEqual(yield* keys.list(one.id), [key])
        assert.deepStrictEqual(yield* keys.listPersonal(ada.id), [token, elsewhere])
        assert.deepStrictEqual(yield* keys.listPersonal(bob.id), [])
        assert.deepStrictEqual(yield* keys.findBySecretHash(token.secretHash), Option.some(token))
        yield* keys.remove(token.id)
        assert.deepStrictEqual(yield* keys.listPersonal(ada.id), [elsewhere])
        assert.deepStrictEqual(yield* keys.findBySecretHash(token.secretHash), Option.none())
        assert.deepStrictEqual(yield* keys.list(one.id), [key])
      })
    )

    it.effect("forgets the former secret at a rotation", () =>
      Effect.gen(function* () {
        const keys = yield* CredentialRepo
        const { id: organizationId } = yield* addOrganization
        const [key, other] = [yield* keys.insert(newKey(organizationId)), yield* keys.insert(newKey(organizationId))]
        const rotated = { ...key, secretHash: `secret ${next()}`, lastFour: "zzzz", deactivatedAt: instant(4) }
        assert.deepStrictEqual(yield* keys.update(rotated), rotated)
        assert.deepStrictEqual(yield* keys.findBySecretHash(key.secretHash), Option.none())
        assert.deepStrictEqual(yield* keys.findBySecretHash(rotated.secretHash), Option.some(rotated))
        assert.deepStrictEqual(yield* keys.list(organizationId), [rotated, other])
      })
    )

    it.effect("B7: finds a key by its previous secret until the next rotation drops that", () =>
      Effect.gen(function* () {
        const keys = yield* CredentialRepo
        const { id: organizationId } = yield* addOrganization
        const key = yield* keys.insert(newKey(organizationId))
        const rotated = {
          ...key,
          secretHash: `secret ${next()}`,
          previousSecretHash: key.secretHash,
          previousValidUntil: instant(5)
        }
        assert.deepStrictEqual(yield* keys.update(rotated), rotated)
        for (const hash of [rotated.secretHash, key.secretHash]) {
          assert.deepStrictEqual(yield* keys.findBySecretHash(hash), Option.some(rotated))
        }
        const again = { ...rotated, secretHash: `secret ${next()}`, previousSecretHash: rotated.secretHash }
        yield* keys.update(again)
        assert.deepStrictEqual(yield* keys.findBySecretHash(key.secretHash), Option.none())
        assert.deepStrictEqual(yield* keys.findBySecretHash(rotated.secretHash), Option.some(again))
      })
    )

    it.effect("notes the use of the one key, to the millisecond, and changes nothing else of it", () =>
      Effect.gen(function* () {
        const keys = yield* CredentialRepo
        const { id: organizationId } = yield* addOrganization
        const [key, other] = [yield* keys.insert(newKey(organizationId)), yield* keys.insert(newKey(organizationId))]
        yield* keys.touch(key.id, instant(321))
        yield* keys.touch(nowhere, instant(321))
        assert.deepStrictEqual(yield* keys.list(organizationId), [{ ...key, lastUsedAt: instant(321) }, other])
      })
    )
  })
}

import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { UserId } from "../../../src/domain/Ids.ts"
import { IdentityRepo } from "../../../src/ports/access/IdentityRepo.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addOrganization, addUser, instant, next } from "../../support/access/Tenants.ts"

const issuer = "https://provider.test"

const identity = (userId: UserId) => ({
  userId,
  issuer,
  subject: `subject ${next()}`,
  email: "ada@studio.test",
  createdAt: instant(1),
  lastUsedAt: instant(1)
})

for (const [label, store] of everyStore) {
  layer(store)(`identities in ${label}`, (it) => {
    it.effect("are found by issuer and subject together", () =>
      Effect.gen(function* () {
        const identities = yield* IdentityRepo
        const wanted = identity((yield* addUser()).id)
        const { id, ...stored } = Option.getOrThrow(yield* identities.insert(wanted))
        assert.deepStrictEqual(stored, wanted)
        assert.deepStrictEqual(yield* identities.find(issuer, wanted.subject), Option.some({ id, ...wanted }))
        assert.deepStrictEqual(yield* identities.find("https://other.test", wanted.subject), Option.none())
        assert.deepStrictEqual(yield* identities.find(issuer, `${wanted.subject} `), Option.none())
        assert.deepStrictEqual(yield* identities.find(issuer, wanted.subject.toUpperCase()), Option.none())
      })
    )

    it.effect("are one account's, which has one of each issuer", () =>
      Effect.gen(function* () {
        const identities = yield* IdentityRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const first = identity(ada.id)
        const stored = Option.getOrThrow(yield* identities.insert(first))
        assert.deepStrictEqual(yield* identities.insert({ ...identity(bob.id), subject: first.subject }), Option.none())
        assert.deepStrictEqual(yield* identities.insert(identity(ada.id)), Option.none())
        const other = yield* identities.insert({ ...identity(ada.id), issuer: "https://other.test" })
        assert.deepStrictEqual(yield* identities.listOfUser(ada.id), [stored, ...Option.toArray(other)])
        assert.deepStrictEqual(yield* identities.listOfUser(bob.id), [])
      })
    )

    it.effect("are given to one of those who take one at once", () =>
      Effect.gen(function* () {
        const identities = yield* IdentityRepo
        const people = [yield* addUser(), yield* addUser(), yield* addUser()]
        const { subject } = identity(people[0]?.id ?? (yield* addUser()).id)
        const taken = yield* Effect.forEach(people, ({ id }) => identities.insert({ ...identity(id), subject }), {
          concurrency: 3
        })
        assert.lengthOf(taken.flatMap(Option.toArray), 1)
      })
    )

    it.effect("tell when they were used last, and with which address", () =>
      Effect.gen(function* () {
        const identities = yield* IdentityRepo
        const [ada, bob] = [identity((yield* addUser()).id), identity((yield* addUser()).id)]
        const stored = Option.getOrThrow(yield* identities.insert(ada))
        const other = yield* identities.insert(bob)
        yield* identities.noteUse(stored.id, "ada@elsewhere.test", instant(5))
        const used = { ...stored, email: "ada@elsewhere.test", lastUsedAt: instant(5) }
        assert.deepStrictEqual(yield* identities.find(issuer, ada.subject), Option.some(used))
        assert.deepStrictEqual(yield* identities.find(issuer, bob.subject), other)
      })
    )

    it.effect("are removed by their own account alone", () =>
      Effect.gen(function* () {
        const identities = yield* IdentityRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const stored = Option.getOrThrow(yield* identities.insert(identity(ada.id)))
        assert.deepStrictEqual(yield* identities.remove(bob.id, stored.id), Option.none())
        assert.deepStrictEqual(yield* identities.remove(ada.id, stored.id), Option.some(stored))
        assert.deepStrictEqual(yield* identities.remove(ada.id, stored.id), Option.none())
        assert.deepStrictEqual(yield* identities.listOfUser(ada.id), [])
      })
    )

    it.effect("remember which memberships groups gave, until those go", () =>
      Effect.gen(function* () {
        const identities = yield* IdentityRepo
        const organizations = yield* OrganizationRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const join = Effect.fnUntraced(function* (userId: UserId) {
          const { id: organizationId } = yield* addOrganization
          return Option.getOrThrow(yield* organizations.addMember({ organizationId, userId, createdAt: instant(1) }))
        })
        const [first, byHand, second] = [yield* join(ada.id), yield* join(ada.id), yield* join(ada.id)]
        const others = yield* join(bob.id)
        for (const { id } of [second, first, others, first]) yield* identities.markGiven(id)
        assert.deepStrictEqual(yield* identities.givenTo(ada.id), [first, second])
        yield* organizations.removeMember(first.id)
        yield* organizations.removeMember(byHand.id)
        assert.deepStrictEqual(yield* identities.givenTo(ada.id), [second])
        const { organizationId } = first
        const again = yield* organizations.addMember({ organizationId, userId: ada.id, createdAt: instant(2) })
        assert.isTrue(Option.isSome(again))
        assert.deepStrictEqual(yield* identities.givenTo(ada.id), [second])
      })
    )
  })
}

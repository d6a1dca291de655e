import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccessVersion } from "../../../src/ports/access/AccessVersion.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { everyStore } from "../../support/Stores.ts"
import { addApplication, addOrganization, addUser, instant, newKey } from "../../support/access/Tenants.ts"

for (const [label, store] of everyStore) {
  layer(store)(`the access version in ${label}`, (it) => {
    it.effect(
      "advances with writes to keys and projects, and not when a key is used or something else is written",
      () =>
        Effect.gen(function* () {
          const version = yield* AccessVersion
          const keys = yield* CredentialRepo
          const projects = yield* ProjectRepo
          const organization = yield* addOrganization
          const key = yield* keys.insert(newKey(organization.id))
          const application = yield* addApplication(organization.id)
          const advances = Effect.fnUntraced(function* <A, E, R>(write: Effect.Effect<A, E, R>) {
            const before = version.validity()
            yield* write
            return !before.holds(0)
          })
          assert.isTrue(yield* advances(keys.insert(newKey(organization.id))))
          assert.isTrue(yield* advances(keys.update(key)))
          assert.isTrue(yield* advances(projects.update(application)))
          assert.isTrue(yield* advances(projects.remove(application.id)))
          assert.isFalse(yield* advances(keys.touch(key.id, instant(9))))
          assert.isFalse(yield* advances(addUser()))
        })
    )

    it.effect(
      "advances again at the end of a transaction that wrote to them, also where it failed, and not of another",
      () =>
        Effect.gen(function* () {
          const version = yield* AccessVersion
          const { run } = yield* Transaction
          const keys = yield* CredentialRepo
          const organization = yield* addOrganization
          const before = version.current
          yield* run(addUser())
          assert.strictEqual(version.current, before)
          const inside = Effect.gen(function* () {
            yield* keys.insert(newKey(organization.id))
            return version.validity()
          })
          const committed = yield* run(inside)
          assert.isFalse(committed.holds(0))
          const failed = yield* Effect.flip(run(Effect.flatMap(inside, Effect.fail)))
          assert.isFalse("holds" in failed && failed.holds(0))
        })
    )
  })
}

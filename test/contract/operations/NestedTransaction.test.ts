import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Organization } from "../../../src/domain/access/Organization.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { everyStore } from "../../support/Stores.ts"
import { addOrganization } from "../../support/access/Tenants.ts"

const nameOf = ({ id }: Organization) =>
  Effect.flatMap(OrganizationRepo, ({ find }) => Effect.map(find(id), (found) => Option.getOrThrow(found).name))

const rename = (organization: Organization, name: string) =>
  Effect.flatMap(OrganizationRepo, ({ update }) => update({ ...organization, name }))

for (const [label, store] of everyStore) {
  layer(store)(`nested transactions in ${label}`, (it) => {
    it.effect("undoes a nested one alone where the outer one goes on", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const [kept, undone, after] = [yield* addOrganization, yield* addOrganization, yield* addOrganization]
        yield* run(
          Effect.gen(function* () {
            yield* rename(kept, "Kept")
            yield* Effect.ignore(run(Effect.zipRight(rename(undone, "Lost"), Effect.fail("refused"))))
            yield* run(rename(after, "Kept as well"))
          })
        )
        assert.strictEqual(yield* nameOf(kept), "Kept")
        assert.strictEqual(yield* nameOf(undone), undone.name)
        assert.strictEqual(yield* nameOf(after), "Kept as well")
      })
    )

    it.effect("undoes a nested one that succeeded when the outer one fails", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const organization = yield* addOrganization
        yield* Effect.ignore(run(Effect.zipRight(run(rename(organization, "Lost")), Effect.fail("refused"))))
        assert.strictEqual(yield* nameOf(organization), organization.name)
      })
    )
  })
}

import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option } from "effect"
import type { Organization } from "../../../src/domain/access/Organization.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addMember, addOrganization, addRole, addUser, instant, newKey, next } from "../../support/access/Tenants.ts"

const nameOf = ({ id }: Organization) =>
  Effect.flatMap(OrganizationRepo, ({ find }) => Effect.map(find(id), (found) => Option.getOrThrow(found).name))

const rename = (organization: Organization, name: string) =>
  Effect.flatMap(OrganizationRepo, ({ update }) => update({ ...organization, name }))

for (const [label, store] of everyStore) {
  layer(store)(`transactions in ${label}`, (it) => {
    it.effect("keeps every write once it has succeeded, and gives its result", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const users = yield* UserRepo
        const [ada, bob] = yield* run(Effect.all([addUser(), addUser()]))
        assert.deepStrictEqual(yield* users.find(ada.id), Option.some(ada))
        assert.deepStrictEqual(yield* users.find(bob.id), Option.some(bob))
      })
    )

    it.effect("undoes inserts, updates and removals of every table after a failure, and passes it on", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const roles = yield* RoleRepo
        const organizations = yield* OrganizationRepo
        const organization = yield* addOrganization
        const member = yield* addMember(organization.id)
        const role = yield* addRole(organization.id)
        const place = { organizationId: organization.id, membershipId: member.id, applicationId: null }
        const grant = yield* roles.putGrant({ ...place, roleId: role.id, createdAt: instant(1), createdBy: null })
        const added = { id: undefined as unknown }
        const failed = yield* run(
          Effect.gen(function* () {
            added.id = (yield* addUser()).id
            yield* rename(organization, "Lost")
            yield* organizations.putIcon(organization.id, { contentType: "image/png", bytes: Uint8Array.of(1) })
            yield* organizations.removeMember(member.id)
            yield* roles.remove(role.id)
            assert.deepStrictEqual(yield* roles.list(organization.id), [])
            return yield* Effect.fail("refused")
          })
        ).pipe(Effect.flip)
        assert.strictEqual(failed, "refused")
        const users = yield* UserRepo
        assert.deepStrictEqual(yield* users.find(added.id as never), Option.none())
        assert.deepStrictEqual(yield* organizations.find(organization.id), Option.some(organization))
        assert.deepStrictEqual(yield* organizations.icon(organization.id), Option.none())
        assert.deepStrictEqual(yield* organizations.members(organization.id), [member])
        assert.deepStrictEqual(yield* roles.list(organization.id), [role])
        assert.deepStrictEqual(yield* roles.grants(organization.id), [grant])
      })
    )

    it.effect("undoes after a defect, and the store goes on working", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const organization = yield* addOrganization
        const exit = yield* Effect.exit(run(Effect.zipRight(rename(organization, "Lost"), Effect.dieMessage("boom"))))
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(yield* nameOf(organization), organization.name)
        yield* run(rename(organization, "Found"))
        assert.strictEqual(yield* nameOf(organization), "Found")
      })
    )

    it.effect("undoes after an interruption, and lets the next one in", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const organization = yield* addOrganization
        const written = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          run(
            rename(organization, "Lost").pipe(
              Effect.zipRight(Deferred.succeed(written, undefined)),
              Effect.zipRight(Effect.never)
            )
          )
        )
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* nameOf(organization), organization.name)
        yield* run(rename(organization, "Found"))
        assert.strictEqual(yield* nameOf(organization), "Found")
      })
    )

    it.effect("forgets one that was interrupted while it waited for another", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const organization = yield* addOrganization
        const [entered, leave] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const first = yield* Effect.fork(
          run(Effect.zipRight(Deferred.succeed(entered, undefined), Deferred.await(leave)))
        )
        yield* Deferred.await(entered)
        const waiting = yield* Effect.fork(run(rename(organization, "Never")))
        yield* Effect.yieldNow()
        yield* Fiber.interruptFork(waiting)
        yield* Effect.yieldNow()
        yield* Deferred.succeed(leave, undefined)
        yield* Fiber.join(first)
        yield* Fiber.await(waiting)
        assert.strictEqual(yield* nameOf(organization), organization.name)
      })
    )

    it.effect("shows a transaction of another fiber whole or not at all", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const users = yield* UserRepo
        const organization = yield* addOrganization
        const [written, leave] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const failing = yield* Effect.fork(
          run(
            rename(organization, "Half done").pipe(
              Effect.zipRight(Deferred.succeed(written, undefined)),
              Effect.zipRight(Deferred.await(leave)),
              Effect.zipRight(Effect.fail("refused"))
            )
          )
        )
        yield* Deferred.await(written)
        const reading = yield* Effect.fork(nameOf(organization))
        const writing = yield* Effect.fork(addUser())
        yield* Effect.yieldNow()
        yield* Deferred.succeed(leave, undefined)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(failing)))
        assert.strictEqual(yield* Fiber.join(reading), organization.name)
        const user = yield* Fiber.join(writing)
        assert.deepStrictEqual(yield* users.find(user.id), Option.some(user))
      })
    )

    it.effect("loses no write of another fiber, of the same table or not, when it is undone", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* CredentialRepo
        const browsers = yield* BrowserRepo
        const organization = yield* addOrganization
        const key = yield* keys.insert(newKey(organization.id))
        const browser = yield* browsers.insert({ tokenHash: `token ${next()}`, createdAt: instant(1), accounts: [] })
        const writes = [
          keys.touch(key.id, instant(5)),
          browsers.update({ ...browser, tokenHash: `${browser.tokenHash} again` }),
          keys.insert(newKey(organization.id))
        ]
        const failing = run(
          Effect.gen(function* () {
            yield* keys.insert(newKey(organization.id))
            yield* Effect.yieldNow()
            yield* keys.update({ ...key, name: "Lost" })
            yield* Effect.yieldNow()
            return yield* Effect.fail("refused")
          })
        ).pipe(Effect.exit)
        const mixed = [failing, ...writes.flatMap((write) => [write, failing])]
        yield* Effect.forEach(mixed, (each) => each, { concurrency: "unbounded" })
        const listed = yield* keys.list(organization.id)
        assert.deepStrictEqual(listed[0], { ...key, lastUsedAt: instant(5) })
        assert.strictEqual(listed.length, 2)
        assert.isTrue(Option.isSome(yield* browsers.findByTokenHash(`${browser.tokenHash} again`)))
      })
    )

    it.effect("loses no write of another fiber, wherever fibers give way to each other", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* CredentialRepo
        const undone = Effect.zipRight(
          Effect.yieldNow(),
          Effect.exit(run(Effect.all([addOrganization, Effect.yieldNow(), Effect.fail("refused")])))
        )
        for (let operations = 16; operations < 32; operations++) {
          const { id } = yield* addOrganization
          const writes = Effect.replicateEffect(
            Effect.suspend(() => keys.insert(newKey(id))),
            30
          )
          const failing = Effect.replicateEffect(undone, 30)
          const slow = Effect.withMaxOpsBeforeYield(writes, operations)
          yield* Effect.all([slow, failing, failing], { concurrency: "unbounded" })
          assert.strictEqual((yield* keys.list(id)).length, 30, `giving way every ${operations} operations`)
        }
      })
    )

    for (const locks of [undefined, ["one"], ["one", "two"]])
      it.effect(
        `lets transactions of many fibers follow one another, so that none overwrites what it has not read, ${locks === undefined ? "without locks" : `with the locks ${locks.join(" and ")}`}`,
        () =>
          Effect.gen(function* () {
            const { run } = yield* Transaction
            const organization = yield* Effect.flatMap(addOrganization, (each) => rename(each, "0"))
            const step = Effect.gen(function* () {
              const count = Number(yield* nameOf(organization))
              yield* Effect.yieldNow()
              yield* rename(organization, String(count + 1))
            })
            const increments = Array.from({ length: 50 }, (_, at) => run(step, at % 5 === 0 ? undefined : locks))
            yield* Effect.all(increments, { concurrency: "unbounded" })
            assert.strictEqual(yield* nameOf(organization), "50")
          })
      )

    it.effect("holds for fibers that it starts and waits for", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const all = [yield* addOrganization, yield* addOrganization, yield* addOrganization]
        const renames = Effect.forEach(all, (each) => rename(each, "Lost"), { concurrency: "unbounded" })
        yield* Effect.ignore(run(Effect.zipRight(renames, Effect.fail("refused"))))
        for (const each of all) assert.strictEqual(yield* nameOf(each), each.name)
      })
    )
  })
}

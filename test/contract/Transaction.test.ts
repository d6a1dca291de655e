import { assert } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option } from "effect"
import { OrganizationRepo } from "../../src/ports/OrganizationRepo.ts"
import { Transaction } from "../../src/ports/Transaction.ts"
import { UserRepo } from "../../src/ports/UserRepo.ts"
import { contract, durableStores } from "../support/MetadataStores.ts"
import { addMember, addOrganization, addUser, newUser, same, userId } from "../support/Rows.ts"

const run = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(Transaction, (each) => each.run(effect))

const isThere = (n: number) =>
  Effect.map(
    Effect.flatMap(UserRepo, (users) => users.find(userId(n))),
    Option.isSome
  )

/** A person, an organization and the membership, in three repositories. */
const write = (n: number) =>
  Effect.gen(function* () {
    const user = yield* addUser(n)
    const organization = yield* addOrganization(`organization ${n}`)
    return yield* addMember(organization.id, user.id)
  })

const nothingOf = (n: number) =>
  Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    assert.isFalse(yield* isThere(n))
    same(yield* organizations.listOfUser(userId(n)), [])
  })

contract(
  "Transaction",
  (holds) => {
    holds("keeps what succeeded, and answers with it", () =>
      Effect.gen(function* () {
        const membership = yield* run(write(1))
        const organizations = yield* OrganizationRepo
        same(yield* organizations.findMember(membership.organizationId, membership.id), Option.some(membership))
      })
    )

    holds("undoes everything when it fails, and fails the same way", () =>
      Effect.gen(function* () {
        yield* addUser(2)
        const exit = yield* Effect.exit(run(Effect.zipRight(write(1), Effect.fail("refused"))))
        assert.deepStrictEqual(exit, Exit.fail("refused"))
        yield* nothingOf(1)
        assert.isTrue(yield* isThere(2))
        yield* run(write(1))
        assert.isTrue(yield* isThere(1))
      })
    )

    holds("undoes everything when it dies", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(run(Effect.zipRight(write(1), Effect.die("broken"))))
        assert.deepStrictEqual(exit, Exit.die("broken"))
        yield* nothingOf(1)
      })
    )

    holds("undoes everything when it is interrupted, and lets the next one in", () =>
      Effect.gen(function* () {
        const written = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          run(write(1).pipe(Effect.zipRight(Deferred.succeed(written, undefined)), Effect.zipRight(Effect.never)))
        )
        yield* Deferred.await(written)
        const waiting = yield* Effect.fork(run(write(2)))
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        yield* Fiber.join(waiting)
        yield* nothingOf(1)
        assert.isTrue(yield* isThere(2))
      })
    )

    holds("interrupted while it waits its turn, it has done nothing and keeps nobody waiting", () =>
      Effect.gen(function* () {
        const open = yield* Deferred.make<void>()
        const first = yield* Effect.fork(run(Effect.zipRight(write(1), Deferred.await(open))))
        yield* Effect.yieldNow()
        const second = yield* Effect.fork(run(write(2)))
        yield* Effect.yieldNow()
        yield* Fiber.interruptFork(second)
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(first)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.await(second)))
        yield* run(write(3))
        assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], isThere), [true, false, true])
      })
    )

    holds("goes on after a write that answers None", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        yield* addUser(1)
        const taken = users.insert(newUser(2, { email: "USER1@studio.test" }))
        assert.isTrue(Option.isNone(yield* run(Effect.zipLeft(taken, addUser(3)))))
        assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], isThere), [true, false, true])
      })
    )

    holds("inside another one it shares that one's end", () =>
      Effect.gen(function* () {
        yield* Effect.exit(run(Effect.zipRight(run(write(1)), Effect.fail("refused"))))
        yield* nothingOf(1)
        yield* run(run(write(1)))
        assert.isTrue(yield* isThere(1))
      })
    )

    holds("inside another one that goes on, a failed one undoes its own part alone", () =>
      Effect.gen(function* () {
        const inner = Effect.exit(run(Effect.zipRight(write(2), Effect.fail("refused"))))
        yield* run(write(1).pipe(Effect.zipRight(inner), Effect.zipRight(write(3))))
        assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3], isThere), [true, false, true])
        yield* nothingOf(2)
      })
    )

    holds("runs one after the other: none decides on what another one changes", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const { id } = yield* addOrganization("0")
        const increment = Effect.gen(function* () {
          const organization = Option.getOrThrow(yield* organizations.find(id))
          yield* Effect.yieldNow()
          yield* organizations.update({ ...organization, name: String(Number(organization.name) + 1) })
        })
        yield* Effect.all(
          Array.from({ length: 50 }, () => run(increment)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(Option.getOrThrow(yield* organizations.find(id)).name, "50")
      })
    )

    holds("shows nobody outside what may be undone yet", () =>
      Effect.gen(function* () {
        const written = yield* Deferred.make<void>()
        const open = yield* Deferred.make<void>()
        const writer = yield* Effect.fork(
          Effect.exit(
            run(
              write(1).pipe(
                Effect.zipRight(Deferred.succeed(written, undefined)),
                Effect.zipRight(Deferred.await(open)),
                Effect.zipRight(Effect.fail("refused"))
              )
            )
          )
        )
        yield* Deferred.await(written)
        const reader = yield* Effect.fork(isThere(1))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(writer)
        assert.isFalse(yield* Fiber.join(reader))
      })
    )

    holds("undoes nothing that was written outside of it, wherever fibers yield", () =>
      Effect.gen(function* () {
        const organizations = yield* OrganizationRepo
        const count = 30
        const { id: userOrganization } = yield* addOrganization("members")
        yield* Effect.forEach(
          Array.from({ length: count }, (_, n) => n),
          addUser
        )
        for (let operations = 12; operations < 24; operations++) {
          const outside = Effect.forEach(
            Array.from({ length: count }, (_, n) => n),
            (n) => addMember(userOrganization, userId(n))
          ).pipe(Effect.withMaxOpsBeforeYield(operations))
          const undone = Effect.exit(
            run(Effect.all([addOrganization("undone"), Effect.yieldNow(), Effect.fail("refused")]))
          )
          const busy = Effect.replicateEffect(Effect.zipRight(Effect.yieldNow(), undone), count)
          yield* Effect.all([outside, busy, busy], { concurrency: "unbounded" })
          const members = yield* organizations.members(userOrganization)
          assert.strictEqual(members.length, count, `yielding every ${operations} operations`)
          yield* Effect.forEach(members, ({ id }) => organizations.removeMember(id))
        }
      })
    )
  },
  durableStores
)

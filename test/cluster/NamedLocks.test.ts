import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, type Redacted } from "effect"
import { PostgresMetadata } from "../../src/adapters/postgres/Postgres.ts"
import { OrganizationRepo } from "../../src/ports/access/OrganizationRepo.ts"
import { Transaction } from "../../src/ports/operations/Transaction.ts"
import { freshDatabase } from "../support/cluster/Database.ts"
import { addOrganization } from "../support/access/Tenants.ts"

const metadataOn = (url: Redacted.Redacted) => PostgresMetadata({ url, connections: 12 })

/** The same where a statement may take no longer than a moment, over two connections. */
const impatientOn = (url: Redacted.Redacted) => PostgresMetadata({ url, connections: 2, longestStatement: 200 })

type Process = Context.Context<Transaction | OrganizationRepo>

/** Two processes over one database. */
const twoProcesses = Effect.gen(function* () {
  const { url } = yield* freshDatabase
  const [a, b]: [Process, Process] = [yield* Layer.build(metadataOn(url)), yield* Layer.build(metadataOn(url))]
  return { a, b }
})

const runIn = (process: Process) => Context.get(process, Transaction).run

/** A transaction that has begun and goes on until it is let go. */
const holding = Effect.fnUntraced(function* (process: Process, locks?: ReadonlyArray<string>) {
  const [begun, leave] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const step = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(leave))
  const fiber = yield* Effect.fork(runIn(process)(step, locks))
  yield* Deferred.await(begun)
  return { letGo: Effect.zipRight(Deferred.succeed(leave, undefined), Fiber.join(fiber)) }
})

/** That an effect waits for the transaction that is let go: it has not ended while there is time for other statements. */
const waitsFor = Effect.fnUntraced(function* (
  effect: Effect.Effect<unknown>,
  { letGo }: { readonly letGo: Effect.Effect<unknown> },
  others: Effect.Effect<unknown>
) {
  const fiber = yield* Effect.fork(effect)
  for (let look = 0; look < 20; look++) yield* others
  assert.isNull(yield* fiber.poll.pipe(Effect.map(Option.getOrNull)))
  yield* letGo
  yield* Fiber.join(fiber)
})

const nothing = Effect.void

describe("Transactions with named locks over one PostgreSQL", () => {
  it.scoped(
    "run beside those of other names, in the same process and in another, and beside writes outside of them",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoProcesses
        const one = yield* holding(a, ["one"])
        yield* runIn(a)(nothing, ["two"])
        yield* runIn(b)(nothing, ["two", "three"])
        yield* Effect.provide(addOrganization, b)
        yield* one.letGo
      })
  )

  it.scoped("wait for those that hold one of the same names, and for those without names", () =>
    Effect.gen(function* () {
      const { a, b } = yield* twoProcesses
      const read = Effect.orDie(Effect.ignore(Context.get(b, OrganizationRepo).exists))
      yield* waitsFor(runIn(b)(nothing, ["two", "one"]), yield* holding(a, ["one"]), read)
      yield* waitsFor(runIn(a)(nothing, ["one"]), yield* holding(a, ["one"]), read)
      yield* waitsFor(runIn(b)(nothing, ["one"]), yield* holding(a), read)
      yield* waitsFor(runIn(b)(nothing), yield* holding(a, ["one"]), read)
    })
  )

  it.scoped("hold what a nested one has named until the outermost ends, also where the nested one is undone", () =>
    Effect.gen(function* () {
      const { a, b } = yield* twoProcesses
      const read = Effect.ignore(Context.get(b, OrganizationRepo).exists)
      const [begun, leave] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const nested = Effect.ignore(runIn(a)(Effect.fail("refused"), ["inner"]))
      const outer = runIn(a)(
        nested.pipe(Effect.zipRight(Deferred.succeed(begun, undefined)), Effect.zipRight(Deferred.await(leave))),
        ["outer"]
      )
      const fiber = yield* Effect.fork(outer)
      yield* Deferred.await(begun)
      const letGo = Effect.zipRight(Deferred.succeed(leave, undefined), Fiber.join(fiber))
      yield* runIn(b)(nothing, ["another"])
      yield* waitsFor(runIn(b)(nothing, ["inner"]), { letGo }, read)
    })
  )

  it.scoped("let those without names in while others keep coming", () =>
    Effect.gen(function* () {
      const { a } = yield* twoProcesses
      let hasEnded = false
      const keepComing = Effect.repeat(runIn(a)(Effect.yieldNow(), ["one"]), { until: () => hasEnded })
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => Effect.fork(keepComing))
      yield* runIn(a)(nothing)
      hasEnded = true
      yield* Fiber.joinAll(fibers)
    })
  )

  it.scoped("let a write outside of them through that follows one which has waited for too long", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase
      const b: Process = yield* Layer.build(impatientOn(url))
      const one = yield* holding(yield* Layer.build(metadataOn(url)))
      const added = Effect.exit(Effect.provide(addOrganization, b))
      assert.isTrue(Exit.isFailure(yield* added))
      yield* one.letGo
      assert.isTrue(Exit.isSuccess(yield* added))
    })
  )
})

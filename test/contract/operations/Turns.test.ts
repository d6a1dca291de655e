import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option } from "effect"
import { Turns } from "../../../src/ports/operations/Turns.ts"
import { metadataStores } from "../../support/Stores.ts"

/** Work that has begun and goes on until it is let go. */
const held = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const work = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(release))
  return { work, begun: Deferred.await(begun), release: Deferred.succeed(release, undefined) }
})

for (const [label, store] of metadataStores) {
  layer(store)(`turns in ${label}`, (it) => {
    it.effect("gives one name to one at a time, in order of arrival, and other names meanwhile", () =>
      Effect.gen(function* () {
        const turns = yield* Turns
        const said: Array<string> = []
        const saying = (word: string) => Effect.sync(() => void said.push(word))
        const first = yield* held
        const fiber = yield* Effect.fork(turns.alone("cohorts:1", first.work))
        yield* first.begun
        const later = yield* Effect.forEach(["b", "c"], (word) =>
          Effect.zipLeft(Effect.fork(turns.alone("cohorts:1", saying(word))), Effect.yieldNow())
        )
        yield* turns.alone("cohorts:2", saying("other"))
        assert.deepStrictEqual(said, ["other"])
        yield* first.release
        yield* Fiber.joinAll([fiber, ...later])
        assert.deepStrictEqual(said, ["other", "b", "c"])
      })
    )

    it.effect("runs once what is asked for twice at a time, and again afterwards", () =>
      Effect.gen(function* () {
        const turns = yield* Turns
        const first = yield* held
        const fiber = yield* Effect.fork(turns.once("maintenance", Effect.as(first.work, 1)))
        yield* first.begun
        assert.deepStrictEqual(yield* turns.once("maintenance", Effect.succeed(2)), Option.none())
        assert.deepStrictEqual(yield* turns.once("removals", Effect.succeed(3)), Option.some(3))
        yield* first.release
        assert.deepStrictEqual(yield* Fiber.join(fiber), Option.some(1))
        assert.deepStrictEqual(yield* turns.once("maintenance", Effect.succeed(4)), Option.some(4))
      })
    )

    it.effect("passes failures on, and gives the turn back after a failure, a defect and an interruption", () =>
      Effect.gen(function* () {
        const turns = yield* Turns
        assert.strictEqual(yield* Effect.flip(turns.alone("a", Effect.fail("no"))), "no")
        assert.strictEqual(yield* Effect.flip(turns.once("a", Effect.fail("never"))), "never")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(turns.alone("a", Effect.die("broken")))))
        const cut = yield* held
        const fiber = yield* Effect.fork(turns.alone("a", cut.work))
        yield* cut.begun
        const waiting = yield* Effect.fork(turns.alone("a", Effect.succeed("never")))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(waiting)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* turns.once("a", Effect.succeed("free")), Option.some("free"))
      })
    )
  })
}

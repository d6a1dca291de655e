import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { cachedSuccess } from "../../src/services/CachedSuccess.ts"

const sources = join(import.meta.dirname, "..", "..", "src")
const withoutComments = (file: string) => readFileSync(join(sources, file), "utf8").replaceAll(/^ *(\*|\/).*$/gm, "")

describe("what is kept once it has succeeded", () => {
  it.effect("is made once for all who ask, and anew after it failed or died", () =>
    Effect.gen(function* () {
      let times = 0
      const outcomes = [Effect.fail("a"), Effect.die("b"), Effect.succeed("c"), Effect.die("never")]
      const kept = yield* cachedSuccess(Effect.suspend((): Effect.Effect<string, string> => outcomes[times++]!))
      const exits = yield* Effect.forEach([1, 2, 3, 4], () => Effect.exit(kept))
      assert.deepStrictEqual(exits, [Exit.fail("a"), Exit.die("b"), Exit.succeed("c"), Exit.succeed("c")])
      assert.strictEqual(times, 3)
    })
  )

  it("is what the server keeps, which `Effect.cached` would keep interrupted for ever", () => {
    const uses = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && /Effect\.cached\b/.test(withoutComments(file)))
      .map((file) => file.replaceAll("\\", "/"))
    // It migrates databases in memory, at which nobody hangs up.
    assert.deepStrictEqual(uses, ["adapters/sqlite/MetadataDb.ts"])
  })

  it.effect("is made anew for the next to ask where the first hangs up", () =>
    Effect.gen(function* () {
      let times = 0
      const gate = yield* Deferred.make<void>()
      const kept = yield* cachedSuccess(Effect.suspend(() => Effect.as(Deferred.await(gate), ++times)))
      const first = yield* Effect.fork(kept)
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(kept)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(second), 2)
    })
  )
})

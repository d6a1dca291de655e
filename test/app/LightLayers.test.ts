import { assert, beforeAll, describe, it } from "@effect/vitest"
import type * as EffectLibrary from "effect"
import { build, type Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root, withFolder } from "../support/Server.ts"

const names = ["Cause", "Context", "Deferred", "Effect", "Exit", "Fiber", "FiberRef", "Layer", "Scope"] as const

type Library = Pick<typeof EffectLibrary, (typeof names)[number]>

const layers = join(root, "node_modules/effect/dist/esm/internal/layer.js")

const lightLayers = (): Promise<{
  readonly makingLightly: (source: string) => string | null
  readonly lightLayers: Plugin
}> => import(join(root, "src", "lightLayers.mjs"))

/** Effect as the build carries it, or as it comes. */
const libraryWith = (plugins: ReadonlyArray<Plugin>): Promise<Library> =>
  withFolder(async (folder) => {
    const outfile = join(folder, "effect.mjs")
    const stdin = { contents: `export { ${names.join()} } from "effect"`, resolveDir: root }
    await build({
      stdin,
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      plugins: [...plugins],
      logLevel: "error"
    })
    return import(outfile)
  })

/** What is told of layers that are made and released. Each test tells the same by both libraries. */
type Story = (library: Library, tell: (what: string) => void) => Promise<unknown>

const stories: Readonly<Record<string, Story>> = {
  "a layer that many need is made once, and released after the last of them": ({ Context, Effect, Layer }, tell) => {
    class Shared extends Context.Tag("Shared")<Shared, number>() {}
    const told = (name: string) =>
      Effect.acquireRelease(
        Effect.sync(() => tell(`+${name}`)),
        () => Effect.sync(() => tell(`-${name}`))
      )
    const shared = Layer.scoped(Shared, Effect.as(told("shared"), 7))
    const user = (name: string) => Layer.scopedDiscard(Effect.andThen(Shared, (value) => told(`${name} of ${value}`)))
    const both = Layer.mergeAll(
      user("first").pipe(Layer.provide(shared)),
      user("second").pipe(Layer.provide(shared)),
      user("third").pipe(Layer.provideMerge(shared))
    )
    const pair = user("fourth").pipe(Layer.provide(shared), Layer.provide(both))
    return Effect.runPromise(
      Effect.scoped(
        Effect.andThen(
          Layer.build(pair),
          Effect.sync(() => tell("used"))
        )
      )
    )
  },
  "fresh layers are made for each, and one that is let go of is made anew": ({ Effect, Layer, Scope, Exit }, tell) => {
    const told = Layer.scopedDiscard(
      Effect.acquireRelease(
        Effect.sync(() => tell("+")),
        () => Effect.sync(() => tell("-"))
      )
    )
    return Effect.runPromise(
      Effect.gen(function* () {
        yield* Effect.scoped(Layer.build(Layer.mergeAll(told, Layer.fresh(told), Layer.fresh(told))))
        const memoMap = yield* Layer.makeMemoMap
        for (const turn of [1, 2]) {
          const [one, other] = [yield* Scope.make(), yield* Scope.make()]
          yield* Layer.buildWithMemoMap(told, memoMap, one)
          yield* Layer.buildWithMemoMap(told, memoMap, other)
          tell(`both ${turn}`)
          yield* Scope.close(other, Exit.void)
          tell(`one ${turn}`)
          yield* Scope.close(one, Exit.void)
        }
      })
    )
  },
  "what a layer changes of the fiber is there for whoever takes it later": ({ Effect, FiberRef, Layer }, tell) => {
    const reference = FiberRef.unsafeMake("as it was")
    const changes = Layer.scopedDiscard(Effect.locallyScoped(reference, "changed"))
    const reads = (name: string) =>
      Layer.effectDiscard(Effect.map(FiberRef.get(reference), (value) => tell(`${name}: ${value}`)))
    const program = Layer.mergeAll(
      reads("beside"),
      reads("over").pipe(Layer.provide(changes)),
      reads("over again").pipe(Layer.provide(changes)),
      Layer.locally(reads("locally"), reference, "there")
    )
    return Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(program.pipe(Layer.provide(reads("below"))))
          tell(`after: ${yield* FiberRef.get(reference)}`)
        })
      )
    )
  },
  "a layer that fails releases what was made, and all who need it fail": ({ Cause, Effect, Layer }, tell) => {
    const told = (name: string) =>
      Layer.scopedDiscard(
        Effect.acquireRelease(
          Effect.sync(() => tell(`+${name}`)),
          () => Effect.sync(() => tell(`-${name}`))
        )
      )
    const fails = Layer.effectDiscard(Effect.suspend(() => (tell("tried"), Effect.fail("broken")))).pipe(
      Layer.provide(told("below"))
    )
    const caught = Layer.catchAll(fails, (error) => Layer.effectDiscard(Effect.sync(() => tell(`instead of ${error}`))))
    return Effect.runPromise(
      Effect.scoped(Layer.build(told("top").pipe(Layer.provide(caught), Layer.merge(fails)))).pipe(
        Effect.catchAllCause((cause) => Effect.sync(() => tell(Cause.pretty(cause))))
      )
    )
  },
  "a layer that is interrupted while it is made releases what it has, and whoever waits for it ends": (
    { Deferred, Effect, Fiber, Layer },
    tell
  ) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const never = Layer.scopedDiscard(
          Effect.acquireRelease(
            Effect.sync(() => tell("+")),
            () => Effect.sync(() => tell("-"))
          ).pipe(Effect.zipRight(Deferred.succeed(begun, undefined)), Effect.zipRight(Effect.never))
        )
        const memoMap = yield* Layer.makeMemoMap
        const making = Effect.scoped(
          Effect.flatMap(Effect.scope, (scope) => Layer.buildWithMemoMap(never, memoMap, scope))
        )
        const first = yield* Effect.fork(making)
        yield* Deferred.await(begun)
        const second = yield* Effect.fork(making)
        const third = yield* Effect.fork(making)
        yield* Effect.yieldNow()
        tell(`third: ${(yield* Fiber.interrupt(third))._tag}`)
        tell(`first: ${(yield* Fiber.interrupt(first))._tag}`)
        tell(`second: ${(yield* Fiber.await(second))._tag}`)
      })
    ),
  "whoever needs a layer that another is making waits for it": ({ Deferred, Effect, Fiber, Layer }, tell) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const goes = yield* Deferred.make<void>()
        const slow = Layer.scopedDiscard(
          Effect.acquireRelease(
            Effect.sync(() => tell("+")),
            () => Effect.sync(() => tell("-"))
          ).pipe(Effect.zipRight(Deferred.await(goes)))
        )
        const memoMap = yield* Layer.makeMemoMap
        const use = (name: string) =>
          Effect.scoped(
            Effect.flatMap(Effect.scope, (scope) => Layer.buildWithMemoMap(slow, memoMap, scope)).pipe(
              Effect.zipRight(Effect.sync(() => tell(name)))
            )
          )
        const both = [yield* Effect.fork(use("first")), yield* Effect.fork(use("second"))]
        yield* Effect.yieldNow()
        tell("goes")
        yield* Deferred.succeed(goes, undefined)
        yield* Fiber.joinAll(both)
      })
    )
}

describe("layers of the build", () => {
  let plain: Library
  let light: Library
  beforeAll(async () => {
    const { lightLayers: plugin } = await lightLayers()
    plain = await libraryWith([])
    light = await libraryWith([plugin])
  })

  const toldBy = async (library: Library, story: Story): Promise<ReadonlyArray<string>> => {
    const told: Array<string> = []
    await story(library, (what) => told.push(what))
    return told
  }

  it.each(Object.entries(stories))("%s", async (_, story) => {
    const told = await toldBy(light, story)
    assert.isNotEmpty(told)
    assert.deepStrictEqual(told, await toldBy(plain, story))
  })

  it("are made one after the other", async () => {
    const told = await toldBy(light, ({ Effect, Layer }, tell) => {
      const slow = (name: string) =>
        Layer.effectDiscard(
          Effect.sync(() => tell(`+${name}`)).pipe(
            Effect.zipRight(Effect.sleep(1)),
            Effect.zipRight(Effect.sync(() => tell(name)))
          )
        )
      const all = Layer.mergeAll(slow("a"), slow("b"), Layer.merge(slow("c"), slow("d")))
      return Effect.runPromise(Effect.scoped(Layer.build(all)))
    })
    assert.deepStrictEqual(told, ["+a", "a", "+b", "b", "+c", "c", "+d", "d"])
  })

  it("fail the build where Effect makes layers in another way", async () => {
    const { makingLightly } = await lightLayers()
    const source = readFileSync(layers, "utf8")
    assert.isNull(makingLightly(source.replace("n === 1", "n === 2")))
    assert.isNull(makingLightly(""))
  })
})

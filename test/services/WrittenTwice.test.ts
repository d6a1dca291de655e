import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Logger, Scope, TestClock } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { aProject } from "../support/analytics/SavedQueries.ts"
import {
  type BufferedWrite,
  bufferedWrites,
  type Pass,
  type Project,
  sound
} from "../support/operations/BufferedWrites.ts"
import { stores } from "../support/Stores.ts"

/**
 * How a write goes wrong: the first one fails before anything of it is stored, or when all of it is; or all of them fail when they are
 * stored, as where a process is killed before it hears of it, and the next process is told the same again.
 */
const faults = ["before", "after", "killed"] as const
type Fault = (typeof faults)[number]

/** Completes `failed` when the first write has failed. */
const failing = (fault: Fault, failed: Deferred.Deferred<void>): Pass => {
  let isOver = false
  const fail = Effect.zipRight(Deferred.succeed(failed, undefined), Effect.dieMessage("The write failed"))
  return (write) =>
    Effect.suspend(() => {
      if (isOver) return write
      isOver = fault !== "killed"
      return fault === "before" ? fail : Effect.zipRight(write, fail)
    })
}

/** Runs a process up to its end: puts the items, waits for the first write to fail, and closes. */
const process = Effect.fnUntraced(function* (of: BufferedWrite, project: Project, fault: Fault) {
  const scope = yield* Scope.make()
  const failed = yield* Deferred.make<void>()
  yield* Scope.extend(of.put(project, failing(fault, failed)), scope)
  yield* TestClock.adjust("10 seconds")
  yield* Deferred.await(failed)
  yield* Scope.close(scope, Exit.void)
})

const silent = Logger.replace(Logger.defaultLogger, Logger.none)

describe("G1: a batch that is written twice counts once", () => {
  for (const [label, store] of stores)
    for (const one of bufferedWrites)
      it.effect.each(faults.map((fault) => ({ fault })))(
        `${one.buffer} in ${label}, ${one.write} failing: $fault`,
        ({ fault }) =>
          Effect.gen(function* () {
            const project = yield* aProject
            yield* one.prepare(project)
            yield* process(one, project, fault)
            if (fault === "killed") yield* Effect.scoped(one.put(project, sound))
            assert.deepStrictEqual(yield* one.look(project), one.expected)
          }).pipe(Effect.provide([store, silent]))
      )

  it("is shown for every buffer that there is", () => {
    const services = join(import.meta.dirname, "..", "..", "src", "services")
    const buffered = readdirSync(services, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .filter((file) => /yield\* makeWriteBehind\b/.test(readFileSync(join(services, file), "utf8")))
      .map((file) => basename(file, ".ts"))
    assert.deepStrictEqual([...new Set(bufferedWrites.map(({ buffer }) => buffer))].toSorted(), buffered.toSorted())
  })
})

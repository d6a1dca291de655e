import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { makeThreadPool, type ThreadPoolOptions } from "../../../src/adapters/node/ThreadPool.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pool-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true }))
)

/** Answers with what it was asked, unless told to end: then at once, or once it has answered. Its file says whether it can start. */
const worker = `
  import { existsSync } from "node:fs"
  import { parentPort, workerData } from "node:worker_threads"
  if (existsSync(workerData)) throw new Error("no room")
  parentPort.on("message", (question) => {
    if (question === "end") process.exit()
    parentPort.postMessage(question)
    if (question === "answer and end") process.exit()
  })
  parentPort.postMessage("ready")
`

const pool = (changes: Partial<ThreadPoolOptions> = {}) =>
  Effect.gen(function* () {
    const made = yield* folder
    const [script, mark] = [join(made, "worker.mjs"), join(made, "full")]
    writeFileSync(script, worker)
    const { ask } = yield* makeThreadPool({ script, threads: 1, memoryMb: 64, workerData: mark, ...changes })
    return { ask: (question: string) => ask<string>(question, 20_000), mark }
  })

/** Counts the threads of this process that have ended. */
const watchedEnds = Effect.gen(function* () {
  let ended = 0
  const watch = (begun: Worker) => begun.once("exit", () => ended++)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("worker", watch)),
    () => Effect.sync(() => process.off("worker", watch))
  )
  return (count: number) => Effect.repeat(Effect.sleep("5 millis"), { until: () => ended >= count })
})

describe("a pool of threads", () => {
  it.scopedLive("fails what it is asked while the system allows no further thread, instead of breaking off", () =>
    Effect.gen(function* () {
      // Node throws for this path at once, as it does for a thread too many.
      const { ask } = yield* pool({ script: "nowhere" })
      for (const _ of [1, 2]) assert.strictEqual((yield* Effect.flip(ask("a"))).reason, "Unstarted")
    })
  )

  it.scopedLive("answers the next question by a new thread where one has ended while nobody asked it", () =>
    Effect.gen(function* () {
      const ends = yield* watchedEnds
      const { ask } = yield* pool()
      assert.strictEqual(yield* ask("answer and end"), "answer and end")
      yield* ends(1)
      assert.strictEqual(yield* ask("b"), "b")
    })
  )

  it.scopedLive("answers the next question where the thread for it could not start, but one can now", () =>
    Effect.gen(function* () {
      const ends = yield* watchedEnds
      const { ask, mark } = yield* pool()
      assert.strictEqual(yield* ask("a"), "a")
      writeFileSync(mark, "")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(ask("end"))))
      yield* ends(2)
      rmSync(mark)
      assert.strictEqual(yield* ask("b"), "b")
    })
  )

  it.scopedLive("keeps a thread that is asked again, and ends one that nobody asks for the time that it may rest", () =>
    Effect.gen(function* () {
      const ends = yield* watchedEnds
      const patient = yield* pool({ restMillis: 60_000 })
      const quick = yield* pool({ restMillis: 20 })
      for (const question of ["a", "b", "c"]) assert.strictEqual(yield* patient.ask(question), question)
      assert.strictEqual(yield* quick.ask("d"), "d")
      yield* ends(1)
      assert.strictEqual(yield* quick.ask("e"), "e")
      yield* ends(2)
      assert.strictEqual(yield* patient.ask("f"), "f")
    })
  )
})

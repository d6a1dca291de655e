import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeThreadPool } from "../../../src/adapters/node/ThreadPool.ts"
import { withFolder } from "../../support/Server.ts"

const tellsWhoItIs = `
  import { parentPort, threadId } from "node:worker_threads"
  parentPort.on("message", () => parentPort.postMessage(threadId))
  parentPort.postMessage("ready")
`

/** The thread that answers each of some questions, with so many milliseconds between them. */
const answering = (pauses: ReadonlyArray<number>, restMillis?: number) =>
  withFolder((folder) => {
    const script = join(folder, "thread.mjs")
    writeFileSync(script, tellsWhoItIs)
    const options = { script, threads: 1, memoryMb: 64, workerData: null }
    return Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const pool = yield* makeThreadPool(restMillis === undefined ? options : { ...options, restMillis })
          const first = yield* pool.ask<number>("who", 10_000)
          const later = yield* Effect.forEach(pauses, (pause) =>
            Effect.zipRight(Effect.sleep(pause), pool.ask<number>("who", 10_000))
          )
          return [first, ...later].map((thread) => thread - first)
        })
      )
    )
  })

describe("a pool of threads", () => {
  it("keeps a thread that is asked again", async () => {
    assert.deepEqual(await answering([0, 100]), [0, 0, 0])
    assert.deepEqual(await answering([0, 0, 0], 60_000), [0, 0, 0, 0])
  })

  it("ends a thread that nobody asks for the time that it may rest, and starts another for the next question", async () => {
    const [, second, third] = await answering([300, 0], 50)
    assert.isAbove(second ?? 0, 0)
    assert.strictEqual(third, second)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { spawnReader } from "../../../../../src/adapters/sqlite/events/threads/ReaderThread.ts"

/** Node throws for this path at once, as it does where the system allows no further thread. */
const refusedAtOnce = "nowhere"

describe("a reader's thread that cannot be started", () => {
  it("says so, and that it has ended, to whoever waits for it, and throws nothing", async () => {
    const heard = await new Promise<ReadonlyArray<string>>((resolve) => {
      const told: Array<string> = []
      const start = { file: "none.sqlite", options: { cacheBytes: 0 } }
      const thread = spawnReader(refusedAtOnce, start, {
        onReply: (reply) => told.push(reply.type === "failed" ? `failed ${reply.id}` : reply.type),
        onEnded: () => resolve([...told, "ended"])
      })
      thread.send({ type: "close" })
      thread.terminate()
      assert.deepStrictEqual(told, [])
    })
    assert.deepStrictEqual(heard, ["failed null", "ended"])
  })
})

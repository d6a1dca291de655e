import { assert, describe, it } from "@effect/vitest"
import { ServerResponse } from "node:http"
import { connect } from "node:net"
import { setImmediate } from "node:timers/promises"
import { vi } from "vitest"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { TurnQueue } from "../../../src/http/platform/TurnQueue.ts"
import { TurnWatch } from "../../../src/http/platform/TurnWatch.ts"
import { listening } from "../../support/game/Listening.ts"

/** A queue on a clock of its own, and what is begun in each turn of the event loop. */
const queueOn = () => {
  const clock = { at: 0 }
  const turns: Array<ReadonlyArray<number>> = []
  const queue = new TurnQueue(() => clock.at)
  let begun: Array<number> = []
  const work = (name: number, millis: number, isLater: boolean) => () => {
    begun.push(name)
    if (isLater) void Promise.resolve().then(() => Promise.resolve().then(() => (clock.at += millis)))
    else clock.at += millis
  }
  const drained = async () => {
    do {
      await setImmediate()
      turns.push(begun)
      begun = []
    } while (queue.length > 0)
    return turns.filter(({ length }) => length > 0)
  }
  return { queue, work, drained }
}

describe("E8: requests that come in one turn of the event loop", () => {
  for (const isLater of [false, true]) {
    it(`begin in order, as many in a turn as fit, where they take their time ${isLater ? "a moment later" : "at once"}`, async () => {
      const { queue, work, drained } = queueOn()
      for (let name = 0; name < 100; name++) queue.add("ada", work(name, 4, isLater))
      const turns = await drained()
      assert.deepStrictEqual(
        turns.flat(),
        Array.from({ length: 100 }, (_, name) => name)
      )
      for (const { length } of turns) assert.isAtMost(length, 6)
      assert.isAbove(turns.length, 16)
    })
  }

  it("are begun for two milliseconds of a turn, as long as other work is done in one", async () => {
    const { queue, work, drained } = queueOn()
    for (let name = 0; name < 100; name++) queue.add("ada", work(name, 1, false))
    const turns = await drained()
    for (const { length } of turns.slice(1)) assert.strictEqual(length, 2)
    assert.strictEqual(turns.flat().length, 100)
  })

  it("begin at once where there is time and nobody waits", async () => {
    const { queue, work, drained } = queueOn()
    queue.add("ada", work(0, 1, false))
    assert.strictEqual(queue.length, 0)
    assert.deepStrictEqual(await drained(), [[0]])
    queue.add("ada", work(1, 1, false))
    assert.strictEqual(queue.length, 0)
  })

  it("begin at once where they are vital, but for those of a crowd of such requests", async () => {
    const { queue, work, drained } = queueOn()
    for (let name = 0; name < 50; name++) queue.add("crowd", work(name, 4, false))
    for (let name = -1; name >= -100; name--) queue.addVital("ada", work(name, 1, false))
    const turns = await drained()
    // The first of the crowd had begun, the others came after four.
    assert.deepStrictEqual(turns[0]?.slice(0, 5), [0, -1, -2, -3, -4])
    for (const { length } of turns) assert.isAtMost(length, 8)
    assert.strictEqual(turns.flat().length, 150)
  })

  it("begin one of each caller in turn, so that nobody waits for all of another", async () => {
    const { queue, work, drained } = queueOn()
    for (let name = 0; name < 2100; name++) queue.add("crowd", work(name, 1, false))
    for (const name of [-1, -2]) queue.add("ada", work(name, 1, false))
    queue.add("grace", work(-3, 1, false))
    const begun = (await drained()).flat()
    assert.deepStrictEqual(begun.slice(0, 8), [0, 1, -1, -3, 2, -2, 3, 4])
    assert.deepStrictEqual(
      begun.filter((name) => name >= 0),
      Array.from({ length: 2100 }, (_, name) => name)
    )
  })

  it("wait while connections come, each of which takes a turn, for sixteen turns at most", async () => {
    const { queue, work } = queueOn()
    const begun: Array<number> = []
    for (let turn = 0; turn < 40; turn++) {
      queue.connect()
      queue.add("ada", () => {
        begun.push(turn)
        work(turn, 1, false)()
      })
      await setImmediate()
    }
    const whileTheyCome = begun.length
    assert.isAtLeast(whileTheyCome, 4)
    assert.isAtMost(whileTheyCome, 12)
    while (queue.length > 0) await setImmediate()
    assert.strictEqual(begun.length, 40)
  })

  it("are one long turn for those who decide what is too much, however often the sockets are read meanwhile", async () => {
    const clock = { at: 0 }
    const waiting = { requests: 3 }
    const watch = new TurnWatch(
      () => clock.at,
      () => waiting.requests
    )
    watch.take(0)
    for (let turn = 0; turn < 60; turn++) {
      clock.at += 10
      await setImmediate()
    }
    assert.deepStrictEqual(watch.take(600), { age: 600, waiting: 3, longFor: 600 })
    waiting.requests = 0
    await setImmediate()
    assert.deepStrictEqual(watch.take(601), { age: 0, waiting: 0, longFor: 601 })
  })

  it("hundreds of one connection do not keep another's /health waiting until the last of them", async () => {
    const ended: Array<string | undefined> = []
    const end: (...given: Array<never>) => unknown = ServerResponse.prototype.end
    vi.spyOn(ServerResponse.prototype, "end").mockImplementation(function (this: ServerResponse, ...given) {
      ended.push(this.req.url)
      return Reflect.apply(end, this, given) as never
    })
    const server = await listening(MemoryStores)
    const [crowd, visitor] = [connect(server.address), connect(server.address)]
    await Promise.all([crowd, visitor].map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
    crowd.resume()
    visitor.resume()
    crowd.write("GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n".repeat(400))
    visitor.write("GET /health HTTP/1.1\r\nhost: a\r\n\r\n")
    while (ended.length < 401) await setImmediate()
    assert.notStrictEqual(ended.at(-1), "/health")
    crowd.destroy()
    visitor.destroy()
    vi.restoreAllMocks()
  })
})

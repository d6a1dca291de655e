import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { memoryStorage, type Storage } from "../../src/sdk/node.ts"
import { answering } from "../support/sdk/AnsweringServer.ts"

const never = () => new Promise<never>(() => undefined)

const silent: Storage = { markers: never, keep: never, remove: never, read: never, write: never, close: never }

const throwing = (): never => {
  throw new Error("the storage is not there")
}

const answer = () => [200, { ingestedMarkersCount: 1, hash: "1", configuration: { price: 7 } }] as const

describe("a storage that never answers", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  const whole = async () => {
    for (let second = 0; second < 90; second++) await vi.advanceTimersByTimeAsync(1000)
  }

  it("is told of, and the client goes on from memory", async () => {
    const { client, bodies, problems } = answering(answer, { storage: silent })
    client.track("Kept nowhere")
    const shop = client.configuration({ name: "shop", defaults: { price: 5 }, pollSeconds: Number.POSITIVE_INFINITY })
    const all = Promise.all([shop.ready, client.flush(), client.recall("mine"), client.keep("mine", "text")])
    await whole()
    assert.deepStrictEqual((await all)[2], null)
    assert.deepStrictEqual([client.waiting(), shop.values.price], [0, 7])
    assert.deepStrictEqual(
      bodies.flatMap((body) => body?.markers ?? []).map(({ eventName }) => eventName),
      ["Kept nowhere"]
    )
    assert.deepStrictEqual([...new Set(problems.map(({ kind }) => kind))], ["storage"])
    assert.strictEqual(problems[0]?.message, "the storage has not answered within 10000 ms")
    const closed = client.close()
    await whole()
    await closed
  })

  it("does not keep a client from being closed while it waits for it", async () => {
    const { client } = answering(answer, { storage: silent, flushSeconds: 0, closeSeconds: 1 })
    client.track("Kept nowhere")
    await vi.advanceTimersByTimeAsync(1)
    const closed = client.close()
    await vi.advanceTimersByTimeAsync(4000)
    await closed
  })
})

describe("a storage that throws", () => {
  it("stops nothing either", async () => {
    const storage = { ...memoryStorage(), read: throwing, keep: throwing, write: throwing, close: throwing }
    const { client, problems } = answering(answer, { storage })
    client.track("Kept nowhere")
    const shop = client.configuration({ name: "shop", defaults: { price: 5 } })
    await Promise.all([shop.ready, client.flush()])
    assert.deepStrictEqual([client.waiting(), shop.values.price, await client.recall("mine")], [0, 7, null])
    await client.close()
    assert.deepStrictEqual([...new Set(problems.map(({ kind }) => kind))], ["storage"])
  })
})

describe("a storage that answers late", () => {
  it("does not bring back what held before the server was asked", async () => {
    const old = JSON.stringify({ hash: "0", configuration: { price: 3 } })
    let remember: (text: string) => void = () => undefined
    const read = () => new Promise<string>((done) => void (remember = done))
    const { client } = answering(answer, { storage: { ...memoryStorage(), read } })
    const shop = client.configuration({ name: "shop", defaults: { price: 5 } })
    const seen: Array<number> = []
    shop.onChange(({ price }) => void seen.push(price))
    await shop.refresh()
    remember(old)
    await shop.ready
    await client.close()
    assert.deepStrictEqual([shop.values.price, seen], [7, [7]])
  })
})

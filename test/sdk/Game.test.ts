import { assert, describe, it } from "@effect/vitest"
import { memoryStorage } from "../../src/sdk/node.ts"
import { answering } from "../support/sdk/AnsweringServer.ts"

const counts = { ingestedMarkersCount: 1, rejectedMarkers: [], staleMarkers: [] }

describe("markers of a game", () => {
  it("are what they were when they were tracked, whatever becomes of its lists", async () => {
    const { client, bodies, problems } = answering(() => [200, counts])
    const items: Array<unknown> = ["sword"]
    const properties: Record<string, unknown> = { items }
    assert.isTrue(Reflect.apply(client.track, client, ["Loot", properties]))
    items.push(items)
    properties["more"] = 1
    await client.flush()
    assert.deepStrictEqual([client.waiting(), bodies[0].markers[0].properties], [0, { items: ["sword"] }])
    assert.deepStrictEqual(problems, [])
  })

  it("may be so many that no function takes them as its arguments", async () => {
    const many = Array.from({ length: 200_000 }, (_, n) => ({ markerId: String(n), timestamp: n, eventName: "Many" }))
    const storage = { ...memoryStorage(), markers: async () => many }
    const { client, problems } = answering((asked) => (asked < 2 ? [200, counts] : [503, {}]), { storage })
    await client.stored()
    await client.flush()
    assert.strictEqual(client.waiting(), 200_000 - 1000)
    assert.deepStrictEqual(
      problems.map(({ kind }) => kind),
      ["unreachable"]
    )
  })

  it("of nobody are for everybody, where a program without types says null", async () => {
    const told = { hash: "a", configurationId: 1, configuration: { price: 7 } }
    const { client, bodies, problems } = answering(() => [200, told])
    const shop = Reflect.apply(client.configuration, client, [{ defaults: { price: 5 }, unit: null }])
    await shop.ready
    const asked = await Reflect.apply(client.evaluate, client, [{ unit: null }])
    assert.deepStrictEqual([shop.values, asked.kind, bodies, problems], [{ price: 7 }, "told", [null, null], []])
    await client.close()
  })

  it("are not gone because somebody on the way answers in the place of the server", async () => {
    for (const [status, body] of [
      [200, { status: "ok" }],
      [200, "<html>"],
      [400, { code: "INVALID_MARKERS" }],
      [204, null]
    ] as const) {
      const { client, problems } = answering(() => [status, body])
      client.track("Kept")
      await client.flush()
      assert.deepStrictEqual([client.waiting(), problems.length], [1, 1])
    }
  })

  it("wait no longer than others once a flush has reached a server that had refused", async () => {
    const { client, bodies } = answering((asked) => (asked === 0 ? [401, {}] : [200, counts]), { flushSeconds: 0.01 })
    client.track("First")
    await client.flush()
    await client.flush()
    client.track("Second")
    while (bodies.length < 3) await new Promise((done) => setTimeout(done, 5))
    assert.deepStrictEqual(
      bodies.map(({ markers }) => markers[0].eventName),
      ["First", "First", "Second"]
    )
    await client.close()
  })

  it("are told of where they are older than the server keeps", async () => {
    const stale = { ingestedMarkersCount: 0, rejectedMarkers: [], staleMarkers: [{ index: 0, markerId: "old" }] }
    const { client, problems } = answering(() => [200, stale])
    client.track("Old", {}, { timestamp: 1 })
    await client.flush()
    assert.deepStrictEqual(problems, [{ kind: "rejected", message: "marker old: it is older than markers are kept" }])
  })
})

describe("functions of a game", () => {
  it("that throw stop neither polls nor the others, and are told", async () => {
    let price = 0
    const { client, problems } = answering(() => {
      price++
      return [200, { hash: String(price), configurationId: 1, configuration: { price } }]
    })
    const shop = client.configuration({ name: "shop", defaults: { price: 0 }, pollSeconds: 0.01 })
    const heard: Array<number> = []
    shop.onChange(() => {
      throw new Error("the shop is not drawn yet")
    })
    shop.onChange((values) => heard.push(values.price))
    await shop.ready
    while (heard.length < 2) await new Promise((done) => setTimeout(done, 5))
    shop.close()
    assert.deepStrictEqual(problems[0], { kind: "listener", message: "the shop is not drawn yet" })
    await client.close()
  })

  it("that fail later end no process, and are told", async () => {
    const { client, problems } = answering(() => [200, { hash: "1", configurationId: 1, configuration: { price: 1 } }])
    const shop = client.configuration({ name: "shop", defaults: { price: 0 } })
    shop.onChange(async () => {
      await Promise.resolve()
      throw new Error("the shop is not saved")
    })
    await shop.ready
    while (problems.length === 0) await new Promise((done) => setTimeout(done, 5))
    assert.deepStrictEqual(problems, [{ kind: "listener", message: "the shop is not saved" }])
    await client.close()
  })

  it("that throw while they are told of a problem stop nothing", async () => {
    const onProblem = () => {
      throw new Error("nothing is drawn yet")
    }
    const { client, bodies } = answering((asked) => (asked === 0 ? [503, {}] : [200, counts]), { onProblem })
    client.track("Sent")
    await client.flush()
    await client.flush()
    assert.deepStrictEqual([client.waiting(), bodies.length], [0, 2])
    await client.close()
  })
})

describe("a configuration", () => {
  it("is asked for no more often than each second, and never where it is to wait longer than a timer can", async () => {
    for (const pollSeconds of [Number.POSITIVE_INFINITY, 86_400 * 30, Number.NaN, 0, -1]) {
      const { client, bodies } = answering(() => [200, { hash: "1", configuration: {} }])
      const shop = client.configuration({ name: "shop", defaults: {}, pollSeconds })
      await shop.ready
      await new Promise((done) => setTimeout(done, 30))
      assert.strictEqual(bodies.length, 1, String(pollSeconds))
      await client.close()
    }
  })

  it("waits for an answer, and for the end, for as long as it is allowed to", async () => {
    const { client, problems } = answering(
      () => [200, counts],
      { timeoutMillis: Number.POSITIVE_INFINITY },
      () => {
        return new Promise((done) => setTimeout(done, 30))
      }
    )
    client.track("Slow")
    await client.close()
    assert.deepStrictEqual([client.waiting(), problems], [0, []])
  })

  it("follows what was taken back between the answers to two questions that were asked at once", async () => {
    const old = [200, { hash: "old", configuration: { price: 1 } }] as const
    const answers = [old, [200, { hash: "new", configuration: { price: 2 } }], [304, null], old] as const
    let goOn = () => {}
    const isTaken = new Promise<void>((go) => (goOn = go))
    const { client, bodies } = answering(
      (asked) => answers[asked] ?? [304, null],
      {},
      (asked) => (asked === 2 ? isTaken : Promise.resolve())
    )
    const shop = client.configuration({ defaults: { price: 0 }, pollSeconds: Number.POSITIVE_INFINITY })
    await shop.ready
    const both = [shop.refresh(), shop.refresh()]
    await both[0]
    assert.strictEqual(shop.values.price, 2)
    goOn()
    await both[1]
    assert.deepStrictEqual([shop.values.price, bodies.length], [1, 4])
    await client.close()
  })

  it("that is closed asks no more and calls nobody back", async () => {
    const { client, bodies } = answering(() => [200, { hash: "1", configuration: { price: 1 } }])
    const shop = client.configuration({ name: "shop", defaults: { price: 0 } })
    let calls = 0
    shop.onChange(() => calls++)
    shop.close()
    await shop.ready
    await shop.refresh()
    assert.deepStrictEqual([shop.values, calls, bodies.length], [{ price: 0 }, 0, 0])
    await client.close()
  })

  it("keeps what is newer where answers overtake one another", async () => {
    const late: Array<() => void> = []
    const { client } = answering(
      (asked) => [200, { hash: String(asked), configuration: { price: asked } }],
      {},
      (asked) => (asked === 0 ? new Promise((done) => late.push(done)) : Promise.resolve())
    )
    const shop = client.configuration({ name: "shop", defaults: { price: -1 } })
    while (late.length === 0) await new Promise((done) => setImmediate(done))
    await shop.refresh()
    late[0]?.()
    await shop.ready
    assert.deepStrictEqual(shop.values, { price: 1 })
    await client.close()
  })

  it("has copies of its environment alone", async () => {
    const storage = memoryStorage()
    const seen: Array<number> = []
    const kept: Array<string | null> = []
    for (const [environment, status] of [
      ["development", 200],
      ["production", 503],
      ["development", 503]
    ] as const) {
      const { client } = answering(() => [status, { hash: "1", configuration: { price: 1 } }], { storage, environment })
      const shop = client.configuration({ name: "shop", defaults: { price: 0 } })
      await shop.ready
      seen.push(shop.values.price)
      shop.close()
      if (status === 200) await client.keep("mine", environment)
      kept.push(await client.recall("mine"))
    }
    assert.deepStrictEqual(seen, [1, 0, 1])
    assert.deepStrictEqual(kept, ["development", null, "development"])
  })
})

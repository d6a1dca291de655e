import { assert, describe, it } from "@effect/vitest"
import { stubbed } from "../support/sdk/StubServer.ts"

describe("options of the client", () => {
  const hindrances: ReadonlyArray<readonly [what: string, options: object, message: RegExp]> = [
    ["an address without a scheme", { url: "play.example.com" }, /^url must be .* and is play\.example\.com$/],
    ["a host and a port", { url: "localhost:4210" }, /^url must be .* and is localhost:4210$/],
    ["no address", { url: undefined }, /^url must be .* and is undefined$/],
    ["an address without a host", { url: "http://" }, /^url is no address: http:\/\/$/],
    ["no key", { key: "" }, /^key must be /],
    ["a key that no header may have", { key: "sdk_\n1" }, /^key or environment /]
  ]
  for (const [what, options, message] of hindrances) {
    it(`${what}: is told once, and nothing is sent or thrown`, async () => {
      const { client, asked, problems } = stubbed([200], { stream: true, ...options })
      assert.isTrue(client.track("Waiting"))
      await client.flush()
      const shop = client.configuration({ name: "shop", defaults: { price: 5 } })
      await shop.ready
      const told = await client.evaluate({})
      assert.deepStrictEqual([shop.values, told.kind, client.waiting(), asked], [{ price: 5 }, "failed", 1, []])
      assert.deepStrictEqual(
        problems.map(({ kind }) => kind),
        ["invalid"]
      )
      assert.match(problems[0]!.message, message)
      await client.close()
      assert.strictEqual(problems.at(-1)!.kind, "lost")
    })
  }

  it("that there are not are named, and the rest holds", async () => {
    const { client, sent, problems } = stubbed([200], { enviroment: "production", flush: 1 })
    client.track("Sent")
    await client.close()
    assert.deepStrictEqual(sent, ["Sent"])
    assert.deepStrictEqual(
      problems.map(({ kind, message }) => [kind, message.split(".")[0]]),
      [
        ["invalid", "enviroment is no option"],
        ["invalid", "flush is no option"]
      ]
    )
    assert.match(problems[0]!.message, /\benvironment\b/)
  })

  it("that are no number where one is needed are named, and the defaults hold", async () => {
    const wrong = { flushSeconds: -1, closeSeconds: "soon", mostWaiting: Number.NaN, timeoutMillis: 0 }
    const { client, sent, problems } = stubbed([200], wrong)
    client.track("Sent")
    await client.close()
    assert.deepStrictEqual(sent, ["Sent"])
    assert.deepStrictEqual(problems, [
      { kind: "invalid", message: "flushSeconds must be a number of at least 0, and is -1: 5 is used" },
      { kind: "invalid", message: "closeSeconds must be a number of at least 0, and is soon: 3 is used" },
      { kind: "invalid", message: "mostWaiting must be a number of at least 0, and is NaN: 10000 is used" },
      { kind: "invalid", message: "timeoutMillis must be a number of at least 1, and is 0: 15000 is used" }
    ])
  })

  it("without an environment mean production, and everything that is asked says so", async () => {
    for (const [given, named] of [
      [undefined, "production"],
      ["", "production"],
      ["development", "development"]
    ]) {
      const { client, asked } = stubbed([200], { environment: given, stream: true })
      client.track("Sent")
      const stop = client.onNotice(() => undefined)
      await client.evaluate({})
      await client.evaluate({ unit: { type: "user", distinctId: "ada" } }).catch(() => undefined)
      await client.runningExperiments("user")
      await client.flush()
      stop()
      await client.close()
      assert.isAtLeast(asked.length, 5)
      assert.deepStrictEqual([...new Set(asked.map(({ headers }) => headers.get("environment")))], [named])
    }
  })
})

describe("markers that are none", () => {
  const cyclic: Record<string, unknown> = {}
  cyclic["self"] = cyclic
  const throwing = Object.defineProperty({}, "level", { enumerable: true, get: () => assert.fail("not now") })
  const cases: ReadonlyArray<readonly [what: string, given: ReadonlyArray<unknown>]> = [
    ["no name", [""]],
    ["a name that is no text", [7]],
    ["properties that are a text", ["Y", "str"]],
    ["properties that are a list", ["Y", [1]]],
    ["a value that no JSON has", ["Y", { n: 1n }]],
    ["a number that no JSON has", ["Y", { share: 0 / 0 }]],
    ["a number that no JSON has, in a list", ["Y", { shares: [1, 1 / 0] }]],
    ["a function", ["Y", { level: () => 3 }]],
    ["an instant that is no number", ["Y", {}, { timestamp: Date.parse("yesterday") }]],
    ["a value that holds itself", ["Y", cyclic]],
    ["a property that throws where it is asked for", ["Y", throwing]],
    ["an id that is no UUID, which the server would replace each time", ["Y", {}, { markerId: "order-17" }]]
  ]
  for (const [what, given] of cases) {
    it(`${what}: is told and not sent`, async () => {
      const { client, sent, kinds } = stubbed([200])
      assert.isFalse(Reflect.apply(client.track, client, given))
      assert.isTrue(Reflect.apply(client.track, client, ["Sent", null, null]))
      await client.flush()
      assert.deepStrictEqual([sent, kinds(), client.waiting()], [["Sent"], ["rejected"], 0])
      await client.close()
    })
  }
})

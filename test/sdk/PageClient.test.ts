import { assert, describe, it } from "@effect/vitest"
import { createClient as createInPage } from "../../src/sdk/browser.ts"
import { memoryStorage, type Problem } from "../../src/sdk/node.ts"
import { answering } from "../support/sdk/AnsweringServer.ts"

const counts = { ingestedMarkersCount: 1, rejectedMarkers: [], staleMarkers: [] }

describe("markers of a page that is hidden", () => {
  it("are told of where the server refuses them: the page may be shown again", async () => {
    const refused = { ...counts, rejectedMarkers: [{ markerId: "big", reason: "it is too large" }] }
    const { client, problems } = answering(() => [200, refused])
    client.track("Big")
    client.leave()
    while (client.waiting() > 0) await new Promise((done) => setImmediate(done))
    assert.deepStrictEqual(problems, [{ kind: "rejected", message: "marker big: it is too large" }])
    await client.close()
  })
})

describe("requests of a page", () => {
  it("go past the cache of the browser, unless the game sends them itself", async () => {
    const asked: Array<RequestInit | undefined> = []
    const send: typeof fetch = async (_, init) => {
      asked.push(init)
      return Response.json({ hash: "1", configuration: {} })
    }
    const options = { url: "http://test", key: "sdk_test", storage: memoryStorage() }
    const own = globalThis.fetch
    globalThis.fetch = send
    await createInPage(options).evaluate({})
    globalThis.fetch = own
    await createInPage({ ...options, fetch: send }).evaluate({})
    assert.deepStrictEqual(
      asked.map((init) => Reflect.get(Object(init), "cache")),
      ["no-store", undefined]
    )
  })
})

describe("a page that may have no database", () => {
  const refused = () => {
    throw new Error("The operation is insecure.")
  }
  const cases: ReadonlyArray<readonly [what: string, property: PropertyDescriptor, kinds: ReadonlyArray<string>]> = [
    ["as it is in a sandboxed frame", { value: { open: refused } }, ["storage"]],
    ["nor ask for one", { get: refused }, []]
  ]
  for (const [what, property, kinds] of cases) {
    it(`${what}, has a client all the same`, async () => {
      Object.defineProperty(globalThis, "indexedDB", { ...property, configurable: true })
      const problems: Array<Problem> = []
      const client = createInPage({
        url: "http://test",
        key: "sdk_test",
        fetch: async () => Response.json(counts),
        onProblem: (problem) => problems.push(problem)
      })
      Reflect.deleteProperty(globalThis, "indexedDB")
      client.track("Sent")
      await client.flush()
      assert.strictEqual(client.waiting(), 0)
      assert.deepStrictEqual([...new Set(problems.map(({ kind }) => kind))], kinds)
      await client.close()
    })
  }
})

describe("pages of one site", () => {
  it("keep what waits apart by server and environment", () => {
    const opened: Array<string> = []
    Reflect.set(globalThis, "indexedDB", {
      open: (name: string) => {
        opened.push(name)
        return {}
      }
    })
    const options = { key: "sdk_test", fetch: async () => Response.json({}) }
    for (const [url, environment] of [
      ["http://one", "production"],
      ["http://one/", undefined],
      ["http://one", "development"],
      ["http://two", "production"]
    ] as const)
      createInPage({ ...options, url, ...(environment === undefined ? {} : { environment }) })
    // Without an address nothing is thrown either: it is told.
    Reflect.apply(createInPage, undefined, [{ key: "sdk_test" }])
    Reflect.deleteProperty(globalThis, "indexedDB")
    assert.deepStrictEqual(opened, [
      "gamekeeper http://one production",
      "gamekeeper http://one production",
      "gamekeeper http://one development",
      "gamekeeper http://two production",
      "gamekeeper  production"
    ])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileStorage, memoryStorage } from "../../src/sdk/node.ts"
import { root, withFolder } from "../support/Server.ts"
import { type Answers, stubbed } from "../support/sdk/StubServer.ts"

/** A game whose server asks for 20 players at once, none of whom is answered before it closes; prints how many answers it got. */
const busyGame = `
  import { createClient } from ${JSON.stringify(join(root, "src/sdk/node.ts"))}
  const client = createClient({ url: "http://localhost", key: "sdk_test", fetch: () => new Promise(() => {}) })
  const asked = Array.from({ length: 20 }, (_, player) =>
    client.evaluate({ name: "shop", unit: { type: "user", distinctId: String(player) } }))
  await client.close()
  console.log((await Promise.all(asked)).filter(({ kind }) => kind === "failed").length)`

/** A game that tracks a marker and ends without closing its client; prints what it was told. */
const endingGame = `
  import { createClient } from ${JSON.stringify(join(root, "src/sdk/node.ts"))}
  createClient({
    url: process.argv[1], key: "sdk_test", flushSeconds: 600, closeSeconds: 0.2, onProblem: ({ kind }) => console.log(kind)
  }).track("Ended")`

const play = (game: string, url = "") =>
  new Promise<{ code: number | null; out: string; err: string }>((ended) => {
    const played = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", game, url], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"]
    })
    let out = ""
    let err = ""
    played.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    played.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
    played.on("close", (code) => ended({ code, out, err }))
  })

describe("closing the client", () => {
  const cases: ReadonlyArray<
    readonly [what: string, answers: Answers, closeSeconds: number, sent: number, kinds: ReadonlyArray<string>]
  > = [
    ["sends what waits", [200], 600, 1, []],
    ["tries again within its limit", ["away", 503, 200], 600, 1, ["unreachable", "unreachable"]],
    ["tells what is lost where the server is away", ["away"], 0.01, 0, ["unreachable", "lost"]],
    ["tells what is lost where the server never answers", ["silent"], 0.01, 0, ["lost"]],
    ["does not wait where the server refuses", [401], 600, 0, ["refused", "lost"]]
  ]
  for (const [what, answers, closeSeconds, count, told] of cases) {
    it(`${what}`, async () => {
      const { client, sent, kinds } = stubbed(answers, { closeSeconds })
      client.track("Closing", { a: 1 })
      await client.close()
      assert.deepStrictEqual([sent.length, kinds()], [count, told])
    })
  }

  it("keeps in the storage what the server does not take, and tries no longer than once", () =>
    withFolder(async (folder) => {
      const first = stubbed(["away"], { closeSeconds: 600, storage: fileStorage(folder) })
      first.client.track("Kept")
      await first.client.close()
      assert.deepStrictEqual(first.kinds(), ["unreachable"])
      const second = stubbed([200], { storage: fileStorage(folder) })
      await second.client.close()
      assert.deepStrictEqual([second.sent, second.kinds()], [["Kept"], []])
    }))

  it("tells what is lost that the storage could not keep", async () => {
    const storage = { ...memoryStorage(), isVolatile: false, keep: () => Promise.reject(new Error("the disk is full")) }
    const { client, kinds } = stubbed(["away"], { closeSeconds: 0.01, storage })
    client.track("Unkept")
    await client.close()
    assert.deepStrictEqual(kinds(), ["storage", "unreachable", "lost"])
  })

  it("happens once, and nothing is taken or asked afterwards", async () => {
    const { client, sent, kinds, asked } = stubbed([200])
    client.track("Closing")
    await Promise.all([client.close(), client.close()])
    assert.isFalse(client.track("Late"))
    await client.flush()
    const told = await client.evaluate({})
    assert.deepStrictEqual(
      [sent, asked.length, told.kind, kinds()],
      [["Closing"], 1, "failed", ["rejected", "unreachable"]]
    )
  })

  it("opens no stream afterwards and tells once that nobody can be asked", async () => {
    const { client, asked, kinds } = stubbed([200], { stream: true })
    await client.close()
    client.onNotice(() => undefined)()
    client.onNotice(() => undefined)
    const late = client.configuration({ defaults: { price: 1 } })
    await late.ready
    await late.refresh()
    assert.deepStrictEqual([asked.length, late.values, kinds()], [0, { price: 1 }, ["unreachable"]])
  })

  it("leaves markers alone of which a page that is no answer says 200", async () => {
    const page: typeof fetch = async () => new Response("<html>Sign in to the network</html>", { status: 200 })
    const { client, kinds } = stubbed([], { fetch: page, closeSeconds: 0.01 })
    client.track("Captive")
    await client.close()
    assert.deepStrictEqual(kinds(), ["unreachable", "lost"])
  })

  it("happens by itself in a process that ends", async () => {
    let body = ""
    const server = createServer((request, response) => {
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () =>
        response.writeHead(200, { "content-type": "application/json" }).end('{"ingestedMarkersCount":1}')
      )
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const { port } = server.address() as AddressInfo
    assert.deepStrictEqual(await play(endingGame, `http://127.0.0.1:${port}`), { code: 0, out: "", err: "" })
    assert.match(body, /"eventName":"Ended"/)
    await new Promise((closed) => server.close(closed))
    assert.deepStrictEqual(await play(endingGame, `http://127.0.0.1:${port}`), {
      code: 0,
      out: "unreachable\nlost\n",
      err: ""
    })
  })

  it("gives up what is under way for many players, without a warning of Node", async () => {
    assert.deepStrictEqual(await play(busyGame), { code: 0, out: "20\n", err: "" })
  })
})

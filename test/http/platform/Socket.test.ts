import { assert, describe, it } from "@effect/vitest"
import { HttpApiBuilder, HttpServer } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, request as httpRequest } from "node:http"
import type { IncomingMessage } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { gzipSync } from "node:zlib"
import { BackupFolderMemory } from "../../../src/adapters/memory/operations/BackupFolder.ts"
import { defaults } from "../../../src/app/Config.ts"
import { Http } from "../../../src/app/Http.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { RouterConfig } from "../../../src/app/Server.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { QuickNode } from "../../support/access/QuickNode.ts"
import type { Answer, Call } from "../../support/TestApp.ts"

const runtime = ManagedRuntime.make(
  HttpApiBuilder.serve().pipe(
    Layer.provide(Http),
    Layer.provide(RouterConfig),
    Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
    Layer.provide(BackupFolderMemory),
    Layer.provide(MemoryStores),
    Layer.provide(SettingsLive({ ...defaults, rateLimits: false })),
    Layer.provide(QuickNode),
    Layer.provide(Logger.remove(Logger.defaultLogger))
  )
)
afterAll(() => runtime.dispose())

let port = 0

const textOf = async (message: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly chunks: Iterable<string | Uint8Array>
}

const exchange = ({ method, path, headers, chunks }: Sent) =>
  new Promise<Answer>((resolve, reject) => {
    const outgoing = httpRequest({ host: "127.0.0.1", port, method, path, headers })
    outgoing.on("error", reject)
    outgoing.on("response", async (message) => {
      const text = await textOf(message)
      const received = new Headers()
      for (const [name, value] of Object.entries(message.headersDistinct)) {
        for (const each of value ?? []) received.append(name, each)
      }
      const body = message.headers["content-type"]?.includes("json") ? JSON.parse(text) : undefined
      resolve({ status: message.statusCode ?? 0, headers: received, text, body })
    })
    for (const chunk of chunks) outgoing.write(chunk)
    outgoing.end()
  })

const request = (method: string, path: string, call: Call = {}) => {
  const json: Record<string, string> = call.body === undefined ? {} : { "content-type": "application/json" }
  const raw = call.body === undefined ? (call.raw as string | Uint8Array | undefined) : JSON.stringify(call.body)
  const headers = { ...json, ...call.headers }
  return exchange({ method, path, headers, chunks: raw === undefined ? [] : [raw] })
}

const marker = (type: string) => ({ markerId: randomUUID(), timestamp: new Date().toISOString(), type, userId: 1 })

describe("markers over a socket", () => {
  let game: Game

  beforeAll(async () => {
    port = await runtime.runPromise(
      HttpServer.addressWith((address) => Effect.succeed(address._tag === "TcpAddress" ? address.port : 0))
    )
    game = await gameOf(request, await openStudio(request, "ada"))
  })

  const post = (chunks: Iterable<string | Uint8Array>, headers: Record<string, string> = {}) =>
    exchange({
      method: "POST",
      path: "/sdk/v1/markers",
      headers: { authorization: game.publicKey, "content-type": "application/json", ...headers },
      chunks
    })

  it("arrive in any number of chunks, also through the middle of a letter", async () => {
    const bytes = Buffer.from(JSON.stringify({ markers: [marker("Käse €")] }))
    const answer = await post(Array.from(bytes, (byte) => Uint8Array.of(byte)))
    assert.deepStrictEqual([answer.status, await game.count("Käse €")], [200, 1])
  })

  it("arrive as gzip", async () => {
    const bytes = gzipSync(JSON.stringify({ markers: [marker("Zip")] }))
    const answer = await post([bytes.subarray(0, 20), bytes.subarray(20)], { "content-encoding": "gzip" })
    assert.deepStrictEqual([answer.status, await game.count("Zip")], [200, 1])
  })

  it("past 1 MiB are refused, whether the length is announced or not", async () => {
    const megabytes = Array.from({ length: 20 }, () => "x".repeat(100_000))
    const announced = await post(megabytes, { "content-length": "2000000" })
    const chunked = await post(megabytes)
    assert.deepStrictEqual([announced.status, announced.body.code], [413, "PAYLOAD_TOO_LARGE"])
    assert.deepStrictEqual([chunked.status, chunked.body.code], [413, "PAYLOAD_TOO_LARGE"])
    assert.strictEqual((await post([JSON.stringify({ markers: [marker("After")] })])).status, 200)
  })

  it("leave the server well when the game hangs up half way", async () => {
    const headers = { authorization: game.publicKey, "content-type": "application/json", "content-length": "1000" }
    await new Promise<void>((resolve) => {
      const outgoing = httpRequest({ host: "127.0.0.1", port, method: "POST", path: "/sdk/v1/markers", headers })
      outgoing.on("error", () => resolve())
      outgoing.on("close", () => resolve())
      outgoing.write('{"markers":[', () => outgoing.destroy())
    })
    assert.strictEqual((await post([JSON.stringify({ markers: [marker("Survivor")] })])).status, 200)
  })

  it("fill in the past with bodies of many megabytes, plain and gzip", async () => {
    const lines = Array.from(
      { length: 20_000 },
      () => `${JSON.stringify({ ...marker("Fill"), value: "x".repeat(99) })}\n`
    )
    const headers = { "content-type": "application/x-ndjson" }
    const plain = await game.fill(lines.join(""), headers)
    const again = await game.fill(gzipSync(lines.join("")), { ...headers, "content-encoding": "gzip" })
    assert.deepStrictEqual([plain.status, plain.body.ingestedMarkersCount], [200, 20_000])
    assert.deepStrictEqual([again.status, again.body.duplicateMarkersCount], [200, 20_000])
  })

  it.each([
    ["at their end", Buffer.from(`${JSON.stringify(marker("Spoiled"))}\n\xff`, "latin1")],
    ["at once, as gzip that nobody names", gzipSync(JSON.stringify(marker("Spoiled")))],
    ["long before their end", Buffer.from(`\xff${`${"x".repeat(65_535)}\n`.repeat(200)}`, "latin1")]
  ])("that are no UTF-8 fill in nothing, and whoever sent them is told so: %s", async (_, bytes) => {
    const answer = await game.fill(bytes)
    const why = bytes[0] === 0x1f ? ": it is gzip, which the header content-encoding: gzip has to say" : ""
    const message = `The body is not valid UTF-8${why}; markers that came before may be stored`
    assert.deepInclude(answer.body, { statusCode: 400, code: "MALFORMED_JSON", message })
    assert.strictEqual((await post([JSON.stringify({ markers: [marker("After")] })])).status, 200)
  })
})

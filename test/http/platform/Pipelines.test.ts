import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { mostWaiting } from "../../../src/http/platform/Pipelines.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { listening } from "../../support/game/Listening.ts"

const token = "prometheus-reads-with-this"
const server = await listening(MemoryStores, { metricsToken: Redacted.make(token) })
const studio = await openStudio(server.request, "ada")
const key = await mintKey(server.request, studio, { permissions: ["sdk:read"] })

const written = (method: string, path: string, headers: Record<string, string>, body = ""): string => {
  const all = { host: "a", ...headers, "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`
}

const boards = `/application/${studio.applicationId}/boards`
const json = { ...studio.cookie, "content-type": "application/json" }
const board = (name: string) => written("POST", boards, json, JSON.stringify({ name }))
const stream = written("GET", "/sdk/v2/stream", { authorization: `Bearer ${key}` })

/** Sends it all at once, and waits until the first answer begins. */
const sent = async (requests: ReadonlyArray<string>): Promise<Socket> => {
  const socket = connect(server.address).on("error", () => undefined)
  socket.write(requests.join(""))
  await once(socket, "data")
  return socket
}

const names = async () => {
  const { body } = await server.request("GET", boards, { headers: studio.cookie })
  return body.items.map(({ name }: { readonly name: string }) => name)
}

const inFlight = async (): Promise<number> => {
  const { text } = await server.request("GET", "/metrics", { headers: { authorization: `Bearer ${token}` } })
  return Number(/_requests_in_flight(?:\{[^}]*\})? (\d+)/.exec(text)?.[1])
}

describe("E8: requests that one connection sends without waiting for answers", () => {
  it("begin once those before them are answered, and never where the connection has closed by then", async () => {
    const before = await inFlight()
    const socket = await sent([stream, board("behind a stream"), board("behind that")])
    assert.deepStrictEqual(await names(), [])
    assert.strictEqual(await inFlight(), before + 3)
    socket.destroy()
    while ((await inFlight()) > before) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepStrictEqual(await names(), [])
  })

  it("are all answered, in their order", async () => {
    const wanted = Array.from({ length: 30 }, (_, place) => `board ${place}`)
    const socket = connect(server.address)
    let text = ""
    socket.on("data", (piece) => (text += piece.toString()))
    const last = written("GET", "/health", { connection: "close" })
    socket.write([...wanted.map(board), last].join(""))
    await once(socket, "close")
    assert.deepStrictEqual(
      [...text.matchAll(/"name":"(board \d+)"/g)].map(([, name]) => name),
      wanted
    )
    assert.match(text, /"status":"ok"\}$/)
  })

  it("close it where more wait than may: behind a stream, which never ends, they would fill the memory", async () => {
    const before = await inFlight()
    const waiting = Array.from({ length: mostWaiting }, () => written("GET", "/health", {}))
    const full = await sent([stream, ...waiting])
    const over = connect(server.address).on("error", () => undefined)
    over.write([stream, ...waiting, board("too many")].join(""))
    await once(over.resume(), "close")
    while ((await inFlight()) > before + 1 + mostWaiting) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.isFalse(full.destroyed)
    full.destroy()
    while ((await inFlight()) > before) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.notInclude(await names(), "too many")
  })
})

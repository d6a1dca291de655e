import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll } from "vitest"
import { MemoryMetadata } from "../../../src/adapters/memory/Memory.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { limitConnections } from "../../../src/http/platform/ConnectionLimit.ts"
import { RequestLimits } from "../../../src/services/operations/RequestLimits.ts"

const limitsWith = (settings: Partial<typeof defaults>) =>
  Effect.runSync(
    Effect.provide(
      RequestLimits,
      Layer.provide(
        RequestLimits.Default,
        Layer.merge(MemoryMetadata, SettingsLive({ ...defaults, connectionLimit: 2, ...settings }))
      )
    )
  )

describe("connections of one address", () => {
  const address = "203.0.113.1"

  it("are counted while they are open, by network, and refused past the limit", () => {
    const { connect: open } = limitsWith({})
    const first = open(address)
    assert.isDefined(first)
    assert.isDefined(open(`::ffff:${address}`))
    assert.isUndefined(open(address))
    assert.isDefined(open("203.0.113.2"))
    first?.()
    assert.isDefined(open(address))
    assert.isUndefined(open(address))
  })

  it.each([
    ["a private address, behind which everybody may be", {}, "10.0.0.1"],
    ["a proxy that says who calls", { trustProxy: true }, address],
    ["limits that are off", { rateLimits: false }, address]
  ])("are not counted of %s", (_, settings, from) => {
    const { connect: open } = limitsWith(settings)
    for (let count = 0; count < 5; count++) assert.isDefined(open(from))
  })
})

describe("a server that limits connections", () => {
  let open = 0
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end("fine")
  })
  limitConnections(server, () => {
    if (open === 2) return undefined
    open++
    return () => void open--
  })
  beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
  afterAll(() => void server.close())

  const connected = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
    await once(socket, "connect")
    return socket
  }
  const asked = async (socket: Socket): Promise<string> => {
    let text = ""
    socket.on("data", (chunk) => (text += chunk.toString())).on("error", () => undefined)
    const ended = once(socket, "close")
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    await ended
    return text
  }

  it("answers those it takes, says no to others, and reads nothing of them", async () => {
    const [first, second, third] = [await connected(), await connected(), await connected()]
    const refused = await asked(third)
    assert.match(refused, /^(HTTP\/1\.1 429 Too Many Requests\r\n[^]*"code":"RATE_LIMITED"[^]*)?$/)
    assert.strictEqual(requests, 0)
    assert.include(await asked(first), "fine")
    assert.include(await asked(await connected()), "fine")
    assert.include(await asked(second), "fine")
    assert.strictEqual(open, 0)
  })
})

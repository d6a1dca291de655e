import { assert, describe, it } from "@effect/vitest"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { connect } from "node:net"
import { boundClose } from "../../../src/http/platform/BoundedClose.ts"
import { interceptRequests } from "../../../src/http/platform/RequestInterception.ts"

describe("a server that stops", () => {
  it("answers a request that has arrived and is not read yet, and ends its connection then", async () => {
    const server = createServer()
    interceptRequests(server, () => false)
    boundClose(server, { drainMillis: 60_000, hangUp: () => {} })
    const answer = ({ url }: IncomingMessage, response: ServerResponse) => void response.end(`answer to ${url}`)
    server.on("request", answer)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const socket = connect(address !== null && typeof address === "object" ? address.port : 0, "127.0.0.1")
    const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(text)))
    let text = ""
    socket.on("error", () => {})
    const first = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        text += String(chunk)
        if (text.endsWith("/first")) resolve()
      })
    })
    socket.write("GET /first HTTP/1.1\r\nhost: x\r\n\r\n")
    await first
    await new Promise((resolve) => setTimeout(resolve, 20))

    // In one turn of the event loop, so that the server has not read it.
    socket.write("GET /second HTTP/1.1\r\nhost: x\r\n\r\n")
    server.off("request", answer)
    const closed = new Promise((resolve) => server.close(resolve))
    assert.match(await ended, /Connection: close\r\n[\s\S]*answer to \/second$/)
    await closed
  })
})

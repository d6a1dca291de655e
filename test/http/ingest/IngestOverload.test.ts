import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connect } from "node:net"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { listening } from "../../support/game/Listening.ts"

let isOverloaded = false

const stores = Layer.effect(
  EventStore,
  Effect.map(EventStore, (inner) => EventStore.of({ ...inner, isOverloaded: () => isOverloaded }))
).pipe(Layer.provideMerge(MemoryStores))

describe("I8: while too many markers wait to be stored", () => {
  it("further ones are refused by their headers, before their body has come", async () => {
    const server = await listening(stores)
    const studio = await openStudio(server.request, "ada")
    const authorization = await mintKey(server.request, studio, { type: "public" })
    const send = () =>
      server.request("POST", "/sdk/v1/markers", {
        headers: { authorization },
        body: { markers: [{ timestamp: Date.now(), eventName: "Level", distinctId: "ann" }] }
      })
    assert.strictEqual((await send()).status, 200)

    isOverloaded = true
    const socket = connect(server.address)
    const answer = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(chunk.toString())))
    socket.write(
      `POST /sdk/v1/markers HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`
    )
    const text = await answer
    socket.destroy()
    assert.match(text, /^HTTP\/1\.1 503 /)
    assert.match(text, /retry-after: 2\r\n/)
    assert.include(text, '"errorCode":"OVERLOADED"')
    const refused = await send()
    assert.deepStrictEqual([refused.status, refused.body.errorCode], [503, "OVERLOADED"])
    assert.strictEqual((await server.request("GET", "/sdk/v2/status", { headers: { authorization } })).status, 200)

    isOverloaded = false
    assert.strictEqual((await send()).status, 200)
  })
})

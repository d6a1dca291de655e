import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { EventStore, StoreFull } from "../../../src/ports/analytics/EventStore.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { listening } from "../../support/game/Listening.ts"
import { tickingClock } from "../../support/TickingClock.ts"

/** So small that its body comes at once and is parsed at once: what takes turns is the reading of its markers. */
const batch = () => Array.from({ length: 900 }, () => ({ markerId: randomUUID(), timestamp: Date.now(), type: "L" }))

/** A server on whose clock every part of a request fills a slice, and what its store was given. */
const slow = async () => {
  const appended: Array<number> = []
  const state = { isFull: false, isReading: false }
  const clock = tickingClock(4)
  /** Slices that are full from now on. */
  const fill = (slices: number) => (clock.state.looks = slices)
  const stores = Layer.effect(
    EventStore,
    Effect.map(EventStore, (inner) =>
      EventStore.of({
        ...inner,
        // Asked before the first marker of an environment is read. Whatever looked at the clock before has not taken these slices.
        names: (environmentId) =>
          Effect.tap(inner.names(environmentId), () => {
            state.isReading = true
            fill(200)
            return Effect.void
          }),
        append: (environmentId, receivedAt, events) => {
          state.isReading = false
          if (state.isFull) return Effect.fail(new StoreFull())
          appended.push(events.length)
          return inner.append(environmentId, receivedAt, events)
        }
      })
    )
  ).pipe(Layer.provideMerge(MemoryStores))
  const server = await listening(stores, {}, Layer.merge(Logger.remove(Logger.defaultLogger), clock.layer))
  const studio = await openStudio(server.request, "ada")
  const authorization = await mintKey(server.request, studio, { type: "public" })
  const send = (markers: ReadonlyArray<object>) =>
    server.request("POST", "/sdk/v1/markers", { headers: { authorization }, body: { markers } })
  return { fill, server, authorization, send, appended, state }
}

describe("a request of many markers", () => {
  it("is read in slices, between which the event loop takes turns for others", async () => {
    const { server, send, appended, state } = await slow()
    const watched = { isOver: false, turnsWhileRead: 0 }
    const watch = () => {
      if (state.isReading) watched.turnsWhileRead++
      if (!watched.isOver) setImmediate(watch)
    }
    watch()
    const [sent, asked] = await Promise.all([send(batch()), server.request("GET", "/health")])
    watched.isOver = true
    assert.deepStrictEqual([sent.body.ingestedMarkersCount, asked.status], [900, 200])
    assert.deepStrictEqual(appended, [900])
    // The markers are read 25 at a time, and each part fills a slice.
    assert.isAtLeast(watched.turnsWhileRead, 30)
  })

  it("leaves nothing or all of it where its sender hangs up between the slices, and may be sent again", async () => {
    const { server, authorization, send, appended, fill } = await slow()
    const markers = batch()
    const head = `POST /sdk/v1/markers HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: application/json`
    const body = JSON.stringify({ markers })
    for (const answersBefore of [1, 2, 3]) {
      fill(200)
      const socket = connect(server.address, () =>
        socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      )
      for (let count = 0; count < answersBefore; count++) await server.request("GET", "/health")
      socket.destroy()
    }
    const again = await send(markers)
    assert.strictEqual(again.status, 200)
    assert.isTrue(appended.every((count) => count === 900))
    assert.strictEqual(again.body.ingestedMarkersCount + again.body.duplicateMarkersCount, 900)
  })

  it("leaves nothing of it where the disk is full once it is read", async () => {
    const { send, appended, state, fill } = await slow()
    const markers = batch()
    state.isFull = true
    fill(200)
    const refused = await send(markers)
    assert.deepStrictEqual([refused.status, refused.body.errorCode], [507, "STORAGE_FULL"])
    state.isFull = false
    assert.strictEqual((await send(markers)).body.ingestedMarkersCount, 900)
    assert.deepStrictEqual(appended, [900])
  })
})

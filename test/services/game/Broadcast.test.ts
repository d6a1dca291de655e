import { assert, describe, it } from "@effect/vitest"
import { Broadcast, heardPerTurn } from "../../../src/services/game/Broadcast.ts"

const listenersOf = (count: number) => {
  const heard: Array<[listener: number, byte: number]> = []
  const listeners = Array.from({ length: count }, (_, index) => ({
    send: (bytes: Uint8Array) => void heard.push([index, bytes[0] ?? 0]),
    close: () => undefined
  }))
  return { heard, listeners }
}

describe("E8: one publish to 5,000 streams", () => {
  it("is written in portions, and everybody hears everything in order", () => {
    const { heard, listeners } = listenersOf(5000)
    const broadcast = new Broadcast()
    for (const byte of [1, 2, 3]) broadcast.send(listeners, Uint8Array.of(byte))
    assert.lengthOf(heard, 0)
    for (let isMore = true, before = 0; isMore; before = heard.length) {
      isMore = broadcast.next()
      assert.isAtMost(heard.length - before, heardPerTurn)
    }
    assert.lengthOf(heard, 15_000)
    for (const index of [0, 99, 100, 4999]) {
      assert.deepStrictEqual(
        heard.filter(([listener]) => listener === index).map(([, byte]) => byte),
        [1, 2, 3]
      )
    }
    assert.isFalse(broadcast.next())
  })

  it("goes to those who listened when it was sent", () => {
    const { heard, listeners } = listenersOf(3)
    const broadcast = new Broadcast()
    broadcast.send(listeners.slice(0, 2), Uint8Array.of(1))
    broadcast.send(listeners, Uint8Array.of(2))
    broadcast.next()
    assert.deepStrictEqual(heard, [
      [0, 1],
      [1, 1],
      [0, 2],
      [1, 2],
      [2, 2]
    ])
  })

  it("makes whoever publishes without pause wait for the streams", () => {
    const { heard, listeners } = listenersOf(1000)
    const broadcast = new Broadcast()
    for (let byte = 0; byte < 33; byte++) broadcast.send(listeners, Uint8Array.of(byte))
    assert.lengthOf(heard, 33_000)
  })
})

import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { answering } from "../support/sdk/AnsweringServer.ts"

const counts = { ingestedMarkersCount: 1, rejectedMarkers: [], staleMarkers: [] }

const namesIn = (bodies: ReadonlyArray<any>): ReadonlyArray<string> =>
  bodies.flatMap((body) => body.markers).map(({ eventName }) => eventName)

describe("markers of a page that was hidden after the server failed", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
  afterEach(() => void vi.useRealTimers())

  for (const secondsHidden of [1, 3600]) {
    it(`are sent by themselves once it is shown again after ${secondsHidden} seconds`, async () => {
      const { client, bodies } = answering((asked) => (asked < 8 ? [503, {}] : [200, counts]), { flushSeconds: 5 })
      client.track("Failed")
      for (let failure = 0; failure < 8; failure++) await client.flush()
      client.leave()
      await vi.advanceTimersByTimeAsync(1000 * secondsHidden)
      client.track("Shown again")
      await vi.advanceTimersByTimeAsync(5000)
      assert.deepStrictEqual(namesIn(bodies.slice(8)), ["Failed", "Shown again"])
      await client.close()
    })
  }

  it("are sent by themselves where what was under way fails after the last request of the page has arrived", async () => {
    let fail: () => void = () => undefined
    const { client, bodies } = answering(
      (asked) => (asked === 0 ? [503, {}] : [200, counts]),
      { flushSeconds: 5 },
      (asked) => (asked === 0 ? new Promise((done) => void (fail = done)) : Promise.resolve())
    )
    client.track("Under way")
    const flushed = client.flush()
    await vi.advanceTimersByTimeAsync(1)
    client.leave()
    await vi.advanceTimersByTimeAsync(1)
    fail()
    await flushed
    await vi.advanceTimersByTimeAsync(3_600_000)
    client.track("Shown again")
    await vi.advanceTimersByTimeAsync(5000)
    assert.deepStrictEqual(namesIn(bodies), ["Under way", "Under way", "Shown again"])
    await client.close()
  })
})

import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { refusedWaitMillis, waitMillis } from "../../src/sdk/Backoff.ts"
import { batchOf, type Marker } from "../../src/sdk/Marker.ts"
import { messageOf } from "../../src/sdk/Problem.ts"
import { makeTransport, retryAfterIn } from "../../src/sdk/Transport.ts"
import { overlay } from "../../src/sdk/Overlay.ts"
import { runCount } from "../support/Runs.ts"

const markersOf = (lengths: ReadonlyArray<number>): ReadonlyArray<Marker> =>
  lengths.map((length, n) => ({ markerId: String(n), timestamp: n, eventName: "é".repeat(length) }))

describe("the wait after failures", () => {
  it("grows up to five minutes, and is never less than the server asks for", () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.float({ min: 0, max: 0.75, noNaN: true }),
        fc.option(fc.nat(200)),
        (failures, chance, asked) => {
          const wait = waitMillis(failures, chance, asked)
          assert.isAtLeast(wait, Math.max(500, (asked ?? 0) * 1000))
          assert.isAtMost(wait, 300_000)
        }
      ),
      { numRuns: runCount(200) }
    )
    assert.deepStrictEqual(
      [1, 2, 3, 30].map((failures) => waitMillis(failures, 0, null)),
      [500, 1000, 2000, 150_000]
    )
  })

  it("is two and a half to five minutes where a later try hardly changes what was answered", () => {
    assert.deepStrictEqual([0, 0.5].map(refusedWaitMillis), [150_000, 225_000])
  })
})

describe("why a server cannot be reached", () => {
  const away = new Error("connect ECONNREFUSED 127.0.0.1:4210")
  it.each([
    [
      "as Node throws it",
      new TypeError("fetch failed", { cause: away }),
      "fetch failed: connect ECONNREFUSED 127.0.0.1:4210"
    ],
    [
      "of several addresses, whose error has a code and no message",
      new TypeError("fetch failed", { cause: Object.assign(new AggregateError([away]), { code: "ECONNREFUSED" }) }),
      "fetch failed: ECONNREFUSED"
    ],
    ["as browsers throw it", new TypeError("Failed to fetch"), "Failed to fetch"],
    ["where it is no error", "odd", "odd"]
  ])("is told with what was behind it: %s", async (_, thrown, message) => {
    assert.strictEqual(messageOf(thrown), message)
    const options = {
      url: "https://play.example.com/",
      key: "sdk_x",
      timeoutMillis: 15_000,
      fetch: () => Promise.reject(thrown)
    }
    const reply = await makeTransport(options, new AbortController().signal)("GET", "/sdk/v2/status")
    assert.deepStrictEqual(reply, { isReached: false, reason: `https://play.example.com: ${message}` })
  })
})

describe("how long a server asks to be left alone", () => {
  const date = "Sat, 28 Nov 2026 10:00:00 GMT"
  const cases: ReadonlyArray<readonly [headers: Record<string, string>, seconds: number | null]> = [
    [{}, null],
    [{ "retry-after": "120" }, 120],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "Infinity" }, null],
    [{ "retry-after": "Sat, 28 Nov 2026 10:02:00 GMT", date }, 120],
    [{ "retry-after": "Sat, 28 Nov 2026 09:00:00 GMT", date }, 0],
    [{ "retry-after": "Sat, 28 Nov 2020 09:00:00 GMT" }, 0]
  ]
  for (const [headers, seconds] of cases)
    it(`is read off ${JSON.stringify(headers)}`, () => assert.strictEqual(retryAfterIn(new Headers(headers)), seconds))

  it("is read off the player's clock where no other is told", () => {
    const asked = retryAfterIn(new Headers({ "retry-after": new Date(Date.now() + 60_000).toUTCString() })) ?? 0
    assert.isTrue(asked > 50 && asked <= 60, String(asked))
  })
})

describe("a batch", () => {
  it("is of the first markers, as many as have room, and one at least", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(30), { maxLength: 20 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 400 }),
        (lengths, mostMarkers, mostBytes) => {
          const markers = markersOf(lengths)
          const batch = batchOf(markers, mostMarkers, mostBytes)
          assert.deepStrictEqual(batch, markers.slice(0, batch.length))
          assert.isAtMost(batch.length, mostMarkers)
          const bytes = batch.reduce((sum, marker) => sum + Buffer.byteLength(JSON.stringify(marker)) + 1, 0)
          assert.isTrue(batch.length === Math.min(1, markers.length) || bytes <= mostBytes)
        }
      ),
      { numRuns: runCount(200) }
    )
  })
})

describe("values over defaults", () => {
  const laid = (defaults: object, values: unknown) => {
    const mismatches: Array<string> = []
    return { values: overlay(defaults, values, (path) => mismatches.push(path)), mismatches }
  }

  it("take the places of defaults of their kind", () => {
    const defaults = { price: 5, shop: { isOpen: true, items: ["axe"] }, limit: null }
    assert.deepStrictEqual(laid(defaults, { price: 7, shop: { items: [] }, limit: 3, extra: "x" }), {
      values: { price: 7, shop: { isOpen: true, items: [] }, limit: 3, extra: "x" },
      mismatches: []
    })
    assert.deepStrictEqual(laid(defaults, { price: "7", shop: { isOpen: 1, items: {} } }), {
      values: defaults,
      mismatches: ["price", "shop.isOpen", "shop.items"]
    })
    for (const none of [null, [], "text", undefined]) assert.deepStrictEqual(laid(defaults, none).values, defaults)
  })

  it("never change what they are laid over, nor what objects inherit", () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (defaults, values) => {
        const before = structuredClone(defaults)
        laid(defaults, values)
        assert.deepStrictEqual(defaults, before)
      }),
      { numRuns: runCount(200) }
    )
    const { values } = laid({}, JSON.parse('{"__proto__": {"polluted": true}}'))
    assert.notProperty({}, "polluted")
    assert.isFalse("polluted" in values)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { networkOf } from "../../../src/domain/operations/Network.ts"
import { Shedding } from "../../../src/domain/operations/Shedding.ts"
import { fullBucket, standingOf, takeToken } from "../../../src/domain/operations/TokenBucket.ts"

describe("E2: a token bucket", () => {
  const rate = { burst: 3, perSecond: 2 }

  it("gives what it holds at once, then so much a second, and never more than it holds", () => {
    const bucket = fullBucket(rate, 0)
    const taken = [0, 0, 0, 0, 499, 500, 500, 1500, 1500, 1500, 60_000, 60_000, 60_000, 60_000].map((now) => {
      const isAllowed = takeToken(bucket, rate, now)
      const { remaining, retryAfterSeconds } = standingOf(bucket, rate, isAllowed)
      return [isAllowed, remaining, retryAfterSeconds]
    })
    assert.deepStrictEqual(taken, [
      [true, 2, 0],
      [true, 1, 0],
      [true, 0, 0],
      [false, 0, 1],
      [false, 0, 1],
      [true, 0, 0],
      [false, 0, 1],
      [true, 1, 0],
      [true, 0, 0],
      [false, 0, 1],
      [true, 2, 0],
      [true, 1, 0],
      [true, 0, 0],
      [false, 0, 1]
    ])
  })

  it("says when it is full again, and survives a clock that goes back", () => {
    const bucket = fullBucket(rate, 1000)
    for (let n = 0; n < 3; n++) takeToken(bucket, rate, 1000)
    assert.strictEqual(standingOf(bucket, rate, true).resetSeconds, 2)
    assert.isFalse(takeToken(bucket, rate, 0))
    assert.isTrue(takeToken(bucket, rate, 500))
  })
})

describe("E2: the network of an address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["127.0.0.1", undefined],
    ["::ffff:127.0.0.1", undefined],
    ["10.1.2.3", undefined],
    ["172.15.0.1", "172.15.0.1"],
    ["172.16.0.1", undefined],
    ["172.31.255.1", undefined],
    ["172.32.0.1", "172.32.0.1"],
    ["192.168.1.1", undefined],
    ["169.254.0.9", undefined],
    ["100.64.0.1", undefined],
    ["100.128.0.1", "100.128.0.1"],
    ["::1", undefined],
    ["fe80::1", undefined],
    ["fd00::1", undefined],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["2001::1:2:3:4:6", "2001:0:0:1"],
    ["2001:db8:1:2::", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::6", "2001:db8:1:2"],
    ["unknown", undefined],
    ["", undefined]
  ])("of %s is %s", (address, network) => {
    assert.strictEqual(networkOf(address), network)
  })
})

describe("I8: what is refused under load", () => {
  it("is nothing until all turns have been long for half a second, and nothing a second after the last refusal", () => {
    const shedding = new Shedding()
    const refuses = (age: number, longFor: number, now: number) =>
      shedding.refuses("people", { age, longFor, waiting: 16 }, now)
    assert.isFalse(refuses(400, 499, 0))
    assert.isTrue(refuses(400, 500, 0))
    assert.isFalse(refuses(2, 0, 999))
    assert.isTrue(refuses(3, 0, 999))
    assert.isTrue(refuses(3, 0, 1998))
    assert.isFalse(refuses(3, 0, 2998))
  })

  it("is nothing of the few requests that one browser has at once, however slow the machine", () => {
    assert.isFalse(new Shedding().refuses("people", { age: 5000, longFor: 60_000, waiting: 15 }, 0))
  })

  it("is people first, then markers, then games", () => {
    const shedding = new Shedding()
    const refused = (age: number) =>
      (["people", "ingest", "games"] as const).filter((each) =>
        shedding.refuses(each, { age, longFor: 600, waiting: 16 }, 0)
      )
    assert.deepStrictEqual([0, 3, 6, 10].map(refused), [
      [],
      ["people"],
      ["people", "ingest"],
      ["people", "ingest", "games"]
    ])
  })
})

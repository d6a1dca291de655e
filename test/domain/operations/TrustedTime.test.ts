import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { believedAfter, observe, trustedFrom } from "../../../src/domain/operations/TrustedTime.ts"

const day = 86_400_000
const now = Date.UTC(2026, 5, 1)

describe("I6: trusted time", () => {
  it("follows a clock that is right, a little fast or a little slow", () => {
    let time = trustedFrom(now, now, 0)
    for (let hour = 1; hour < 100; hour++) {
      time = observe(time, now + hour * 3_600_000 + (hour % 3) * 500, hour * 3_600_000)
      assert.strictEqual(time.at, now + hour * 3_600_000 + (hour % 3) * 500)
    }
  })

  it("does not follow a clock that is 60 days ahead for 9 seconds, whenever that is looked at", () => {
    let time = trustedFrom(now, now, 0)
    time = observe(time, now + 60 * day + 3000, 3000)
    assert.strictEqual(time.at, now + 3000)
    time = observe(time, now + 60 * day + 9000, 9000)
    assert.strictEqual(time.at, now + 9000)
    time = observe(time, now + 10_000, 10_000)
    assert.deepStrictEqual(time, { at: now + 10_000, uptime: 10_000, ahead: null })
  })

  it("begins with what was believed before the restart, not with a wrong clock", () => {
    assert.strictEqual(trustedFrom(now, now + 60 * day, 0).at, now)
    assert.strictEqual(trustedFrom(null, now, 0).at, now)
    assert.strictEqual(trustedFrom(now, now - day, 0).at, now - day)
  })

  it("believes the clock after a long time without power, once it has stayed the same for six hours", () => {
    let time = trustedFrom(now, now + 90 * day, 0)
    for (let hour = 0; hour < 6; hour++) {
      time = observe(time, now + 90 * day + hour * 3_600_000, hour * 3_600_000)
      assert.strictEqual(time.at, now + hour * 3_600_000)
    }
    time = observe(time, now + 90 * day + believedAfter, believedAfter)
    assert.strictEqual(time.at, now + 90 * day + believedAfter)
  })

  it("waits anew where the clock jumps again", () => {
    let time = observe(trustedFrom(now, now, 0), now + 60 * day, 0)
    time = observe(time, now + 90 * day + believedAfter, believedAfter)
    assert.strictEqual(time.at, now + believedAfter)
  })

  it("is never later than the clock, nor than uptime allows until six hours have passed", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: -day, max: 90 * day }))),
        (steps) => {
          let time = trustedFrom(now, now, 0)
          let uptime = 0
          for (const [passed, shift] of steps) {
            uptime += passed
            const before = time
            const clock = now + uptime + shift
            time = observe(time, clock, uptime)
            assert.isAtMost(time.at, clock)
            if (time.ahead !== null) assert.isAtMost(time.at, before.at + passed)
          }
        }
      )
    ))
})

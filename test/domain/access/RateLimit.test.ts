import { assert, describe, it } from "@effect/vitest"
import { failed, take, waitMillis } from "../../../src/domain/access/RateLimit.ts"
import type { Failures, RateWindow } from "../../../src/domain/access/RateLimit.ts"

describe("rate limit", () => {
  it("allows the limit in each window and says when the next begins", () => {
    let window: RateWindow | undefined
    const verdicts = [0, 10, 20, 999, 1000].map((now) => {
      const verdict = take({ limit: 2, windowMillis: 1000 }, window, now)
      window = verdict.window
      return [verdict.allowed, verdict.remaining, verdict.resetMillis]
    })
    assert.deepStrictEqual(verdicts, [
      [true, 1, 1000],
      [true, 0, 990],
      [false, 0, 980],
      [false, 0, 1],
      [true, 1, 1000]
    ])
  })

  it("slows down after repeated failures, up to a quarter of an hour", () => {
    let failures: Failures | undefined
    const waits = Array.from({ length: 30 }, () => {
      failures = failed(failures, 5, 0)
      return waitMillis(failures, 0)
    })
    assert.deepStrictEqual(waits.slice(0, 8), [0, 0, 0, 0, 1000, 2000, 4000, 8000])
    assert.strictEqual(waits.at(-1), 15 * 60_000)
  })

  it("begins anew where the clock was set back, instead of waiting until it has caught up", () => {
    const day = 86_400_000
    const { window } = take({ limit: 1, windowMillis: 1000 }, undefined, day)
    assert.isTrue(take({ limit: 1, windowMillis: 1000 }, window, 0).allowed)
    const many = Array.from({ length: 20 }).reduce<Failures | undefined>((all) => failed(all, 5, day), undefined)
    assert.strictEqual(waitMillis(many, 0), 0)
    assert.strictEqual(waitMillis(many, day - 1000), 15 * 60_000 + 1000)
  })

  it("forgets failures after an hour without one", () => {
    const many = Array.from({ length: 20 }).reduce<Failures | undefined>((all) => failed(all, 5, 0), undefined)
    assert.strictEqual(failed(many, 5, 3_600_000).count, 1)
    assert.strictEqual(failed(many, 5, 3_599_999).count, 21)
  })
})

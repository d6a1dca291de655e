import { assert, describe, it } from "@effect/vitest"
import { collectsDropped, givesBackAtRest } from "../../../src/adapters/node/ThreadRest.ts"

const megabytes = 16

/** Something that nobody holds, and that V8 would keep as long as nothing else is made. */
const leftBehind = (): WeakRef<object> =>
  new WeakRef({ cells: Array.from({ length: megabytes * 2 ** 17 }, (_, at) => at) })

const isGone = async (what: WeakRef<object>, within: number): Promise<boolean> => {
  for (const until = performance.now() + within; performance.now() < until;) {
    // Long turns: a timer that fires every millisecond would make garbage of its own.
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (what.deref() === undefined) return true
  }
  return false
}

describe("a thread that rests", () => {
  it("gives back what its work has left behind, each time that it comes to rest", async () => {
    const rest = givesBackAtRest(20)
    for (let round = 0; round < 2; round++) {
      const what = leftBehind()
      rest()
      assert.isTrue(await isGone(what, 5000), `round ${round}`)
    }
  })

  it("collects at once when its work has dropped more arrays than it is told to leave, and not for what it keeps", async () => {
    const mebibyte = 1024 * 1024
    const kept = new Float64Array(8 * mebibyte)
    const collect = collectsDropped(() => kept.byteLength, 32 * mebibyte)
    let made = [new Float64Array(2 * mebibyte), new Float64Array(2 * mebibyte), new Float64Array(2 * mebibyte)]
    const before = process.memoryUsage().arrayBuffers
    assert.isAtLeast(before, kept.byteLength + made.length * 16 * mebibyte)
    made = []
    collect()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.isAtMost(process.memoryUsage().arrayBuffers, before - 32 * mebibyte)
    assert.strictEqual(kept[0], 0)
  })
})

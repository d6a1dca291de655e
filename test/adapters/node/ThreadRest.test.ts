import { assert, describe, it } from "@effect/vitest"
import { buildSync } from "esbuild"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { collectorOfThread } from "../../../src/adapters/node/Collector.ts"
import { bytesHeld, collectsDropped } from "../../../src/adapters/node/ThreadRest.ts"
import { root } from "../../support/Server.ts"

/**
 * Leaves 16 MB behind two times, comes to rest after each, and prints "gone" once V8 has collected them. It is a program of its own,
 * because V8 frees what earlier test files of this process left behind whenever it likes, and then less is held than before.
 */
const comesToRestTwice = `
  import { givesBackAtRest } from "./src/adapters/node/ThreadRest.ts"
  // V8 would keep this as long as nothing else is made.
  const leftBehind = () => new WeakRef({ cells: Array.from({ length: 16 * 2 ** 17 }, (_, at) => at) })
  const isGone = async (what) => {
    for (let looks = 0; looks < 100; looks++) {
      // Long turns: a timer that fires every millisecond would make garbage of its own.
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (what.deref() === undefined) return true
    }
    return false
  }
  const rest = givesBackAtRest(20)
  for (let round = 0; round < 2; round++) {
    const what = leftBehind()
    rest()
    console.log(await isGone(what) ? "gone" : "kept")
  }
`

/** Does between the two steps of one thread what another does: their flags are the same. Prints what the second step finds. */
const betweenItsSteps = `
  import { setFlagsFromString } from "node:v8"
  import { runInNewContext } from "node:vm"
  import { collectorOfThread } from "./src/adapters/node/Collector.ts"
  setFlagsFromString("--expose-gc")
  collectorOfThread()
  console.log(runInNewContext("typeof gc"))
`

const programOf = (contents: string): string => {
  const [file] = buildSync({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false
  }).outputFiles
  return file?.text ?? ""
}

describe("a thread that rests", () => {
  it("gives back what its work has left behind, each time that it comes to rest", async () => {
    const program = programOf(comesToRestTwice)
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program])
    assert.deepEqual(stdout.trim().split("\n"), ["gone", "gone"])
  })

  it("takes no other thread the function that collects, although both ask for it at once", async () => {
    const program = programOf(betweenItsSteps)
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program])
    assert.strictEqual(stdout.trim(), "function")
  })

  it("counts collected arrays as gone at once, so that what is still held is told from garbage", () => {
    const mebibyte = 1024 * 1024
    const collect = collectorOfThread()
    for (let round = 0; round < 3; round++) {
      let made = Array.from({ length: 32 }, () => new Float64Array(mebibyte / 8))
      const before = bytesHeld()
      assert.isAtLeast(before, made.length * mebibyte)
      made = []
      collect()
      assert.isAtMost(bytesHeld(), before - 28 * mebibyte)
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

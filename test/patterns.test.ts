import { assert, describe, it } from "@effect/vitest"
import ts from "typescript"
import { Worker } from "node:worker_threads"
import { sources } from "./support/Sources.ts"

/** What reads texts of the operator, of whoever builds, or of the browser or the game that it runs in. */
const ofOwnTexts =
  /^src\/(?:app|cli|remote|web|guide|sdk|openfeature|adapters\/sqlite\/operations)\/|^src\/[^/]+$|\/(?:BucketAddress|mcp\/Asker)\.ts$/

interface Pattern {
  readonly path: string
  readonly source: string
  readonly flags: string
}

const patternsIn = (path: string, node: ts.Node): ReadonlyArray<Pattern> => {
  const found: Array<Pattern> = []
  const visit = (each: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(each)) {
      const end = each.text.lastIndexOf("/")
      found.push({ path, source: each.text.slice(1, end), flags: each.text.slice(end + 1) })
    }
    ts.forEachChild(each, visit)
  }
  visit(node)
  return found
}

const patterns = sources()
  .filter(({ path }) => !ofOwnTexts.test(path))
  .flatMap(({ path, node }) => patternsIn(path, node))
  .filter(({ source }) => /[+*]|\{\d+,/.test(source))

/**
 * Tells of each pattern when it has read a text of a million characters: of those that are tried, made of what patterns repeat, the one
 * that takes it longest while it is short.
 */
const reader = `
  const { parentPort, workerData } = require("node:worker_threads")
  const beginnings = ["", "a@", "1", "-", "http://", '"', "a=", "/"]
  const repeated = [..." a1.-/_:,@=&<%'#?;[{(+", "\\t", "\\n", '"', "\\\\", "1.", "a.", " ,", "=;"]
  const ends = ["\\u0001", "!", " x", "@"]
  const taken = (pattern, text) => {
    const began = process.hrtime.bigint()
    text.replace(pattern, "")
    return process.hrtime.bigint() - began
  }
  for (const { source, flags } of workerData) {
    const pattern = new RegExp(source, flags)
    let [longest, worst] = [-1n, null]
    for (const beginning of beginnings) for (const each of repeated) for (const end of ends) {
      const text = beginning + each.repeat(2000) + end
      // The first time, the pattern is compiled.
      const time = [taken(pattern, text), taken(pattern, text)].sort((a, b) => (a < b ? -1 : 1))[0]
      if (time > longest) [longest, worst] = [time, [beginning, each, end]]
    }
    const [beginning, each, end] = worst
    taken(pattern, beginning + each.repeat(2 ** 20 / each.length) + end)
    parentPort.postMessage(null)
  }
`

/** The first pattern that is not done with its text in time, which others need a few milliseconds for; undefined where all are. */
const endlessOf = (all: ReadonlyArray<Pattern>, patienceMillis: number) =>
  new Promise<Pattern | undefined>((resolve, reject) => {
    const worker = new Worker(reader, { eval: true, workerData: all })
    let read = 0
    const end = () => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(all[read])
    }
    let timer = setTimeout(end, patienceMillis)
    worker.on("error", reject)
    worker.on("message", () => {
      read++
      clearTimeout(timer)
      if (read === all.length) end()
      else timer = setTimeout(end, patienceMillis)
    })
  })

describe("patterns that texts of requests are compared with", () => {
  it("are found", () => assert.isAbove(patterns.length, 50))

  it("read a text of any length once: one that a player sends keeps nobody waiting", async () => {
    assert.isUndefined(await endlessOf(patterns, 60_000))
  })

  it("would be named otherwise", async () => {
    const square = { path: "here", source: String.raw`^\d+\.?\d*$`, flags: "" }
    assert.deepStrictEqual(await endlessOf([square], 2000), square)
  })
})

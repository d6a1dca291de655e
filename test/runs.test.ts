import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = import.meta.dirname

/** Lines of the tests, each with where it stands. */
const lines = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("bench") && !file.includes("node_modules"))
  .flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .map((text, at) => ({ text, place: `${file}:${at + 1}` }))
  )

const found = (isWrong: (text: string) => boolean) =>
  lines.filter(({ text }) => isWrong(text)).map(({ place }) => place)

describe("tests", () => {
  it("take the runs of every property from runCount, which GAMEKEEPER_TEST_RUNS multiplies", () => {
    const isFixed = (text: string) => /numRuns: [\d_]/.test(text) && !text.includes("sample(")
    assert.deepStrictEqual(found(isFixed), [])
  })

  it("are never skipped where a browser and the limits of Linux can be had, and never run alone", () => {
    const call = /\b(it|describe|test|suite)\b[.\w]*\.(skip|skipIf|runIf|todo|only)\b|\bskip\(/
    assert.deepStrictEqual(
      found((text) => call.test(text) && !/skipIf\(missing(Browser|Limit) !== null\)/.test(text)),
      []
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { RepeatedLines } from "../../../src/domain/operations/RepeatedLines.ts"

const minute = 60_000

/** Each line with its time, and what is to be said of it. */
type Course = ReadonlyArray<readonly [at: number, line: string, leftOut: number | null]>

const courses: Readonly<Record<string, Course>> = {
  "what repeats is written once a minute, with what was left out": [
    [0, "a", 0],
    [1, "a", null],
    [minute - 1, "a", null],
    [minute, "a", 2],
    [minute + 1, "a", null],
    [2 * minute, "a", 1]
  ],
  "lines that say something else are written at once": [
    [0, "a", 0],
    [1, "b", 0],
    [2, "a", null],
    [3, "b", null]
  ],
  "what did not repeat within a minute is written as if it were new": [
    [0, "a", 0],
    [10 * minute, "a", 0]
  ],
  "a clock that is set back silences nothing": [
    [minute, "a", 0],
    [0, "a", 0],
    [1, "a", null]
  ]
}

describe("lines of the log that repeat", () => {
  it.each(Object.entries(courses))("%s", (_, course) => {
    const lines = new RepeatedLines()
    assert.deepStrictEqual(
      course.map(([at, line]) => lines.leftOutBefore(line, at)),
      course.map(([, , leftOut]) => leftOut)
    )
  })

  it("the lines that were said the longest ago are forgotten where there are too many", () => {
    const lines = new RepeatedLines()
    const text = (at: number) => `${at} ${"x".repeat(1000)}`
    for (let at = 0; at < 1000; at++) assert.strictEqual(lines.leftOutBefore(text(at), 0), 0)
    assert.isNull(lines.leftOutBefore(text(999), 1))
    assert.strictEqual(lines.leftOutBefore(text(0), 1), 0)
  })
})

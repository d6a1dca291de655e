import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { unorderedAttempts, unorderedFunnel } from "../../../../src/domain/analytics/funnel/UnorderedFunnel.ts"
import { anyMarks, type Mark, oneBit, stepping, track } from "../../../support/analytics/FunnelMarks.ts"
import { runCount } from "../../../support/Runs.ts"

const runs = (numRuns: number) => ({ fastCheck: { numRuns: runCount(numRuns) } })

describe("an unordered run", () => {
  const attempts = (
    marks: ReadonlyArray<Mark>,
    steps: number,
    window: number
  ): ReadonlyArray<readonly [number, number]> =>
    marks.flatMap((first, i) => {
      if (first.steps === 0) return []
      const seen = new Set<number>()
      for (const mark of marks.slice(i)) {
        if (mark.time - first.time > window) break
        if (mark.steps === 0) return []
        seen.add(mark.steps)
        if (seen.size === steps) break
      }
      return [[first.time, seen.size] as const]
    })

  const someMarks = anyMarks(3, 25, 10, oneBit(3)).chain((marks) =>
    fc
      .array(fc.boolean(), { minLength: marks.length, maxLength: marks.length })
      .map((isExclusion) =>
        marks.map((mark, i) =>
          isExclusion[i] && i % 3 === 0 ? { time: mark.time, steps: 0, exclusions: 3 } : stepping(mark)
        )
      )
  )
  const anyWindow = fc.integer({ min: 0, max: 12 })

  it.prop(
    "finds the window with most distinct steps that no exclusion spoils",
    [someMarks, anyWindow],
    ([marks, window]) => {
      const best = Math.max(0, ...attempts(marks, 3, window).map(([, reached]) => reached))
      assert.strictEqual(unorderedFunnel(3, window)(track(marks), 0, 0).reached, best)
    },
    runs(3000)
  )

  it.prop(
    "tells every attempt by its first marker",
    [someMarks, anyWindow],
    ([some, window]) => {
      const marks = some.filter(({ steps }) => steps !== 0)
      const found: Array<readonly [number, number]> = []
      unorderedAttempts(3, window)(track(marks), (start, reached) => found.push([start, reached]))
      const byStart = (a: readonly [number, number], b: readonly [number, number]) => a[0] - b[0]
      assert.deepEqual(
        found.toSorted(byStart).map(([start]) => start),
        marks.map(({ time }) => time)
      )
      assert.strictEqual(
        Math.max(0, ...found.map(([, reached]) => reached)),
        Math.max(0, ...attempts(marks, 3, window).map(([, reached]) => reached))
      )
    },
    runs(3000)
  )

  it("gives a marker of several steps to the one that waited longest", () => {
    const marks = [1, 2, 3].map((time) => ({ time, steps: 0b111, exclusions: 0 }))
    assert.strictEqual(unorderedFunnel(3, 5)(track(marks), 0, 0).reached, 3)
  })
})

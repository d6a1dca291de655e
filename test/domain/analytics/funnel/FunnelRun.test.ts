import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type FunnelShape, exclusionBits } from "../../../../src/domain/analytics/funnel/FunnelTrack.ts"
import { orderedFunnel } from "../../../../src/domain/analytics/funnel/OrderedFunnel.ts"
import { anyBits, anyMarks, type Mark, oneBit, stepping, track } from "../../../support/analytics/FunnelMarks.ts"
import { naiveFunnel } from "../../../support/analytics/NaiveFunnel.ts"
import { runCount } from "../../../support/Runs.ts"

const shapeOf = (steps: number, window: number, more: Partial<FunnelShape> = {}): FunnelShape => ({
  steps,
  window,
  optional: 0,
  isStrict: false,
  ...more
})

const run = (marks: ReadonlyArray<Mark>, shape: FunnelShape) => {
  const { reached, markers } = orderedFunnel(shape)(track(marks), -Infinity, Infinity)
  const path: ReadonlyArray<readonly [step: number, marker: number]> = Array.from(markers).flatMap((marker, step) =>
    marker < 0 ? [] : [[step, marker] as const]
  )
  return { reached, path }
}

interface Result {
  readonly reached: number
  readonly path: ReadonlyArray<readonly [step: number, marker: number]>
}

/** How far a run came and when: of markers of one instant that can serve a step, any may be the one that does. */
const timed = (marks: ReadonlyArray<Mark>, { reached, path }: Result) => ({
  reached,
  path: path.map(([step, marker]) => [step, marks[marker]?.time]),
  isOnce: new Set(path.map(([, marker]) => marker)).size === path.length
})

const runs = (numRuns: number) => ({ fastCheck: { numRuns: runCount(numRuns) } })

/** The furthest chain of markers, each used once, that begins with `start` and stays in its window; markers of one instant in any order. */
const furthest = (marks: ReadonlyArray<Mark>, shape: FunnelShape): number => {
  const from = (step: number, time: number, start: number, used: ReadonlySet<Mark>): number => {
    const next = marks.filter(
      (mark) =>
        !used.has(mark) && (mark.steps & (1 << step)) !== 0 && mark.time >= time && mark.time - start <= shape.window
    )
    return Math.max(step, ...next.map((mark) => from(step + 1, mark.time, start, new Set([...used, mark]))))
  }
  const starts = marks.filter(({ steps }) => (steps & 1) !== 0)
  return Math.max(0, ...starts.map((mark) => from(1, mark.time, mark.time, new Set([mark]))))
}

describe("an ordered run", () => {
  it.prop(
    "finds the furthest chain inside the window",
    [anyMarks(3, 40, 9, anyBits(3)), fc.integer({ min: 0, max: 20 })],
    ([some, window]) => {
      const marks = some.filter(({ time }, i) => time !== some[i + 1]?.time).map((mark) => stepping(mark))
      const shape = shapeOf(3, window)
      assert.strictEqual(run(marks, shape).reached, furthest(marks, shape))
    },
    runs(3000)
  )

  it.prop(
    "lets markers of one instant convert in any order",
    [anyMarks(4, 6, 8, fc.oneof(oneBit(4), anyBits(4))), fc.integer({ min: 0, max: 5 })],
    ([some, window]) => {
      const marks = some.map((mark) => stepping(mark))
      const shape = shapeOf(4, window)
      assert.strictEqual(run(marks, shape).reached, furthest(marks, shape))
    },
    runs(3000)
  )

  it("extends an attempt by markers of an instant in which another begins", () => {
    // Steps a, a, b: a at 0, then a and b at 5.
    const [a, b] = [0b011, 0b100]
    const marks = [
      { time: 0, steps: a, exclusions: 0 },
      { time: 5, steps: a, exclusions: 0 },
      { time: 5, steps: b, exclusions: 0 }
    ]
    assert.deepEqual(run(marks, shapeOf(3, 10)), {
      reached: 3,
      path: [
        [0, 0],
        [1, 1],
        [2, 2]
      ]
    })
  })

  it("leaves a marker of several steps to the one that has no other", () => {
    // Steps purchase, dear purchase: the dear one came first.
    const marks = [0b11, 0b01].map((steps) => ({ time: 3, steps, exclusions: 0 }))
    assert.strictEqual(run(marks, shapeOf(2, 10)).reached, 2)
  })

  it("leaves a marker to a mandatory step that an optional one would take", () => {
    // Steps a, b (optional), b: a and b in one millisecond convert as they do one after the other.
    const [a, b] = [0b001, 0b110]
    for (const time of [0, 1]) {
      const marks = [
        { time: 0, steps: a, exclusions: 0 },
        { time, steps: b, exclusions: 0 }
      ]
      assert.deepEqual(run(marks, shapeOf(3, 10, { optional: 0b010 })), {
        reached: 3,
        path: [
          [0, 0],
          [2, 1]
        ]
      })
    }
  })

  it.prop(
    "comes as far as the markers of one instant go, optional steps left out where that helps",
    [fc.array(anyBits(6), { maxLength: 7 }), fc.integer({ min: 0, max: 63 }).map((bits) => bits & 0b011110)],
    ([some, optional]) => {
      const isOptional = (step: number) => (optional & (1 << step)) !== 0
      const from = (step: number, left: ReadonlyArray<number>): number => {
        const taken = left.flatMap((bits, at) =>
          (bits & (1 << step)) === 0
            ? []
            : [Math.max(isOptional(step) ? 0 : step + 1, from(step + 1, left.toSpliced(at, 1)))]
        )
        return Math.max(0, ...taken, isOptional(step) ? from(step + 1, left) : 0)
      }
      // Markers that all match the same steps are taken one by one, as if they were not of one instant.
      fc.pre(new Set(some).size > 1)
      const marks = some.map((steps) => ({ time: 3, steps, exclusions: 0 }))
      let { reached } = run(marks, shapeOf(6, 0, { optional }))
      while (reached > 0 && isOptional(reached - 1)) reached--
      assert.strictEqual(reached, from(0, some))
    },
    runs(3000)
  )

  it.prop(
    "follows the rules word by word, with ties, exclusions, optional steps, strict or not",
    [
      fc.integer({ min: 2, max: 5 }).chain((steps) =>
        fc.tuple(
          fc.constant(steps),
          anyMarks(steps, 8, 12, anyBits(steps)),
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 0, max: 2 ** steps - 1 }).map((bits) => bits & ~1 & ~(1 << (steps - 1))),
          fc.boolean()
        )
      )
    ],
    ([[steps, marks, window, optional, isStrict]]) => {
      const shape = shapeOf(steps, window, { optional, isStrict })
      assert.deepEqual(timed(marks, run(marks, shape)), timed(marks, naiveFunnel(track(marks), shape)))
    },
    runs(10_000)
  )

  it.prop(
    "does the same with 32 steps",
    [
      anyMarks(
        32,
        30,
        60,
        fc.integer({ min: 0, max: 31 }).map((step) => 1 << step)
      ),
      fc.integer({ min: 0, max: 30 }),
      fc.boolean()
    ],
    ([marks, window, isStrict]) => {
      const shape = shapeOf(32, window, { isStrict, optional: 0b1010 })
      assert.deepEqual(timed(marks, run(marks, shape)), timed(marks, naiveFunnel(track(marks), shape)))
    },
    runs(1000)
  )

  it("walks all of 32 steps", () => {
    const marks = Array.from({ length: 32 }, (_, step) => ({ time: step, steps: 1 << step, exclusions: 0 }))
    assert.strictEqual(run(marks, shapeOf(32, 31)).reached, 32)
    assert.strictEqual(run(marks, shapeOf(32, 30)).reached, 31)
    assert.strictEqual(run(marks, shapeOf(32, 31, { isStrict: true })).reached, 32)
    assert.strictEqual(run(marks.map((mark) => stepping(mark, 0)).toReversed(), shapeOf(32, 0)).reached, 32)
  })

  it.prop(
    "keeps nothing from one track to the next",
    [anyMarks(3, 8, 9, anyBits(3)), anyMarks(3, 8, 9, anyBits(3))],
    ([first, second]) => {
      const shape = shapeOf(3, 5)
      const shared = orderedFunnel(shape)
      shared(track(first), -Infinity, Infinity)
      const { reached, markers } = shared(track(second), -Infinity, Infinity)
      const alone = orderedFunnel(shape)(track(second), -Infinity, Infinity)
      assert.deepEqual([reached, Array.from(markers)], [alone.reached, Array.from(alone.markers)])
    },
    runs(1000)
  )

  it("ends no strict attempt by another start, whether that counts or lies in a later bucket", () => {
    const marks = [0b001, 0b001, 0b010, 0b010, 0b100].map((steps, time) => ({ time, steps, exclusions: 0 }))
    for (const between of [0b001, 0]) {
      const own = marks.with(1, { time: 1, steps: between, exclusions: 0 })
      const startedAt = (time: number) => orderedFunnel(shapeOf(3, 9, { isStrict: true }))(track(own), time, time + 1)
      assert.deepEqual(
        [0, 1].map((time) => startedAt(time).reached),
        between === 0 ? [1, 0] : [3, 3]
      )
    }
  })

  it("excludes who did it between the steps, also in one instant with other markers", () => {
    const excluded = (from: number, to: number) => exclusionBits(from, to)
    const marks = (exclusions: number, other: number) => [
      { time: 0, steps: 0b001, exclusions: 0 },
      { time: 1, steps: 0, exclusions },
      { time: 1, steps: other, exclusions: 0 },
      { time: 2, steps: 0b010, exclusions: 0 },
      { time: 3, steps: 0b100, exclusions: 0 }
    ]
    for (const isStrict of [false, true]) {
      const shape = shapeOf(3, 9, { isStrict })
      const reached = (exclusions: number, other: number) => run(marks(exclusions, other), shape).reached
      assert.strictEqual(reached(0, 0b100), 3, "a later step beside it")
      assert.strictEqual(reached(excluded(0, 1), 0b100), 0, "a later step beside the exclusion")
      assert.strictEqual(reached(excluded(0, 1), 0), 0, "a marker that is no step beside the exclusion")
      assert.strictEqual(reached(excluded(0, 2), 0b010), 0, "a step between those that it spans beside the exclusion")
      assert.strictEqual(reached(excluded(0, 1), 0b010), 3, "the last step that it spans beside the exclusion")
      assert.strictEqual(reached(excluded(1, 2), 0b010), 3, "the first step that it spans beside the exclusion")
    }
  })

  it("marks exactly the prefixes between the steps of an exclusion", () => {
    assert.deepEqual([exclusionBits(0, 1), exclusionBits(1, 3), exclusionBits(0, 4)], [0b1, 0b110, 0b1111])
  })
})

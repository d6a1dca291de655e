import { assert, it } from "@effect/vitest"
import { DateTime, Either, FastCheck as fc } from "effect"
import { heatmapPoints } from "../../src/domain/analytics/heatmap/HeatmapPoints.ts"
import { type HeatmapQuery, planHeatmap } from "../../src/domain/analytics/heatmap/HeatmapQuery.ts"
import { answerOf } from "../../src/domain/analytics/question/Answer.ts"
import { memberships } from "../support/brute/Filters.ts"
import { asked, type Asked, cellsAlong, heatmapByHand } from "../support/brute/HeatmapByHand.ts"
import { near } from "../support/brute/Near.ts"
import { stored } from "../support/brute/Sent.ts"
import { runCount } from "../support/Runs.ts"

/** A factor of 1 means 64 cells. */
const standard = 64

const queryOf = ({ time, metrics, filters, heights }: Asked): HeatmapQuery => ({
  heatmapData: heights === null ? {} : { y: heights },
  time: {
    step: time.step,
    timezone: time.zone,
    from: DateTime.unsafeMake(time.from),
    to: DateTime.unsafeMake(time.to)
  },
  metrics: metrics.map(({ visible, selection }) => ({ visible, data: { type: "totalEvents", ...selection } })),
  ...filters
})

const planOf = (question: Asked) => {
  const definition = { bounds: question.bounds, resolutionFactor: question.cells / standard }
  const asking = { now: question.time.to, zone: "UTC", weekStart: question.time.weekStart }
  return Either.getOrThrow(planHeatmap(queryOf(question), definition, asking))
}

it("C6: each number of a heatmap is what a count by hand says", () =>
  fc.assert(
    fc.asyncProperty(asked, async (question) => {
      const plan = planOf(question)
      assert.deepStrictEqual(plan.resolution, { x: cellsAlong(question, "x"), y: cellsAlong(question, "z") })
      const answer = answerOf(stored(question.all), { kind: "heatmap", plan }, memberships)
      near(heatmapPoints(plan, answer, question.display), heatmapByHand(question))
    }),
    { numRuns: runCount(250) }
  ))

it("C6: a cell of a heatmap holds what its parts hold, however many columns and rows are asked for", () =>
  fc.assert(
    fc.asyncProperty(
      asked,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (question, across, down) => {
        const plan = planOf(question)
        const { x, y } = plan.resolution
        const all = stored(question.all)
        const coarse = answerOf(all, { kind: "heatmap", plan }, memberships)
        const finer = { ...plan, resolution: { x: x * across, y: y * down } }
        const fine = answerOf(all, { kind: "heatmap", plan: finer }, memberships)
        assert.strictEqual(fine.totalEvents, coarse.totalEvents)
        assert.strictEqual(fine.insideBounds, coarse.insideBounds)
        for (const { column, row, count } of coarse.cells) {
          const parts = fine.cells.filter(
            (part) => Math.floor(part.column / across) === column && Math.floor(part.row / down) === row
          )
          assert.strictEqual(
            parts.reduce((sum, part) => sum + part.count, 0),
            count
          )
        }
      }
    ),
    { numRuns: runCount(100) }
  ))

import { assert, it } from "@effect/vitest"
import { DateTime, Either, FastCheck as fc } from "effect"
import { planComparison, planInsight, type InsightQuery } from "../../src/domain/analytics/insight/InsightQuery.ts"
import { insightSeriesSteps } from "../../src/domain/analytics/insight/InsightResult.ts"
import { answerOf } from "../../src/domain/analytics/question/Answer.ts"
import { bucketStarts } from "../../src/domain/analytics/time/TimeQuery.ts"
import { memberships } from "../support/brute/Filters.ts"
import { textOf } from "../support/brute/Formulas.ts"
import { insightByHand, stretchOf } from "../support/brute/InsightByHand.ts"
import { asked, type Asked } from "../support/brute/MeasuresByHand.ts"
import { near } from "../support/brute/Near.ts"
import { stored } from "../support/brute/Sent.ts"
import { runCount } from "../support/Runs.ts"
import { ended } from "../support/Steps.ts"

const queryOf = (question: Asked): InsightQuery => {
  const { time, metrics, formula, filters, breakdowns, breakdownLimit, cumulative, movingAverage, isCompared } =
    question
  const stored = metrics.map(({ type, selection, percentile }, m) => ({
    id: ["A", "B"][m]!,
    visible: true,
    data: { type, ...selection, argument: "a", percentile }
  }))
  return {
    time: {
      step: time.step,
      timezone: time.zone,
      from: DateTime.unsafeMake(time.from),
      to: DateTime.unsafeMake(stretchOf(question).to)
    },
    metrics: [...stored, { id: "C", visible: true, data: { type: "formula", formula: textOf(formula) } }],
    ...filters,
    breakdowns,
    breakdownLimit,
    options: { compare: isCompared ? "previousPeriod" : undefined, cumulative, movingAverage }
  }
}

/** The product's answer: the starts of the buckets, and all series. */
const answered = (question: Asked) => {
  const asking = { now: question.time.to, zone: "UTC", weekStart: question.time.weekStart }
  const planned = Either.getOrThrow(planInsight(queryOf(question), asking))
  const all = stored(question.all)
  const answer = answerOf(all, { kind: "insight", plan: planned.plan }, memberships)
  const comparison = Either.getOrThrow(planComparison(planned, answer))
  const earlier =
    comparison === null
      ? null
      : { ...comparison, answer: answerOf(all, { kind: "insight", plan: comparison.plan }, memberships) }
  const series = Either.getOrThrow(ended(insightSeriesSteps(planned, answer, earlier)).value).map(
    ({ compare, ...one }) =>
      compare === undefined ? one : { ...one, compare: { values: compare.values, aggregate: compare.aggregate } }
  )
  return { starts: bucketStarts(planned.time).map(DateTime.toEpochMillis), series }
}

it("C6: each number of an insight is what a count by hand says", () =>
  fc.assert(
    fc.asyncProperty(asked, async (question) => {
      const { starts, series } = answered(question)
      assert.deepStrictEqual(
        starts,
        stretchOf(question).periods.map(({ start }) => start)
      )
      near(series, insightByHand(question))
    }),
    { numRuns: runCount(250) }
  ))

it("C6: a bucket of an insight is the same, however many buckets, groups and metrics are asked for", () =>
  fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 1, max: 20 }), async (question, more) => {
      const { periods } = stretchOf(question)
      const few = { ...question, cumulative: false, movingAverage: undefined, breakdownLimit: 100, isCompared: false }
      const time = { ...few.time, to: periods.at(-1)!.end }
      const many = { ...few, time: { ...time, from: time.from - more * time.tick, to: time.to + more * time.tick } }
      const [short, long] = [answered({ ...few, time }), answered(many)]
      for (const { metricId, breakdown, values } of short.series) {
        const other = long.series.find(
          (one) => one.metricId === metricId && JSON.stringify(one.breakdown) === JSON.stringify(breakdown)
        )
        const at = long.starts.indexOf(short.starts[0]!)
        assert.deepStrictEqual(other?.values.slice(at, at + values.length), values)
      }
    }),
    { numRuns: runCount(100) }
  ))

it("C6: a group of an insight is the same, whatever the limit of groups", () =>
  fc.assert(
    fc.asyncProperty(asked, async (question) => {
      const all = answered({ ...question, isCompared: false, breakdownLimit: 100 }).series
      for (const one of answered({ ...question, isCompared: false }).series) {
        if (one.breakdown.some(({ value }) => value === "Other")) continue
        assert.deepInclude(all, one)
      }
    }),
    { numRuns: runCount(100) }
  ))

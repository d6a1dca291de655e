import { assert, it } from "@effect/vitest"
import { DateTime, Either, FastCheck as fc } from "effect"
import { type FunnelQuery, planFunnel } from "../../src/domain/analytics/funnel/FunnelQuery.ts"
import { funnelTable } from "../../src/domain/analytics/funnel/FunnelTable.ts"
import { answerOf } from "../../src/domain/analytics/question/Answer.ts"
import { memberships } from "../support/brute/Filters.ts"
import { funnelByHand } from "../support/brute/FunnelByHand.ts"
import { asked, type Asked, isOverTime, isPlain } from "../support/brute/FunnelUnitsByHand.ts"
import { near } from "../support/brute/Near.ts"
import { stored } from "../support/brute/Sent.ts"
import { runCount } from "../support/Runs.ts"

const queryOf = (question: Asked): FunnelQuery => {
  const { time, window, exclusion, attribution } = question
  return {
    time: {
      step: time.step,
      timezone: time.zone,
      from: DateTime.unsafeMake(time.from),
      to: DateTime.unsafeMake(time.to)
    },
    steps: question.steps.map((step) => ({ id: step.name, ...step })),
    conversionWindow: { step: "second", value: window / 1000 },
    order: question.order,
    exclusions: exclusion === null ? [] : [exclusion],
    holdConstant: question.isHeld ? [{ source: "property", name: "p" }] : [],
    breakdowns: question.isBrokenDown ? [{ source: "argument", name: "a" }] : [],
    breakdownLimit: question.breakdownLimit,
    breakdownAttribution: typeof attribution === "number" ? { step: attribution } : attribution,
    ...question.filters,
    options: { display: isOverTime(question) ? "overTime" : undefined }
  }
}

const answered = (question: Asked) => {
  const now = question.time.to
  const asking = { now, zone: "UTC", weekStart: question.time.weekStart }
  const plan = Either.getOrThrow(planFunnel(queryOf(question), asking))
  const { series } = answerOf(stored(question.all), { kind: "funnel", plan }, memberships)
  return series.map((one) => ({
    group: one.group.isOther ? "Other" : (one.group.values[0] ?? null),
    ...funnelTable(plan, one, now)
  }))
}

it("C6: each number of a funnel is what a count by hand says", () =>
  fc.assert(
    fc.asyncProperty(asked, async (question) => near(answered(question), funnelByHand(question))),
    { numRuns: runCount(250) }
  ))

it("C6: a group of a funnel is the same, whatever the limit of groups", () =>
  fc.assert(
    fc.asyncProperty(asked, async (question) => {
      const all = answered({ ...question, breakdownLimit: 100 })
      for (const one of answered(question)) if (one.group !== "Other") assert.deepInclude(all, one)
    }),
    { numRuns: runCount(100) }
  ))

it("C6: a step of an ordered funnel counts the same units, however many steps are asked for after it", () =>
  fc.assert(
    fc.asyncProperty(asked.filter(isPlain), async (question) => {
      const whole = { ...question, isBrokenDown: false, isHeld: false }
      const few = answered({ ...whole, steps: whole.steps.slice(0, 2) })
      const counts = (series: typeof few) => series[0]!.steps.slice(0, 2).map(({ count }) => count)
      assert.deepStrictEqual(counts(few), counts(answered(whole)))
    }),
    { numRuns: runCount(100) }
  ))

import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Scorecard } from "../../schema/experiments/Scorecard.ts"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { experimentWords } from "../../src/mcp/ExperimentWords.ts"

/** A scorecard of an experiment that nobody has come to. */
const emptyScorecard = (changes: Partial<Scorecard>): Scorecard => ({
  experimentId: ExperimentId.make(1),
  status: "active",
  asOf: DateTime.unsafeMake("2026-11-20T00:00:00Z"),
  schedule: { startsAt: DateTime.unsafeMake("2026-11-18T12:00:00Z"), endsAt: null, daysElapsed: 1.5, daysLeft: null },
  groups: [],
  exposures: [
    { groupId: ExperimentGroupId.make(1), units: 3 },
    { groupId: ExperimentGroupId.make(2), units: 4 }
  ],
  multipleExposure: { units: 0, share: 0 },
  srm: { observed: [3, 4], expected: [3.5, 3.5], chiSquare: 0, pValue: 1, verdict: "insufficient", phases: [] },
  metrics: [],
  power: { alpha: 0.05, power: 0.8, metrics: [] },
  ...changes
})

describe("an experiment in words", () => {
  it.each([
    ["active", '"Prices" is active, for 1.5 days so far.', "No metric can be compared yet, so there is no verdict."],
    ["paused", '"Prices" is paused, for 1.5 days so far.', "No metric can be compared yet, so there is no verdict."],
    ["completed", '"Prices" is over: it ran for 1.5 days.', "No metric can be compared, so there is no verdict."],
    ["terminated", '"Prices" is over: it ran for 1.5 days.', "No metric can be compared, so there is no verdict."]
  ] as const)("that is %s", (status, first, verdict) => {
    assert.deepStrictEqual(experimentWords("Prices", emptyScorecard({ status })).split("\n"), [
      first,
      `Verdict: ${verdict}`,
      'Players seen: "group 1" 3, "group 2" 4. They are too few to tell whether they were divided as the weights say.'
    ])
  })
})

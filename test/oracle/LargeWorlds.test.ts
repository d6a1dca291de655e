import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { StoredEvent } from "../../src/domain/analytics/markers/Event.ts"
import { exposedGroups } from "../../src/domain/analytics/filter/Memberships.ts"
import { answerOf } from "../../src/domain/analytics/question/Answer.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { largeWorld, unitCount } from "../support/analytics/LargeWorld.ts"
import * as plans from "../support/analytics/Plans.ts"
import { bucketed } from "../support/analytics/PlanParts.ts"
import { type ScannedEnvironment, ScannedEnvironments } from "../support/analytics/ScannedEnvironment.ts"
import * as unitPlans from "../support/analytics/UnitPlans.ts"
import { near } from "../support/brute/Near.ts"
import { cohortPlan, playersWho } from "../support/cohorts/CohortPlans.ts"
import { entryPlan, scorecardPlan } from "../support/experiments/Exposures.ts"
import { runCount } from "../support/Runs.ts"

/** Two blocks of a scan, and a part of a third one. */
const size = 18_000

const players = fc.record({
  prefix: fc.constantFrom("", "u1", "u12"),
  who: fc.oneof(playersWho, cohortPlan),
  properties: fc.constant(["p"]),
  sort: fc.constantFrom("lastSeen" as const, "firstSeen" as const, "markerCount" as const, "unitId" as const),
  direction: fc.constantFrom("ascending" as const, "descending" as const),
  limit: fc.integer({ min: 1, max: 500 }),
  after: fc.constant(null)
})

const questions: ReadonlyArray<readonly [kind: string, question: fc.Arbitrary<Question>]> = [
  ["insights", plans.insightPlan.map((plan) => ({ kind: "insight", plan }))],
  ["funnels", plans.funnelPlan.map((plan) => ({ kind: "funnel", plan }))],
  ["plain funnels", plans.plainFunnelPlan.map((plan) => ({ kind: "funnel", plan }))],
  ["funnels by groups", plans.groupedFunnelPlan.map((plan) => ({ kind: "funnel", plan }))],
  ["retention", plans.retentionPlan.map((plan) => ({ kind: "retention", plan }))],
  ["retention by groups", plans.groupedRetentionPlan.map((plan) => ({ kind: "retention", plan }))],
  ["heatmaps", plans.heatmapPlan.map((plan) => ({ kind: "heatmap", plan }))],
  ["counted units", plans.countedUnitsPlan.map((plan) => ({ kind: "countedUnits", plan }))],
  ["revenue", plans.revenuePlan.map((plan) => ({ kind: "revenue", plan }))],
  ["listings", plans.listingPlan.map((plan) => ({ kind: "listing", plan }))],
  ["units of insights", unitPlans.insightUnitsPlan.map((plan) => ({ kind: "insightUnits", plan }))],
  ["units of funnels", unitPlans.funnelUnitsPlan.map((plan) => ({ kind: "funnelUnits", plan }))],
  ["units of plain funnels", unitPlans.plainFunnelUnitsPlan.map((plan) => ({ kind: "funnelUnits", plan }))],
  [
    "what units did next",
    unitPlans.funnelUnitsPlan.map((units) => ({ kind: "funnelNext", plan: { units, types: 2 } }))
  ],
  ["units of retention", unitPlans.retentionUnitsPlan.map((plan) => ({ kind: "retentionUnits", plan }))],
  ["units of heatmaps", unitPlans.heatmapUnitsPlan.map((plan) => ({ kind: "heatmapUnits", plan }))],
  ["experiments", fc.oneof(scorecardPlan, entryPlan).map((plan) => ({ kind: "scorecard", plan }))],
  ["days of types", bucketed.map(({ buckets: { boundaries } }) => ({ kind: "typeCounts", plan: { boundaries } }))],
  ["players", players.map((plan) => ({ kind: "players", plan }))]
]

const cohorts = [
  Array.from({ length: unitCount / 3 }, (_, number) => `u${number * 2}`),
  Array.from({ length: 50 }, (_, number) => `u${number * 7}`)
]

const seed = Number(process.env["GAMEKEEPER_TEST_SEED"] ?? Date.now() % 1_000_000)

describe(`In a world of many players (GAMEKEEPER_TEST_SEED=${seed}), scanned columns say what the pure functions say`, () => {
  const environments = new ScannedEnvironments({ ownSegmentRows: 1000, cacheBytes: 16_000_000 })
  let all: ReadonlyArray<StoredEvent> = []
  let environment: ScannedEnvironment

  beforeAll(() => {
    all = largeWorld(size, seed)
    return environments.use((own) => {
      environment = own
      // Sealed, compacted, sealed, and not yet sealed.
      own.send(all.slice(0, 2000))
      own.seal()
      own.send(all.slice(2000, 4500))
      own.seal()
      own.compact()
      own.send(all.slice(4500, 17_500))
      own.seal()
      own.send(all.slice(17_500))
      own.settle(cohorts)
    })
  })

  afterAll(() => environments.close())

  // oxlint-disable-next-line vitest/expect-expect -- near asserts
  it.each(questions)("of %s", (_, question) =>
    fc.assert(
      fc.asyncProperty(question, async (one) => {
        const expected = answerOf(all, one, {
          cohort: (id) => new Set(cohorts[id - 1] ?? []),
          experiment: (id) => exposedGroups(all, id)
        })
        near(environment.ask(one).answer, expected)
      }),
      { numRuns: runCount(3) }
    )
  )
})

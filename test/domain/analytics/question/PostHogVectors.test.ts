import { assert, describe, it } from "@effect/vitest"
import { funnel, funnelUnits } from "../../../../src/domain/analytics/funnel/Funnel.ts"
import { groupedFunnel } from "../../../../src/domain/analytics/funnel/FunnelGroups.ts"
import { funnelTable } from "../../../../src/domain/analytics/funnel/FunnelTable.ts"
import { groupBy } from "../../../../src/domain/analytics/filter/Grouping.ts"
import { insight } from "../../../../src/domain/analytics/insight/Insight.ts"
import { retention } from "../../../../src/domain/analytics/retention/Retention.ts"
import { funnelMarkers } from "../../../../src/domain/analytics/funnel/UnitFunnel.ts"
import type {
  FunnelAnswers,
  OverTimeAnswer,
  RetentionAnswers,
  TrendAnswer
} from "../../../support/analytics/PostHogDifferences.ts"
import {
  compare,
  funnelDifferences,
  localTime,
  overTimeDifferences,
  retentionDifferences,
  texts,
  trendDifferences
} from "../../../support/analytics/PostHogDifferences.ts"
import {
  type FunnelCase,
  type FunnelOverTimeCase,
  type MappedFunnel,
  mapFunnel
} from "../../../support/analytics/PostHogFunnels.ts"
import { type MappedRetention, type RetentionCase, mapRetention } from "../../../support/analytics/PostHogRetention.ts"
import { type MappedTrend, type TrendCase, mapTrend } from "../../../support/analytics/PostHogTrends.ts"

interface Group {
  readonly values: ReadonlyArray<unknown>
  readonly isOther: boolean
}

const named = (group: Group | undefined): ReadonlyArray<unknown> =>
  group === undefined ? [] : group.isOther ? ["Other"] : group.values

const trendAnswer = ({ events, plan, time }: MappedTrend): TrendAnswer => {
  const { metrics, groups } = insight(events, plan)
  return {
    starts: time.buckets.boundaries.slice(0, -1).map((start) => localTime(time.buckets.zone, start)),
    series: metrics.flatMap((metric) => metric.map((points, g) => ({ points, group: named(groups[g]) })))
  }
}

const groupUnits = ({ events, plan }: MappedFunnel, group: string, step: number): ReadonlyArray<string> => {
  const run = groupedFunnel(plan)
  const markers = funnelMarkers(plan)
  return [...groupBy(events, ({ unitId }) => unitId ?? "")]
    .flatMap(([unitId, own]) => run(unitId, markers(own)))
    .filter(({ group: values, result }) => texts(values) === group && (result.times[step] ?? null) !== null)
    .map(({ result }) => result.unitId)
    .sort()
}

const funnelAnswers = (mapped: MappedFunnel): FunnelAnswers => {
  const { events, plan } = mapped
  return {
    series: funnel(events, plan).series.map(({ group, steps }) => ({ group: named(group), steps })),
    units: async (step, outcome) =>
      funnelUnits(events, { funnel: plan, step, outcome, group: null, bin: null, after: null, limit: Infinity }).map(
        ({ unitId }) => unitId
      ),
    groupUnits: (values, step) => groupUnits(mapped, values, step)
  }
}

const overTimeAnswer =
  ({ events, plan }: MappedFunnel): OverTimeAnswer =>
  async (steps) => {
    const shortened = { ...plan, steps: plan.steps.slice(0, Math.max(2, steps)) }
    return funnelTable(shortened, funnel(events, shortened).series[0]!, Infinity).overTime
  }

const retentionAnswers = ({ events, plan }: MappedRetention): RetentionAnswers => ({
  firstStart: localTime(plan.periods.zone, plan.periods.boundaries[plan.firstRow]),
  series: retention(events, plan).series.map(({ group, rows }) => ({
    group: named(group),
    rows: rows.map(({ size, cells }) => [size, ...cells.map(({ count }) => count)])
  }))
})

const files = [
  compare("posthog-trends.json", mapTrend, (one: TrendCase, mapped) => trendDifferences(one, trendAnswer(mapped))),
  compare("posthog-funnels.json", mapFunnel, (one: FunnelCase, mapped) =>
    funnelDifferences(one, funnelAnswers(mapped))
  ),
  compare("posthog-funnel-over-time.json", mapFunnel, (one: FunnelOverTimeCase, mapped) =>
    overTimeDifferences(one, overTimeAnswer(mapped))
  ),
  compare("posthog-retention.json", mapRetention, (one: RetentionCase, mapped) =>
    retentionDifferences(one, retentionAnswers(mapped))
  )
]

describe("PostHog's published cases", () => {
  it.for(files.flatMap(([, comparisons]) => comparisons))("%s", async ([, differences]) => {
    assert.deepEqual(await differences(), [])
  })

  it("leave out those that ask for what the product does not have", () => {
    const reasons = files.flatMap(([leftOut]) => leftOut.map(([, reason]) => reason))
    assert.deepStrictEqual([...new Set(reasons)], ["a funnel of one step"])
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { Filter } from "../../../src/domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import type {
  FunnelAnswers,
  OverTimeAnswer,
  RetentionAnswers,
  TrendAnswer
} from "../../support/analytics/PostHogDifferences.ts"
import {
  compare,
  funnelDifferences,
  localTime,
  overTimeDifferences,
  retentionDifferences,
  trendDifferences
} from "../../support/analytics/PostHogDifferences.ts"
import {
  type FunnelCase,
  type FunnelOverTimeCase,
  type MappedFunnel,
  mapFunnel
} from "../../support/analytics/PostHogFunnels.ts"
import type { CohortIdOf } from "../../support/analytics/PostHogRequests.ts"
import { cohortsOf, funnelBody, markerBody, retentionBody, trendBody } from "../../support/analytics/PostHogRequests.ts"
import { type MappedRetention, type RetentionCase, mapRetention } from "../../support/analytics/PostHogRetention.ts"
import { type MappedTrend, type TrendCase, mapTrend } from "../../support/analytics/PostHogTrends.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

type Breakdown = ReadonlyArray<{ readonly value: unknown }>

const groupOf = ({ breakdown }: { readonly breakdown: Breakdown }) => breakdown.map(({ value }) => value)

describe.each(stores)("PostHog's published cases over HTTP and %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: Studio
  let environments = 0

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
  })

  /** Markers in an environment of their own; asks questions there. */
  const play = async (events: ReadonlyArray<StoredEvent>, filters: ReadonlyArray<Filter>) => {
    const name = `Case ${++environments}`
    const created = await request("POST", `/application/${studio.applicationId}/environments`, {
      headers: studio.cookie,
      body: { name }
    })
    const { id, alias } = created.body
    if (events.length > 0) {
      const authorization = await mintKey(request, studio, { type: "public", environmentIds: [id] })
      const headers = { authorization, environment: alias }
      const sent = await request("POST", "/sdk/v1/markers", { headers, body: { markers: events.map(markerBody) } })
      assert.deepStrictEqual([sent.status, sent.body.ingestedMarkersCount], [200, events.length], sent.text)
    }
    const analyst = cohortAnalystOf(request, studio)
    const cohorts = new Map<string, number>()
    for (const { key, units } of cohortsOf(filters)) {
      const cohort = { name: key, kind: "static", unitIds: [...units] }
      const made = await analyst.call("POST", "", cohort, { environment_id: String(id) })
      cohorts.set(key, made.body.id)
    }
    const cohortIdOf: CohortIdOf = ({ key }) => cohorts.get(key) ?? 0
    const ask = async (kind: string, body: object) => {
      const path = `/application/${studio.applicationId}/analytics/v1/queries/${kind}`
      const headers = { ...studio.cookie, environment_id: String(id) }
      const answer = await request("POST", path, { headers, body })
      assert.strictEqual(answer.status, 200, answer.text)
      return answer.body
    }
    return { ask, cohortIdOf }
  }

  const trendAnswer = async ({ events, plan, time }: MappedTrend): Promise<TrendAnswer> => {
    const filters = [plan.filter, ...plan.metrics.map(({ selector }) => selector.filter)]
    const { ask, cohortIdOf } = await play(events, filters)
    const { buckets, series } = await ask("insights/execute", trendBody({ plan, time }, cohortIdOf))
    return {
      starts: buckets.map((start: string) => localTime(time.buckets.zone, Date.parse(start))),
      series: series.map((one: TrendAnswer["series"][number]["points"] & { breakdown: Breakdown }) => ({
        group: groupOf(one),
        points: one
      }))
    }
  }

  const filtersOf = ({ filter, steps }: FunnelPlan) => [filter, ...steps.map(({ selector }) => selector.filter)]

  const funnelAnswers = async ({ events, plan }: MappedFunnel): Promise<FunnelAnswers> => {
    const { ask, cohortIdOf } = await play(events, filtersOf(plan))
    const body = funnelBody(plan, cohortIdOf)
    const { series } = await ask("funnels/execute", body)
    return {
      series: series.map((one: { breakdown: Breakdown; steps: FunnelAnswers["series"][number]["steps"] }) => ({
        group: groupOf(one),
        steps: one.steps
      })),
      units: async (step, outcome) => {
        const { items } = await ask("funnels/users", { ...body, step, outcome })
        return items.map(({ unitId }: { unitId: string }) => unitId)
      }
    }
  }

  const overTimeAnswer = async ({ events, plan }: MappedFunnel): Promise<OverTimeAnswer> => {
    const { ask, cohortIdOf } = await play(events, filtersOf(plan))
    return async (steps) => {
      const shortened = { ...plan, steps: plan.steps.slice(0, Math.max(2, steps)) }
      const { series } = await ask("funnels/execute", funnelBody(shortened, cohortIdOf))
      return series[0].overTime
    }
  }

  const retentionAnswers = async ({ events, plan }: MappedRetention): Promise<RetentionAnswers> => {
    const { ask, cohortIdOf } = await play(events, [plan.filter, plan.start.filter, plan.return.filter])
    const { series } = await ask("retention/execute", retentionBody(plan, cohortIdOf))
    interface Row {
      readonly start: string
      readonly size: number
      readonly values: ReadonlyArray<{ readonly count: number }>
    }
    return {
      firstStart: localTime(plan.periods.zone, Date.parse(series[0].cohorts[0].start)),
      series: series.map((one: { breakdown: Breakdown; cohorts: ReadonlyArray<Row> }) => ({
        group: groupOf(one),
        rows: one.cohorts.map(({ size, values }) => [size, ...values.map(({ count }) => count)])
      }))
    }
  }

  const files = [
    compare("posthog-trends.json", mapTrend, async (one: TrendCase, mapped) =>
      trendDifferences(one, await trendAnswer(mapped))
    ),
    compare("posthog-funnels.json", mapFunnel, async (one: FunnelCase, mapped) =>
      funnelDifferences(one, await funnelAnswers(mapped))
    ),
    compare("posthog-funnel-over-time.json", mapFunnel, async (one: FunnelOverTimeCase, mapped) =>
      overTimeDifferences(one, await overTimeAnswer(mapped))
    ),
    compare("posthog-retention.json", mapRetention, async (one: RetentionCase, mapped) =>
      retentionDifferences(one, await retentionAnswers(mapped))
    )
  ]

  it.for(files.flatMap(([, comparisons]) => comparisons))("%s", async ([, differences]) => {
    assert.deepEqual(await differences(), [])
  })

  it("leaves out the cases that ask for what the product does not have", () => {
    const reasons = files.flatMap(([leftOut]) => leftOut.map(([, reason]) => reason))
    assert.deepStrictEqual([...new Set(reasons)], ["a funnel of one step"])
  })
})

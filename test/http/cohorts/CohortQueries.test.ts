import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Analyst, analystOf } from "../../support/analytics/Analyst.ts"
import { refused } from "../../support/Caller.ts"
import type { CohortAnalyst } from "../../support/cohorts/CohortAnalyst.ts"
import { cohortAnalystOf, membersOf } from "../../support/cohorts/CohortAnalyst.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Request, Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { from, to, time, markers, all, expected, levels, funnel, retention } from "../../support/cohorts/CohortStory.ts"

const behaviour = {
  type: "behaviour",
  measure: "count",
  operator: "greaterThanOrEqual",
  value: 1,
  window: { from, to }
}

interface Series {
  readonly breakdown: ReadonlyArray<{ readonly value: unknown }>
}

/** What is known of each group of a breakdown. */
const grouped = <S extends Series, A>(series: ReadonlyArray<S>, numbers: (each: S) => A) =>
  Object.fromEntries(series.map((each) => [String(each.breakdown[0]?.value), numbers(each)]))

interface FunnelSeries extends Series {
  readonly steps: ReadonlyArray<{ readonly count: number }>
}
interface RetentionSeries extends Series {
  readonly total: { readonly size: number; readonly values: ReadonlyArray<{ readonly count: number }> }
}

const counts = ({ steps }: FunnelSeries): ReadonlyArray<number> => steps.map(({ count }) => count)
const retained = ({ total }: RetentionSeries): ReadonlyArray<number> => [total.size, total.values[0]!.count]

const others = (whole: ReadonlyArray<number>, part: ReadonlyArray<number>) =>
  whole.map((number, index) => number - part[index]!)

describe.each(stores)("cohorts in questions over %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  const ids: Record<string, number> = {}
  let studio: Studio
  let game: Game
  let cohorts: CohortAnalyst
  let analyst: Analyst
  let map: string

  const filter = (cohort: string, operator = "isIn") => ({
    filters: [{ source: "cohort", name: cohort, operator, value: [ids[cohort]] }]
  })
  const breakdown = (cohort: string) => ({ breakdowns: [{ source: "cohort", name: String(ids[cohort]) }] })

  const define = async (name: string, definition: object) => {
    const { id, status } = await cohorts.define(name, definition)
    assert.strictEqual(status, "ready")
    ids[name] = id
  }

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    cohorts = cohortAnalystOf(request, studio)
    analyst = analystOf(request, studio)
    assert.strictEqual((await game.send(markers)).body.ingestedMarkersCount, markers.length)
    await define("buyers", all({ ...behaviour, marker: "Buy" }))
    await define("no buyers", all({ ...behaviour, marker: "Buy", did: false }))
    const twoLevels = { ...behaviour, marker: "Level", value: 2 }
    await define("buyers of two levels", all({ type: "cohort", cohortId: ids["buyers"] }, twoLevels))
    const firstDay = { from, to: "2026-03-03T00:00:00Z" }
    await define("of the first day", all({ ...behaviour, marker: "Level", window: firstDay }))
    ids["listed"] = (await cohorts.list("listed", ["bob", 7])).id
    await define("not listed", { ...membersOf(ids["listed"]!), negate: true })
    const ended = { from: "2026-02-23T00:00:00Z", to: from }
    await define("of a past week", all({ ...behaviour, marker: "Level", window: ended }))
    const { body } = await request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
      headers: studio.cookie,
      body: {
        name: "Map",
        bounds: { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 2, y: 2, z: 2 } },
        resolutionFactor: 0.001
      }
    })
    map = body.id
  })

  describe.each(expected)("$cohort", (row) => {
    const { cohort, members } = row

    it("has these members", async () => {
      assert.deepStrictEqual(await cohorts.unitIds(ids[cohort]!), members)
    })

    it("filters an insight and breaks it down", async () => {
      const aggregates: Array<unknown> = []
      for (const operator of ["isIn", "isNotIn"]) {
        const { body } = await game.query("insights/execute", { ...levels, ...filter(cohort, operator) })
        aggregates.push(body.series[0].aggregate)
      }
      assert.deepStrictEqual(aggregates, [...row.levels])
      const { body } = await game.query("insights/execute", { ...levels, ...breakdown(cohort) })
      const [inside, outside] = row.levels
      assert.deepStrictEqual(
        grouped(body.series, ({ aggregate }: Series & { aggregate: number }) => aggregate),
        { ...(inside === 0 ? {} : { in: inside }), "not in": outside }
      )
    })

    it("filters one metric of an insight", async () => {
      const metrics = [{ id: "A", data: { name: "Level", type: "uniqueUsers", ...filter(cohort) } }]
      const { body } = await game.query("insights/execute", { time, metrics })
      assert.strictEqual(body.series[0].aggregate, members.length)
    })

    it("filters a funnel, lists its units and breaks it down", async () => {
      const { body } = await game.query("funnels/execute", { ...funnel, ...filter(cohort) })
      assert.deepStrictEqual(counts(body.series[0]), row.funnel)
      const users = { ...funnel, ...filter(cohort), step: 1, outcome: "converted" }
      const page = (await game.query("funnels/users", users)).body
      assert.deepStrictEqual(
        page.items.map(({ unitId }: { unitId: string }) => unitId),
        members
      )
      const { series } = (await game.query("funnels/execute", { ...funnel, ...breakdown(cohort) })).body
      assert.deepStrictEqual(grouped(series, counts), {
        ...(members.length === 0 ? {} : { in: row.funnel }),
        "not in": others([4, 4, 2], row.funnel)
      })
    })

    it("filters retention and breaks it down", async () => {
      const { body } = await game.query("retention/execute", { ...retention, ...filter(cohort) })
      const total: ReadonlyArray<number> = body.series[0] === undefined ? [0, 0] : retained(body.series[0])
      assert.deepStrictEqual(total, row.retention)
      const { series } = (await game.query("retention/execute", { ...retention, ...breakdown(cohort) })).body
      assert.deepStrictEqual(grouped(series, retained), {
        ...(members.length === 0 ? {} : { in: row.retention }),
        "not in": others([4, 2], row.retention)
      })
    })

    it("filters a heatmap, whole or one metric of it", async () => {
      const metric = { id: "A", data: { name: "Level", type: "totalEvents" } }
      const one = { ...metric, data: { ...metric.data, ...filter(cohort) } }
      const shape = { time, heatmapData: { id: map }, options: { display: "count" } }
      for (const more of [{ metrics: [metric], ...filter(cohort) }, { metrics: [one] }]) {
        const { body } = await game.query("heatmaps/execute", { ...shape, ...more })
        const total = body.points.reduce((sum: number, { value }: { value: number }) => sum + value, 0)
        assert.strictEqual(total, row.levels[0])
      }
    })

    it("filters a listing of markers", async () => {
      const path = `/application/${studio.applicationId}/analytics/v1/markers/raw`
      const headers = { ...studio.cookie, environment_id: String(studio.development) }
      const body = { from, to, types: ["Level"], ...filter(cohort) }
      const answer = await request("POST", path, { headers, body })
      assert.deepStrictEqual(
        answer.body.items.map(({ unitId }: { unitId: string }) => unitId),
        row.listing
      )
    })

    it("filters a saved query that runs in the background", async () => {
      const saved = await analyst.save({ name: cohort, queryType: "insight", spec: { ...levels, ...filter(cohort) } })
      const asked = await analyst.ask(saved.body.id)
      const { body } = await analyst.reached(saved.body.id, asked.body.executionId, "succeeded", "failed")
      assert.strictEqual(body.result?.series[0].aggregate, row.levels[0], JSON.stringify(body))
    })

    it("is answered to games", async () => {
      const userIds = ["ann", "bob", "cat", 7, "7", "nobody"]
      const { body } = await ask(request, game.publicKey, { cohortName: cohort, userIds })
      const users = userIds.map((userId) => ({ userId, isMember: members.includes(String(userId)) }))
      assert.deepStrictEqual(body, { cohortExists: true, users })
    })
  })

  it("follow the members that are there when a question is asked, and keep what was", async () => {
    const made = await cohorts.list("moving", ["ann"])
    ids["moving"] = made.id
    const aggregate = async () =>
      (await game.query("insights/execute", { ...levels, ...filter("moving") })).body.series[0].aggregate
    assert.strictEqual(await aggregate(), 2)
    const change = { name: "moving", definition: all({ ...behaviour, marker: "Buy", did: false }) }
    await cohorts.call("PUT", `/${made.id}`, change)
    const { computedAt } = (await cohorts.settled(made.id)).body
    assert.strictEqual(await aggregate(), 2)
    await cohorts.call("PUT", `/${made.id}`, { name: "moving", kind: "static", unitIds: ["bob", "cat", 7] })
    assert.strictEqual(await aggregate(), 3)
    assert.deepStrictEqual(await cohorts.unitIds(made.id, `?at=${made.computedAt}`), ["ann"])
    assert.deepStrictEqual(await cohorts.unitIds(made.id, `?at=${computedAt}`), ["bob", "cat"])
    assert.deepStrictEqual(await cohorts.unitIds(made.id), ["7", "bob", "cat"])
    const count = await cohorts.call("GET", `/${made.id}/member-count?at=${made.computedAt}`)
    assert.deepStrictEqual(count.body, { count: 1, asOf: made.computedAt })
  })

  it.each([
    ["insights/execute", levels],
    ["funnels/execute", funnel],
    ["retention/execute", retention]
  ] as const)("that are not there are refused by %s", async (kind, body) => {
    const nowhere = { source: "cohort", name: "987654" }
    const filters = [{ ...nowhere, operator: "isIn", value: [987_654] }]
    refused(await game.query(kind, { ...body, filters }), 422, "REFERENCE_INVALID")
    refused(await game.query(kind, { ...body, breakdowns: [nowhere] }), 422, "REFERENCE_INVALID")
    const production = { environment_id: String(studio.production) }
    refused(await game.query(kind, { ...body, ...filter("buyers") }, production), 422, "REFERENCE_INVALID")
  })
})

const ask = (request: Request, authorization: string, body: unknown) =>
  request("POST", "/sdk/v1/cohorts/membership", { headers: { authorization }, body })

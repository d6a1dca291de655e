import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { setImmediate } from "node:timers/promises"
import { membershipLimit } from "../../../src/services/game/SdkCohorts.ts"
import { type Analyst, analystOf } from "../../support/analytics/Analyst.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import type { CohortAnalyst } from "../../support/cohorts/CohortAnalyst.ts"
import { cohortAnalystOf, membersOf } from "../../support/cohorts/CohortAnalyst.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Request, Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { type Answer, envelopeKeys, testApp } from "../../support/TestApp.ts"

const [from, to] = ["2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"]
const time = { step: "day", timezone: "UTC", from, to }

/** Day and hour of March 2026, marker, unit. */
const story: ReadonlyArray<readonly [string, string, string | number | undefined]> = [
  ["02T10", "Start", "ann"],
  ["02T11", "Level", "ann"],
  ["03T10", "Level", "ann"],
  ["03T12", "Buy", "ann"],
  ["02T10", "Start", "bob"],
  ["02T12", "Level", "bob"],
  ["02T10", "Start", "cat"],
  ["03T08", "Start", "cat"],
  ["03T09", "Level", "cat"],
  ["03T10", "Start", 7],
  ["03T11", "Level", 7],
  ["03T12", "Buy", 7],
  ["04T10", "Start", 7],
  ["02T09", "Level", undefined]
]

const markers = story.map(([at, type, userId], index) => ({
  markerId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  timestamp: `2026-03-${at}:00:00Z`,
  type,
  ...(userId === undefined ? {} : { userId }),
  properties: { position: [1, 1, 1] }
}))

const behaviour = {
  type: "behaviour",
  measure: "count",
  operator: "greaterThanOrEqual",
  value: 1,
  window: { from, to }
}
const all = (...children: ReadonlyArray<object>) => ({ op: "and", children })

/** What is made of the cohort's members, in the order of the columns below. */
interface Expected {
  readonly cohort: string
  readonly members: ReadonlyArray<string>
  /** Markers Level of members, and of everyone else, the server itself included. */
  readonly levels: readonly [number, number]
  /** Start, then Level, then Buy within two days: units at each step. */
  readonly funnel: readonly [number, number, number]
  /** Units with a first Start, and those that start again a day later. */
  readonly retention: readonly [number, number]
  /** Units of the markers Level, newest first. */
  readonly listing: ReadonlyArray<string>
}

const expected: ReadonlyArray<Expected> = [
  {
    cohort: "buyers",
    members: ["7", "ann"],
    levels: [3, 3],
    funnel: [2, 2, 2],
    retention: [2, 1],
    listing: ["7", "ann", "ann"]
  },
  {
    cohort: "no buyers",
    members: ["bob", "cat"],
    levels: [2, 4],
    funnel: [2, 2, 0],
    retention: [2, 1],
    listing: ["cat", "bob"]
  },
  {
    cohort: "buyers of two levels",
    members: ["ann"],
    levels: [2, 4],
    funnel: [1, 1, 1],
    retention: [1, 0],
    listing: ["ann", "ann"]
  },
  {
    cohort: "of the first day",
    members: ["ann", "bob"],
    levels: [3, 3],
    funnel: [2, 2, 1],
    retention: [2, 0],
    listing: ["ann", "bob", "ann"]
  },
  {
    cohort: "listed",
    members: ["7", "bob"],
    levels: [2, 4],
    funnel: [2, 2, 1],
    retention: [2, 1],
    listing: ["7", "bob"]
  },
  {
    cohort: "not listed",
    members: ["ann", "cat"],
    levels: [3, 3],
    funnel: [2, 2, 1],
    retention: [2, 1],
    listing: ["ann", "cat", "ann"]
  },
  {
    cohort: "of a past week",
    members: [],
    levels: [0, 6],
    funnel: [0, 0, 0],
    retention: [0, 0],
    listing: []
  }
]

const levels = { time, metrics: [{ id: "A", data: { name: "Level", type: "totalEvents" } }] }
const funnel = {
  time,
  steps: ["Start", "Level", "Buy"].map((name) => ({ id: name, name })),
  conversionWindow: { step: "day", value: 2 }
}
const retention = { time, start: { name: "Start" }, startMode: "firstTime", interval: "day", intervals: 3 }

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

const refusedGame = (answer: Answer, status: number, code: string) => {
  assert.deepStrictEqual([answer.status, answer.body?.code, answer.body?.errorCode], [status, code, code])
  assert.deepStrictEqual(keysOf(answer.body), [...envelopeKeys, "errorCode"].sort())
}

const ask = (request: Request, authorization: string, body: unknown) =>
  request("POST", "/sdk/v1/cohorts/membership", { headers: { authorization }, body })

describe.each(stores)("cohorts asked by games over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    await cohortAnalystOf(request, studio).list("Testers", ["ann", 7, 9_007_199_254_740_991])
  })

  it.each([
    ["a raw key", (key: string) => key],
    ["a Bearer key", (key: string) => `Bearer ${key}`]
  ])("echo each id in the JSON type and place it came in, by %s", async (_case, headerOf) => {
    const userIds = [7, "7", "ann", "ANN", 7, -1, 1.5, 9_007_199_254_740_991, "007"]
    const answer = await ask(request, headerOf(game.publicKey), { cohortName: "Testers", userIds })
    assert.strictEqual(answer.status, 200)
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
    const isMember = [true, true, true, false, true, false, false, true, false]
    const users = userIds.map((userId, index) => ({ userId, isMember: isMember[index] }))
    assert.deepStrictEqual(answer.body, { cohortExists: true, users })
  })

  it("say of a cohort that is not there that nobody belongs to it", async () => {
    const { status, body } = await ask(request, game.publicKey, { cohortName: "Nobody", userIds: ["ann", 7] })
    assert.strictEqual(status, 200)
    const users = ["ann", 7].map((userId) => ({ userId, isMember: false }))
    assert.deepStrictEqual(body, { cohortExists: false, users })
  })

  it.each([
    ["no users", { cohortName: "Testers" }],
    ["no name", { userIds: [] }],
    ["an empty id", { cohortName: "Testers", userIds: [""] }],
    ["null for an id", { cohortName: "Testers", userIds: [null] }],
    ["a truth for an id", { cohortName: "Testers", userIds: [true] }],
    ["1,001 users", { cohortName: "Testers", userIds: Array.from({ length: 1001 }, (_each, n) => n) }]
  ])("refuse a question with %s", async (_case, body) => {
    refusedGame(await ask(request, game.publicKey, body), 400, "VALIDATION_FAILED")
  })

  it("take 1,000 users, and none", async () => {
    const many = Array.from({ length: 1000 }, (_each, n) => n)
    const { body } = await ask(request, game.publicKey, { cohortName: "Testers", userIds: many })
    assert.deepStrictEqual(
      body.users.filter(({ isMember }: { isMember: boolean }) => isMember),
      [{ userId: 7, isMember: true }]
    )
    const none = await ask(request, game.publicKey, { cohortName: "Testers", userIds: [] })
    assert.deepStrictEqual(none.body, { cohortExists: true, users: [] })
  })

  it("refuse a stranger, and a key that may not read", async () => {
    const body = { cohortName: "Testers", userIds: [7] }
    assert.strictEqual((await ask(request, "", body)).status, 401)
    assert.strictEqual((await ask(request, "nonsense", body)).status, 401)
    const other = await mintKey(request, studio, { permissions: ["sdk:ingest"] })
    refusedGame(await ask(request, other, body), 403, "FORBIDDEN")
  })
})

describe("the rate of questions of games about cohorts", () => {
  // Time stands still while the game asks, so that a slow machine asks as often within a minute as a fast one.
  let stoodAt: number | null = null
  const now = () => stoodAt ?? Date.now()
  const clock = Object.assign(Clock.make(), { currentTimeMillis: Effect.sync(now), unsafeCurrentTimeMillis: now })
  const { request } = testApp(stores[0][1], { rateLimits: true }, Layer.setClock(clock))

  it("is limited for each key by itself", async () => {
    const studio = await openStudio(request, "ada")
    const [one, other] = [await gameOf(request, studio), await gameOf(request, studio)]
    const body = { cohortName: "Testers", userIds: [] }
    const atOnce = 100
    stoodAt = Date.now()
    for (let asked = 0; asked < membershipLimit.limit; asked += atOnce) {
      const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(request, one.publicKey, body)))
      assert.isTrue(answers.every(({ status }) => status === 200))
      await setImmediate()
    }
    const refusal = await ask(request, one.publicKey, body)
    refusedGame(refusal, 429, "RATE_LIMITED")
    assert.isAtLeast(Number(refusal.headers.get("retry-after")), 1)
    assert.strictEqual((await ask(request, other.publicKey, body)).status, 200)
  })
})

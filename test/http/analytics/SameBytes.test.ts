import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { openForReading } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { MemoryMetadata } from "../../../src/adapters/memory/Memory.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { isCluster } from "../../support/cluster/Chosen.ts"
import { clusterEvents } from "../../support/cluster/EventStores.ts"
import { seeded } from "../../support/Seeded.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { type Stores, testApp } from "../../support/TestApp.ts"
import { threads } from "../../support/Workers.ts"

const folder = mkdtempSync(join(tmpdir(), "bytes-"))
afterAll(() => rmSync(folder, { recursive: true }))
const eventsFile = (name: string) => join(folder, `${name}.events.sqlite`)

const fileStores = (name: string): Stores =>
  Layer.merge(
    SqliteMetadata(join(folder, `${name}.metadata.sqlite`)),
    EventStoreSqlite({ file: eventsFile(name), threads, dedupeDays: 7, cacheBytes: 16_000_000, budget: 60_000 })
  )

const hour = 3_600_000
const start = Date.parse("2026-03-22T00:00:00Z")
const random = seeded(20_260_322)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <A>(...choices: ReadonlyArray<A>): A => choices[below(choices.length)]!

/** A popular type that gets segments of its own, rare ones that share some; ties in time, fractions, a change of summer time. */
const markers = Array.from({ length: 8000 }, (_, index) => ({
  markerId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  timestamp: start + below(14 * 24 * 6) * (hour / 6),
  type: random() < 0.75 ? "Level" : pick("Start", "Buy", "Quit"),
  userId: `u${below(random() < 0.5 ? 40 : 400)}`,
  sessionId: `s${below(900)}`,
  value: {
    ...(random() < 0.8 ? { price: below(1000) / 10 } : {}),
    ...(random() < 0.6 ? { item: pick("sword", "bow", "", "ß") } : {}),
    boss: random() < 0.3
  },
  properties: { platform: pick("ios", "web", "switch"), position: [below(90) / 10, below(30), below(70) / 10] }
}))

const partSize = markers.length / 4
const parts = [0, 1, 2, 3].map((part) => markers.slice(part * partSize, (part + 1) * partSize))

const time = {
  step: "day",
  timezone: "Europe/Berlin",
  from: "2026-03-23T00:00:00+01:00",
  to: "2026-04-03T00:00:00+02:00"
}
const price = { argument: "price" }
const metric = (id: string, data: object) => ({ id, data: { name: "Level", ...data } })
const measures = [
  ..."totalEvents uniqueUsers dau wau mau totalSessions frequencyPerUser frequencyPerSession firstTimeUsers"
    .split(" ")
    .map((type) => ({ type })),
  ..."sum average median min max sumPerUser averagePerUser".split(" ").map((type) => ({ type, ...price })),
  { type: "percentile", percentile: 95, ...price }
]
const halves = [measures.slice(0, 9), measures.slice(9)]
const filters = [
  { source: "argument", name: "price", operator: "between", value: [10, 80] },
  { source: "property", name: "platform", operator: "isNot", value: "switch" }
]
const breakdowns = [
  { source: "argument", name: "item" },
  { source: "property", name: "platform" }
]
const steps = ["Start", "Level", "Buy"].map((name, index) => ({ id: `s${index}`, name }))
const funnel = { time, steps, conversionWindow: { step: "day", value: 3 } }
const retention = { time, start: { name: "Start" }, return: { name: ["Level", "Buy"] }, interval: "day", intervals: 7 }

const questions = (heatmapId: string): ReadonlyArray<readonly [kind: string, body: object]> => [
  ...halves.map(
    (half) => ["insights/execute", { time, metrics: half.map((data, i) => metric(`M${i}`, data)) }] as const
  ),
  ...["hour", "week", "month"].map(
    (step) =>
      [
        "insights/execute",
        { time: { ...time, step }, metrics: [metric("A", { type: "uniqueUsers" })], filters }
      ] as const
  ),
  [
    "insights/execute",
    {
      time,
      metrics: [
        metric("A", { type: "sum", ...price }),
        metric("B", { type: "uniqueUsers", name: ["Level", "Buy"] }),
        { id: "C", data: { type: "formula", formula: "A / B" } }
      ],
      breakdowns,
      breakdownLimit: 5,
      options: { compare: "previousPeriod", movingAverage: 3 }
    }
  ],
  ...["ordered", "strict", "unordered"].map((order) => ["funnels/execute", { ...funnel, order, breakdowns }] as const),
  ["funnels/execute", { ...funnel, options: { display: "overTime" } }],
  ["funnels/execute", { ...funnel, exclusions: [{ name: "Quit", fromStep: 0, toStep: 2 }], holdConstant: breakdowns }],
  ...["converted", "dropped"].map((outcome) => ["funnels/users?limit=1000", { ...funnel, step: 2, outcome }] as const),
  ["retention/execute", retention],
  ["retention/execute", { ...retention, startMode: "firstTime", criterion: "onOrAfter", window: "rolling24h" }],
  ["retention/execute", { ...retention, dateBy: "return", breakdowns: breakdowns.slice(1) }],
  [
    "heatmaps/execute",
    {
      time,
      metrics: [metric("A", { type: "totalEvents" })],
      heatmapData: { id: heatmapId },
      options: { display: "count" }
    }
  ]
]

/** An empty studio over the stores: what puts the event store in order, and every answer to the questions but for what it cost. */
const open = async (store: Stores) => {
  const { request, run, close } = testApp(store, { retentionDays: 36_500 })
  const studio = await openStudio(request, "ada")
  const game = await gameOf(request, studio)
  const made = await request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
    headers: studio.cookie,
    body: { name: "Map", bounds: { pointA: { x: 8, y: 20, z: 6 }, pointB: { x: 0, y: 0, z: 0 } }, resolutionFactor: 1 }
  })
  const retention = [{ environmentId: EnvironmentId.make(studio.development), before: 0 }]
  const maintain = () => run(Effect.flatMap(EventStore, (events) => events.maintain({ now: Date.now(), retention })))
  return { game, maintain, close, heatmapId: made.body.id, studio }
}

const send = async (game: Game, sent: typeof markers) => {
  for (let from = 0; from < sent.length; from += 1000) {
    const { body } = await game.send(sent.slice(from, from + 1000))
    assert.strictEqual(body.ingestedMarkersCount, 1000)
  }
}

const answers = async ({ query }: Pick<Game, "query">, heatmapId: string): Promise<ReadonlyArray<string>> => {
  const texts: Array<string> = []
  for (const [kind, body] of questions(heatmapId)) {
    const { status, text } = await query(kind, body)
    assert.strictEqual(status, 200, text)
    const isKept = /"meta":\{[^}]*"cached":true/.test(text)
    assert.isFalse(isKept, "an answer that was kept shows nothing of the store")
    texts.push(`${kind} ${text.replace(/"meta":\{[^}]*\}/, "")}`)
  }
  return texts
}

const stored = (name: string) => {
  const db = openForReading(eventsFile(name))
  const count = (sql: string) => Number(db.prepare<[], { n: number | null }>(sql).get()?.n ?? 0)
  const found = { tail: count("select sum(events) n from tail"), segments: count("select count(*) n from segment") }
  db.close()
  return found
}

describe("The same question over the same markers", () => {
  it(
    "is answered with the same bytes by memory, tail, segments, fewer segments, and after a restart",
    { timeout: 120_000 },
    async () => {
      const memory = await open(MemoryStores)
      await send(memory.game, markers)
      const expected = await answers(memory.game, memory.heatmapId)
      assert.isTrue(expected.every((text) => text.length > 200))

      const tail = await open(fileStores("tail"))
      await send(tail.game, markers)
      assert.deepStrictEqual(stored("tail"), { tail: markers.length, segments: 0 })
      assert.deepStrictEqual(await answers(tail.game, tail.heatmapId), expected)
      await tail.close()

      const sealed = await open(fileStores("sealed"))
      for (const part of parts.slice(0, 3)) {
        await send(sealed.game, part)
        await sealed.maintain()
      }
      await send(sealed.game, parts[3]!)
      const before = stored("sealed")
      assert.strictEqual(before.tail, partSize)
      assert.strictEqual(before.segments, 6)
      assert.deepStrictEqual(await answers(sealed.game, sealed.heatmapId), expected)

      await sealed.maintain()
      assert.deepStrictEqual(stored("sealed"), { tail: 0, segments: 2 })
      assert.deepStrictEqual(await answers(sealed.game, sealed.heatmapId), expected)
      await sealed.close()

      for (const [name, { studio, heatmapId }] of [
        ["tail", tail],
        ["sealed", sealed]
      ] as const) {
        const again = testApp(fileStores(name), { retentionDays: 36_500 })
        const base = `/application/${studio.applicationId}/analytics/v1/queries`
        const headers = { ...studio.cookie, environment_id: String(studio.development) }
        const query = (kind: string, body: object) => again.request("POST", `${base}/${kind}`, { headers, body })
        assert.deepStrictEqual(await answers({ query }, heatmapId), expected, name)
        await again.close()
      }
    }
  )

  const onCluster: ReadonlyArray<string> = isCluster ? ["ClickHouse"] : []
  it.each(onCluster)("is answered with the same bytes by memory and by %s", { timeout: 120_000 }, async () => {
    const memory = await open(MemoryStores)
    await send(memory.game, markers)
    const two = await open(Layer.merge(MemoryMetadata, clusterEvents(7)))
    for (const part of parts) {
      await send(two.game, part)
      await two.maintain()
    }
    assert.deepStrictEqual(await answers(two.game, two.heatmapId), await answers(memory.game, memory.heatmapId))
  })
})

import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { InsightPlan } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import type { ListingPlan } from "../../../src/domain/analytics/question/Question.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStoreMemory } from "../../../src/adapters/memory/analytics/EventStore.ts"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { base, day } from "./FewMarkers.ts"
import { isCluster } from "../cluster/Chosen.ts"
import { clusterEvents } from "../cluster/EventStores.ts"
import { threads } from "../Workers.ts"

export const dedupeDays = 7

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "events-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const threaded = Layer.unwrapScoped(
  Effect.map(folder, (path) =>
    EventStoreSqlite({ file: join(path, "events.sqlite"), threads, dedupeDays, cacheBytes: 16_000_000, budget: 10_000 })
  )
)

const folderStores = [
  ["memory", EventStoreMemory({ dedupeDays })],
  [
    "sqlite",
    EventStoreSqlite({ file: ":memory:", threads: inlineThreads, dedupeDays, cacheBytes: 16_000_000, budget: 10_000 })
  ],
  ["sqlite with threads", threaded]
] as const

/** The stores that agree by contract; under `npm run test:cluster` the one on two databases. */
export const stores = isCluster ? ([["clickhouse", clusterEvents(dedupeDays)]] as const) : folderStores

let environments = 0

export const freshEnvironment = () => EnvironmentId.make(++environments)

export const listing: ListingPlan = {
  range: { from: base - 10 * day, to: base + 10 * day },
  types: null,
  unitId: null,
  filter: unfiltered,
  limit: 1000,
  after: null
}

export const insight: InsightPlan = {
  range: { from: base - day, to: base + 5 * day },
  buckets: { step: "day", zone: "UTC", boundaries: Array.from({ length: 8 }, (_, i) => base - day * 1.5 + i * day) },
  metrics: [
    { id: "A", selector: { types: ["Login", "Level"], filter: unfiltered }, measure: { type: "uniqueUsers" } },
    { id: "B", selector: { types: ["Purchase"], filter: unfiltered }, measure: { type: "sum", argument: "price" } }
  ],
  filter: unfiltered,
  breakdowns: [{ source: "property", name: "platform" }],
  breakdownLimit: 2,
  groups: null,
  cumulative: false
}

export const marker = (change: Partial<Event>): Event => ({
  markerId: "0190b5c2-7f3a-4d21-9c4e-5b6f7a8b9c0d",
  type: "Login",
  unitId: "u1",
  sessionId: null,
  serverId: null,
  timestamp: base,
  receivedAt: base,
  clamped: false,
  arguments: {},
  properties: {},
  position: null,
  ...change
})

export const id = (n: number) => `0190b5c2-7f3a-4d21-9c4e-00000000000${n}`

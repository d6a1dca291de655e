import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EventStoreMemory } from "../../../src/adapters/memory/analytics/EventStore.ts"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { CohortPlan } from "../../../src/domain/cohorts/CohortPlan.ts"
import { CohortId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { base, day } from "../analytics/FewMarkers.ts"
import { isCluster } from "../cluster/Chosen.ts"
import { clusterEvents } from "../cluster/EventStores.ts"
import { threads } from "../Workers.ts"

const options = { dedupeDays: 7, cacheBytes: 16_000_000, budget: 10_000 }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cohorts-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const threaded = Layer.unwrapScoped(
  Effect.map(folder, (path) => EventStoreSqlite({ ...options, file: join(path, "events.sqlite"), threads }))
)

const folderStores = [
  ["memory", EventStoreMemory({ dedupeDays: 7 })],
  ["sqlite", EventStoreSqlite({ ...options, file: ":memory:", threads: inlineThreads })],
  ["sqlite with threads", threaded]
] as const

/** The stores that agree by contract; under `npm run test:cluster` the one on two databases. */
export const stores = isCluster ? ([["clickhouse", clusterEvents(options.dedupeDays)]] as const) : folderStores

let environments = 0

let markers = 0

export const freshEnvironment = () => EnvironmentId.make(++environments)

export const marker = (unitId: string, type: string, change: Partial<Event> = {}): Event => ({
  markerId: `0190b5c2-7f3a-4d21-9c4e-${String(++markers).padStart(12, "0")}`,
  type,
  unitId,
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

export const cohort = CohortId.make(7)

export const did = (type: string, least = 1): CohortPlan => ({
  op: "and",
  negate: false,
  children: [
    {
      type: "behaviour",
      did: true,
      selector: { types: [type], filter: unfiltered },
      measure: "count",
      argument: "",
      zone: "UTC",
      operator: "greaterThanOrEqual",
      value: [least, least],
      window: { since: "epoch", from: base - day, to: base + day }
    }
  ]
})

export const ids = (members: ReadonlyArray<{ readonly unitId: string }>) => members.map(({ unitId }) => unitId)

export const firstPage = { at: null, after: null, limit: 10 }

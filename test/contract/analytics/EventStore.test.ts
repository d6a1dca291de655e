import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Fiber, Layer, TestClock } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { Event, StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { everything } from "../../../src/domain/analytics/filter/Filter.ts"
import type { InsightPlan } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import type { ListingPlan } from "../../../src/domain/analytics/question/Question.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStoreMemory } from "../../../src/adapters/memory/analytics/EventStore.ts"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day, fewMarkers } from "../../support/analytics/FewMarkers.ts"
import { threads } from "../../support/Workers.ts"
import { runCount } from "../../support/Runs.ts"

const dedupeDays = 7

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "events-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const threaded = Layer.unwrapScoped(
  Effect.map(folder, (path) =>
    EventStoreSqlite({ file: join(path, "events.sqlite"), threads, dedupeDays, cacheBytes: 16_000_000, budget: 10_000 })
  )
)

const stores = [
  ["memory", EventStoreMemory({ dedupeDays })],
  ["sqlite", EventStoreSqlite({ file: ":memory:", threads: null, dedupeDays, cacheBytes: 16_000_000, budget: 10_000 })],
  ["sqlite with threads", threaded]
] as const

let environments = 0
const freshEnvironment = () => EnvironmentId.make(++environments)

const listing: ListingPlan = {
  range: { from: base - 10 * day, to: base + 10 * day },
  types: null,
  unitId: null,
  filter: everything,
  limit: 1000,
  after: null
}

const insight: InsightPlan = {
  range: { from: base - day, to: base + 5 * day },
  buckets: { step: "day", zone: "UTC", boundaries: Array.from({ length: 8 }, (_, i) => base - day * 1.5 + i * day) },
  metrics: [
    { id: "A", selector: { types: ["Login", "Level"], filter: everything }, measure: { type: "uniqueUsers" } },
    { id: "B", selector: { types: ["Purchase"], filter: everything }, measure: { type: "sum", argument: "price" } }
  ],
  filter: everything,
  breakdowns: [{ source: "property", name: "platform" }],
  breakdownLimit: 2,
  groups: null,
  cumulative: false
}

const marker = (change: Partial<Event>): Event => ({
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

const id = (n: number) => `0190b5c2-7f3a-4d21-9c4e-00000000000${n}`

/** What the definition of identity says a store holds. */
const modelOf = () => {
  const stored: Array<StoredEvent> = []
  const seen = new Map<string, number>()
  const append = (receivedAt: number, events: ReadonlyArray<Event>) => {
    const duplicates: Array<number> = []
    events.forEach((event, index) => {
      const today = Math.floor(receivedAt / day)
      if ((seen.get(event.markerId) ?? -Infinity) >= today - dedupeDays) return duplicates.push(index)
      seen.set(event.markerId, today)
      return stored.push({ ...event, receivedAt, sequence: stored.length + 1 })
    })
    return duplicates
  }
  return { append, stored }
}

const batches = fc.array(
  fc.record({ events: fc.array(fewMarkers, { maxLength: 5 }), later: fc.constantFrom(0, 1, 3, 9) }),
  { maxLength: 5 }
)

for (const [label, store] of stores) {
  layer(store)(`event store in ${label}`, (it) => {
    it.effect("its version stays while nothing is stored, and its progress can be watched", () =>
      Effect.gen(function* () {
        const { append, ask, version } = yield* EventStore
        const environment = freshEnvironment()
        const before = yield* version(environment)
        assert.strictEqual(before.highestSequence, 0)
        yield* append(environment, base, [marker({ markerId: id(1) }), marker({ markerId: id(2) })])
        const after = yield* version(environment)
        yield* append(environment, base, [marker({ markerId: id(1) })])
        yield* append(freshEnvironment(), base, [marker({ markerId: id(3) })])
        assert.deepStrictEqual([after.highestSequence, yield* version(environment)], [2, after])
        let look = () => ({ rowsScanned: -1, rowsTotal: -1 })
        const { meta } = yield* ask(environment, { kind: "insight", plan: insight }, (progress) => (look = progress))
        assert.strictEqual(meta.highestSequence, after.highestSequence)
        assert.strictEqual(look().rowsScanned, meta.rowsScanned)
        assert.isAtLeast(look().rowsTotal, meta.rowsScanned)
      })
    )

    it.effect("C4: answers nothing that is past retention, whether it is in the tail, sealed or deleted", () =>
      Effect.gen(function* () {
        const { append, ask, maintain, retain, version } = yield* EventStore
        const environmentId = freshEnvironment()
        const now = base + 60 * day
        yield* TestClock.setTime(now)
        const types = ["Login", "Level", "Purchase"]
        const all = Array.from({ length: 60 }, (_, index) =>
          marker({
            markerId: `0190b5c2-7f3a-4d21-9c4e-1000${String(environmentId).padStart(4, "0")}${String(index).padStart(4, "0")}`,
            type: types[index % 3]!,
            unitId: `u${index % 4}`,
            timestamp: now - (index * 12 + 6) * 3_600_000
          })
        )
        yield* append(environmentId, now, all)
        const always = { from: 0, to: Number.MAX_SAFE_INTEGER }
        const shown = Effect.map(
          ask(environmentId, { kind: "listing", plan: { ...listing, range: always } }),
          ({ answer }) => answer.items.map(({ markerId }) => markerId)
        )
        const seen = Effect.map(ask(environmentId, { kind: "types", plan: { now } }), ({ answer }) => answer)
        const counted = Effect.map(
          ask(environmentId, {
            kind: "countedUnits",
            plan: {
              selector: { types: ["Login", "Level", "Purchase"], filter: everything },
              range: always,
              minimum: 1,
              maximum: null,
              limit: 10
            }
          }),
          ({ answer }) => answer
        )
        const known = yield* seen
        const keptBy = (days: number, own: Readonly<Record<string, number>>) =>
          all.filter(({ type, timestamp }) => timestamp >= now - (own[type] ?? days) * day)
        const agrees = (days: number, own: Readonly<Record<string, number>>) =>
          Effect.gen(function* () {
            const expected = keptBy(days, own)
            assert.deepStrictEqual(
              yield* shown,
              expected.map(({ markerId }) => markerId)
            )
            const units = [...new Set(expected.map(({ unitId }) => unitId ?? ""))].sort()
            assert.deepStrictEqual(yield* counted, { count: units.length, unitIds: units })
            assert.deepStrictEqual(yield* seen, known)
          })
        const rules = [
          [20, {}],
          [10, { Level: 3 }],
          [2, { Login: 8, Purchase: 1 }]
        ] as const
        const before = yield* version(environmentId)
        for (const [days, own] of rules) {
          yield* retain(environmentId, { days, types: own })
          yield* agrees(days, own)
          assert.notDeepEqual(yield* version(environmentId), before)
          yield* maintain({ now, retention: [] })
          yield* agrees(days, own)
          const limits = new Map(Object.entries(own).map(([type, each]) => [type, now - each * day]))
          yield* maintain({ now, retention: [{ environmentId, before: now - days * day, types: limits }] })
          yield* agrees(days, own)
        }
      })
    )

    it.effect("names the duplicates of a batch and keeps the first write", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        const batch = [
          marker({ markerId: id(1) }),
          marker({ markerId: id(2) }),
          marker({ markerId: id(1), type: "Late" })
        ]
        assert.deepStrictEqual(yield* append(environment, base, batch), [2])
        assert.deepStrictEqual(yield* append(environment, base, batch), [0, 1, 2])
        assert.deepStrictEqual(yield* append(environment, base, []), [])
        const { answer, meta } = yield* ask(environment, { kind: "listing", plan: listing })
        assert.deepStrictEqual(
          answer.items.map(({ markerId, type, sequence }) => [markerId, type, sequence]),
          [
            [id(2), "Login", 2],
            [id(1), "Login", 1]
          ]
        )
        assert.deepStrictEqual([meta.rowsScanned, meta.highestSequence], [2, 2])
      })
    )

    it.effect("keeps environments apart", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const [one, two] = [freshEnvironment(), freshEnvironment()]
        assert.deepStrictEqual(yield* append(one, base, [marker({})]), [])
        assert.deepStrictEqual(yield* append(two, base, [marker({ unitId: "u2" })]), [])
        const { answer } = yield* ask(two, { kind: "unit", plan: { unitId: "u1" } })
        assert.isNull(answer)
      })
    )

    it.effect("forgets marker ids after the dedupe window, counted in days of receipt", () =>
      Effect.gen(function* () {
        const { append } = yield* EventStore
        const environment = freshEnvironment()
        yield* append(environment, base, [marker({})])
        assert.deepStrictEqual(yield* append(environment, base + 7 * day, [marker({})]), [0])
        assert.deepStrictEqual(yield* append(environment, base + 8 * day, [marker({})]), [])
        assert.deepStrictEqual(yield* append(environment, base + 9 * day, [marker({})]), [0])
      })
    )

    it.effect("loses nothing of what is appended at the same time", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        const results = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, i) => i),
          (i) => append(environment, base, [marker({ markerId: id(i % 10) })]),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.flat().length, 10)
        const { answer } = yield* ask(environment, { kind: "listing", plan: listing })
        assert.deepStrictEqual(
          answer.items.map(({ sequence }) => sequence).sort((a, b) => a - b),
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        )
      })
    )

    it.effect("knows the types, names and values it has seen", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        yield* append(environment, base, [marker({ arguments: { level: 1 }, properties: { platform: "ios" } })])
        const types = yield* ask(environment, { kind: "types", plan: { now: base } })
        assert.deepStrictEqual(types.answer, [
          { name: "Login", firstSeenAt: base, lastSeenAt: base, count30d: 1, arguments: 1 }
        ])
        const names = yield* ask(environment, { kind: "names", plan: { source: "property", type: null } })
        assert.deepStrictEqual(names.answer, [
          { name: "platform", dataType: "string", types: ["Login"], lastSeenAt: base }
        ])
        const plan = { source: "argument", name: "level", type: null, search: null, limit: 5 } as const
        assert.deepStrictEqual((yield* ask(environment, { kind: "values", plan })).answer, [{ value: 1, count: 1 }])
      })
    )

    it.effect("drops all there is of an environment, and nothing of another", () =>
      Effect.gen(function* () {
        const { append, ask, drop, maintain, version } = yield* EventStore
        const [gone, kept] = [freshEnvironment(), freshEnvironment()]
        const some = [
          marker({ markerId: id(1), arguments: { level: 1 } }),
          marker({ markerId: id(2), sessionId: "s1" })
        ]
        for (const environment of [gone, kept]) yield* append(environment, base, some)
        yield* maintain({ now: base, retention: [] })
        for (const environment of [gone, kept]) yield* append(environment, base, [marker({ markerId: id(3) })])
        const everything = Effect.fnUntraced(function* (environment: EnvironmentId) {
          const names = { kind: "names", plan: { source: "argument", type: null } } as const
          return [
            (yield* ask(environment, { kind: "listing", plan: listing })).answer.items.length,
            (yield* ask(environment, { kind: "types", plan: { now: base } })).answer.length,
            (yield* ask(environment, names)).answer.length,
            (yield* ask(environment, { kind: "unit", plan: { unitId: "u1" } })).answer?.events ?? 0
          ]
        })
        assert.deepStrictEqual(yield* everything(gone), [3, 1, 1, 3])
        const before = [yield* version(gone), yield* version(kept)]
        yield* drop([gone])
        assert.deepStrictEqual(yield* everything(gone), [0, 0, 0, 0])
        assert.deepStrictEqual(yield* everything(kept), [3, 1, 1, 3])
        assert.deepStrictEqual(yield* append(kept, base, some), [0, 1])
        assert.notDeepEqual(yield* version(gone), before[0])
        assert.deepStrictEqual(yield* version(kept), before[1])
        yield* drop([gone, freshEnvironment()])
      })
    )

    it.effect("goes on answering after a question was interrupted", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        yield* append(environment, base, [marker({})])
        const asking = yield* Effect.fork(ask(environment, { kind: "insight", plan: insight }))
        yield* Fiber.interrupt(asking)
        const { answer } = yield* ask(environment, { kind: "listing", plan: listing })
        assert.strictEqual(answer.items.length, 1)
      })
    )

    it.effect.prop(
      "finds the duplicates that the definition names and answers as the pure functions do",
      [batches],
      ([appends]) =>
        Effect.gen(function* () {
          const { append, ask } = yield* EventStore
          const environment = freshEnvironment()
          const model = modelOf()
          let receivedAt = base
          for (const { events, later } of appends) {
            receivedAt += later * day
            assert.deepStrictEqual(yield* append(environment, receivedAt, events), model.append(receivedAt, events))
          }
          const listed = yield* ask(environment, { kind: "listing", plan: listing })
          assert.deepEqual(listed.answer, answerOf(model.stored, { kind: "listing", plan: listing }))
          const counted = yield* ask(environment, { kind: "insight", plan: insight })
          assert.deepStrictEqual(counted.answer, answerOf(model.stored, { kind: "insight", plan: insight }))
        }),
      { fastCheck: { numRuns: runCount(1000) } }
    )
  })
}

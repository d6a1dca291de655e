import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Fiber } from "effect"
import type { Metric } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { Event, StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { base, day, fewMarkers } from "../../support/analytics/FewMarkers.ts"
import { runCount } from "../../support/Runs.ts"
import {
  dedupeDays,
  stores,
  freshEnvironment,
  listing,
  insight,
  marker,
  id
} from "../../support/analytics/EventStores.ts"

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

    it.effect("answers a metric that is asked for twice twice", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        yield* append(environment, base, [marker({ markerId: id(1), type: "Login", unitId: "u" })])
        const spans = insight.buckets.boundaries.slice(0, -1).map((from) => ({ from: from - 6 * day, to: from + day }))
        const metrics = ["A", "B"].map((name): Metric => ({
          id: name,
          selector: { types: ["Login"], filter: insight.filter },
          measure: { type: "activeUsers", days: 7, spans }
        }))
        const { answer } = yield* ask(environment, { kind: "insight", plan: { ...insight, metrics } })
        assert.deepStrictEqual(answer.metrics[1], answer.metrics[0])
        assert.isTrue(answer.metrics[1]?.[0]?.values.includes(1))
      })
    )

    it.effect("a page of markers tells as of what it is, also where only few of them are read for it", () =>
      Effect.gen(function* () {
        const { append, ask } = yield* EventStore
        const environment = freshEnvironment()
        yield* append(environment, base, [
          marker({ markerId: id(1), type: "Login" }),
          marker({ markerId: id(2), type: "Login" }),
          marker({ markerId: id(3), type: "Level" })
        ])
        const nobody = { source: "cohort", members: { key: "nobody", units: new Set<string>() }, isIn: false } as const
        const filter = { match: "all", conditions: [nobody] } as const
        const plan = { ...listing, types: ["Login"], filter, limit: 1 }
        const { answer } = yield* ask(environment, { kind: "listing", plan })
        assert.strictEqual(answer.next?.asOf, 3)
      })
    )

    it.effect("E2: tells the names of each type, in the tail or sealed, of one environment alone", () =>
      Effect.gen(function* () {
        const { append, maintain, names } = yield* EventStore
        const environmentId = freshEnvironment()
        const sorted = Effect.map(names(environmentId), (all) =>
          all
            .toSorted((one, other) => (one.type < other.type ? -1 : 1))
            .map(({ type, arguments: own, properties }) => [type, own.toSorted(), properties.toSorted()])
        )
        assert.deepStrictEqual(yield* sorted, [])
        yield* append(freshEnvironment(), base, [marker({ markerId: id(1), type: "Elsewhere" })])
        yield* append(environmentId, base, [
          marker({ markerId: id(1), arguments: { level: 1 }, properties: { platform: "ios" } }),
          marker({ markerId: id(2), arguments: { level: 2, boss: true } })
        ])
        const first = [["Login", ["boss", "level"], ["platform"]]]
        assert.deepStrictEqual(yield* sorted, first)
        yield* maintain({ now: base, retention: [] })
        assert.deepStrictEqual(yield* sorted, first)
        yield* append(environmentId, base, [marker({ markerId: id(3), type: "Quit" })])
        assert.deepStrictEqual(yield* sorted, [...first, ["Quit", [], []]])
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
        const typeCounts = { kind: "typeCounts", plan: { boundaries: [base - 5, base, base + 1, base + 9] } } as const
        assert.deepStrictEqual((yield* ask(environment, typeCounts)).answer, [{ name: "Login", counts: [0, 1, 0] }])
        const names = yield* ask(environment, { kind: "names", plan: { source: "property", type: null } })
        assert.deepStrictEqual(names.answer, [
          { name: "platform", dataType: "string", types: ["Login"], lastSeenAt: base }
        ])
        const plan = { source: "argument", name: "level", type: null, search: null, limit: 5 } as const
        assert.deepStrictEqual((yield* ask(environment, { kind: "values", plan })).answer, [{ value: 1, count: 1 }])
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

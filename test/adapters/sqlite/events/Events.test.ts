import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import type { ListingAnswer, ListingPlan } from "../../../../src/domain/analytics/question/Question.ts"
import type { PoolAnswer } from "../../../../src/adapters/sqlite/events/threads/PoolTerms.ts"
import type { InsightPlan } from "../../../../src/domain/analytics/insight/InsightPlan.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { append, ask, close, inDirectory, modes, open } from "./Store.ts"

const day = 86_400_000
const now = Date.UTC(2026, 2, 10, 12)

const event = (change: Partial<Event> = {}): Event => ({
  markerId: randomUUID(),
  type: "Level",
  unitId: "u1",
  sessionId: null,
  serverId: null,
  timestamp: now,
  receivedAt: now,
  clamped: false,
  arguments: { level: 3 },
  properties: {},
  position: null,
  ...change
})

const all: ListingPlan = {
  range: { from: 0, to: 1e15 },
  types: null,
  unitId: null,
  filter: unfiltered,
  limit: 100,
  after: null
}

for (const mode of modes)
  describe(`The event store ${mode.name}`, () => {
    it("lists what it was given, newest first, and each environment by itself", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        const [older, newer, elsewhere] = [event(), event({ timestamp: now + 1 }), event()]
        const [first, second] = await Promise.all([
          append(store, 1, now, [older, newer]),
          append(store, 2, now, [elsewhere])
        ])
        assert.deepStrictEqual(first, { _tag: "Stored", firstSequence: 1, duplicates: [] })
        assert.deepStrictEqual(second, { _tag: "Stored", firstSequence: 1, duplicates: [] })
        const asked = await ask(store, 1, { kind: "listing", plan: all })
        assert(asked._tag === "Answered")
        assert.deepStrictEqual(asked.answer.items, [
          { ...newer, sequence: 2 },
          { ...older, sequence: 1 }
        ])
        assert.strictEqual(asked.meta.highestSequence, 2)
        assert.strictEqual(store.highestSequence(1), 2)
        await close(store)
      }))

    it("stores a repeated marker id once per environment and names the repeats", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        const one = event()
        const sent = await append(store, 1, now, [one, event(), one])
        assert.deepStrictEqual(sent, { _tag: "Stored", firstSequence: 1, duplicates: [2] })
        const again = await append(store, 1, now + 7 * day, [event(), one])
        assert.deepStrictEqual(again, { _tag: "Stored", firstSequence: 3, duplicates: [1] })
        assert.deepStrictEqual(await append(store, 2, now, [one]), { _tag: "Stored", firstSequence: 1, duplicates: [] })
        await close(store)
      }))

    it("forgets a marker id once its day of receipt has left the window", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        const one = event()
        await append(store, 1, now, [one])
        const late = await append(store, 1, now + 8 * day, [one])
        assert.deepStrictEqual(late, { _tag: "Stored", firstSequence: 2, duplicates: [] })
        await close(store)
      }))

    it("refuses over capacity and accepts again when the queue has drained", () =>
      inDirectory(async (file) => {
        const changes = mode.changes(file)
        const store = await open({
          ...changes,
          writer: { dedupeDays: 7, ownSegmentRows: 100, sealAt: 65_536, queueBytes: 1 }
        })
        const [first, second] = await Promise.all([append(store, 1, now, [event()]), append(store, 1, now, [event()])])
        assert.strictEqual(first?._tag, "Stored")
        assert.deepStrictEqual(second, { _tag: "Overloaded" })
        assert.strictEqual((await append(store, 1, now, [event()]))._tag, "Stored")
        assert.strictEqual(store.highestSequence(1), 2)
        await close(store)
      }))

    it("answers questions with what the pure functions say", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        await append(store, 1, now, [event(), event({ unitId: "u2" }), event({ timestamp: now + day })])
        const range = { from: now, to: now + day }
        const selector = { types: ["Level"] as const, filter: unfiltered }
        const plan: InsightPlan = {
          range,
          buckets: { step: "day", zone: "UTC", boundaries: [now, now + day] },
          metrics: [{ id: "A", selector, measure: { type: "uniqueUsers" } }],
          filter: unfiltered,
          breakdowns: [],
          breakdownLimit: 25,
          groups: null,
          cumulative: false
        }
        const asked = await ask(store, 1, { kind: "insight", plan })
        assert(asked._tag === "Answered")
        assert.deepStrictEqual(asked.answer.metrics, [[{ values: [2], aggregate: 2 }]])
        await close(store)
      }))

    it("knows the types, names and values it has seen", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        await append(store, 1, now, [event(), event(), event({ type: "Buy", arguments: { price: 0.5 } })])
        const types = await ask(store, 1, { kind: "types", plan: { now } })
        const names = await ask(store, 1, { kind: "names", plan: { source: "argument", type: null } })
        const values = await ask(store, 1, {
          kind: "values",
          plan: { source: "argument", name: "level", type: null, search: null, limit: 10 }
        })
        assert(types._tag === "Answered" && names._tag === "Answered" && values._tag === "Answered")
        const seen = { firstSeenAt: now, lastSeenAt: now, arguments: 1 }
        assert.deepStrictEqual(types.answer, [
          { name: "Buy", count30d: 1, ...seen },
          { name: "Level", count30d: 2, ...seen }
        ])
        assert.deepStrictEqual(names.answer, [
          { name: "level", dataType: "number", types: ["Level"], lastSeenAt: now },
          { name: "price", dataType: "number", types: ["Buy"], lastSeenAt: now }
        ])
        assert.deepStrictEqual(values.answer, [{ value: 3, count: 2 }])
        await close(store)
      }))

    it("answers the same after sealing, maintenance and erasure of another unit", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        const other = event({ unitId: "gone" })
        await append(store, 1, now, [event(), other, event({ timestamp: now + 5 })])
        const own = { kind: "listing", plan: { ...all, unitId: "u1" } } as const
        const before = await ask(store, 1, own)
        assert(before._tag === "Answered")
        const jobs: ReadonlyArray<(done: (outcome: unknown) => void) => void> = [
          (done) => store.seal(done),
          (done) => store.maintain({ now, retention: [] }, done),
          (done) => store.eraseUnit(1, "gone", done)
        ]
        for (const job of jobs) {
          assert.isNull(await new Promise<unknown>((resolve) => job(resolve)))
          const after = await ask(store, 1, own)
          assert(after._tag === "Answered")
          assert.deepStrictEqual(after.answer, before.answer)
        }
        const gone = await ask(store, 1, { kind: "unit", plan: { unitId: "gone" } })
        assert(gone._tag === "Answered")
        assert.isNull(gone.answer)
        await close(store)
      }))

    it("frees a waiting question that is cancelled and refuses more than may wait", () =>
      inDirectory(async (file) => {
        const store = await open({
          ...mode.changes(file),
          readers: { readers: 1, queue: 1, queueOfOwner: 1, wait: 10_000, grace: 1000, cacheBytes: 1_000_000 }
        })
        const outcomes: Array<string> = []
        const question = { kind: "listing", plan: all } as const
        const first = new Promise<void>((resolve) =>
          store.ask(1, question, { budget: 10_000 }, ({ _tag }) => {
            outcomes.push(`first ${_tag}`)
            resolve()
          })
        )
        const second = store.ask(1, question, { budget: 10_000 }, ({ _tag }) => outcomes.push(`second ${_tag}`))
        store.ask(1, question, { budget: 10_000 }, ({ _tag }) => outcomes.push(`third ${_tag}`))
        second.cancel()
        await first
        assert.deepStrictEqual(outcomes, ["third Overloaded", "second Cancelled", "first Answered"])
        assert.strictEqual((await ask(store, 1, question))._tag, "Answered")
        await close(store)
      }))

    it("pages through a listing without gaps or repeats while markers arrive", () =>
      inDirectory(async (file) => {
        const store = await open(mode.changes(file))
        const events = Array.from({ length: 25 }, (_, index) => event({ timestamp: now + (index % 4) }))
        await append(store, 1, now, events)
        const seen: Array<number> = []
        let after: ListingPlan["after"] = null
        do {
          const asked: PoolAnswer<ListingAnswer> = await ask(store, 1, {
            kind: "listing",
            plan: { ...all, limit: 10, after }
          })
          assert(asked._tag === "Answered")
          seen.push(...asked.answer.items.map(({ sequence }) => sequence))
          after = asked.answer.next
          await append(store, 1, now, [event({ timestamp: now + 2 })])
        } while (after !== null)
        assert.strictEqual(seen.length, 25)
        assert.strictEqual(new Set(seen).size, 25)
        await close(store)
      }))
  })

for (const mode of modes.slice(1))
  describe(`The file of the event store ${mode.name}`, () => {
    it("knows its markers, their ids and its sequence again after a restart", () =>
      inDirectory(async (file) => {
        const before = await open(mode.changes(file))
        const one = event()
        await append(before, 3, now, [one, event()])
        await close(before)
        const store = await open(mode.changes(file))
        assert.strictEqual(store.highestSequence(3), 2)
        const again = await append(store, 3, now, [one, event()])
        assert.deepStrictEqual(again, { _tag: "Stored", firstSequence: 3, duplicates: [0] })
        const asked = await ask(store, 3, { kind: "listing", plan: all })
        assert(asked._tag === "Answered")
        assert.strictEqual(asked.answer.items.length, 3)
        await close(store)
      }))
  })

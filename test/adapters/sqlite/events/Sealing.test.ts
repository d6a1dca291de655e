import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { Control } from "../../../../src/adapters/sqlite/events/read/Control.ts"
import { openForWriting } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import type { InsightAnswer } from "../../../../src/domain/analytics/insight/InsightPlan.ts"
import type { Question } from "../../../../src/domain/analytics/question/Question.ts"
import { Reader } from "../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../../src/adapters/sqlite/events/write/Writer.ts"
import type { Event } from "../../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { anyEvent, base } from "./Arbitraries.ts"
import { directory } from "./Store.ts"
import { runCount } from "../../../support/Runs.ts"
import { all, answers, listed, options, run } from "./Opened.ts"

type Batch = readonly [environmentId: number, events: ReadonlyArray<Event>]

const batch: fc.Arbitrary<Batch> = fc.tuple(
  fc.integer({ min: 1, max: 2 }),
  fc.array(anyEvent, { minLength: 1, maxLength: 8 })
)

/** Commits of some batches each, and how many of the batches before are sent again in each. */
const commits = fc
  .array(fc.tuple(fc.array(batch, { maxLength: 3 }), fc.nat({ max: 3 })), { maxLength: 6 })
  .map((drawn) => {
    const sent: Array<Batch> = []
    return drawn.map(([fresh, repeats]) => {
      const again = sent.slice(sent.length - Math.min(repeats, sent.length))
      sent.push(...fresh)
      return [...again, ...fresh]
    })
  })

const commit = (writer: Writer, batches: ReadonlyArray<Batch>) =>
  writer.commit(batches.map(([environmentId, events]) => ({ environmentId, frame: encodeFrame(base, events) })))

const append = (writer: Writer, environmentId: number, events: ReadonlyArray<Event>, receivedAt = base) =>
  writer.commit([{ environmentId, frame: encodeFrame(receivedAt, events) }])

describe("Sealing", () => {
  it("changes no listing and no catalogue, however often it is done, compacted and reopened", () =>
    fc.assert(
      fc.asyncProperty(
        commits,
        fc.array(fc.constantFrom("seal", "maintain", "none"), { minLength: 6 }),
        async (sent, steps) => {
          const [plain, sealed] = [openForWriting(":memory:"), openForWriting(":memory:")]
          const [left, right] = [new Writer(plain, options), new Writer(sealed, options)]
          for (const [at, batches] of sent.entries()) {
            assert.deepStrictEqual(commit(left, batches), commit(right, batches))
            if (steps[at] === "seal") run(right.seal())
            if (steps[at] === "maintain") run(right.maintain({ now: base, retention: [] }))
          }
          const now = base + 86_400_000
          const questions: ReadonlyArray<Question> = [
            { kind: "listing", plan: all },
            { kind: "types", plan: { now } },
            { kind: "names", plan: { source: "argument", type: null } },
            { kind: "values", plan: { source: "argument", name: "a", type: null, search: null, limit: 50 } }
          ]
          const [ofSealed, ofPlain] = [answers(sealed), answers(plain)]
          for (const environmentId of [1, 2])
            for (const question of questions)
              assert.strictEqual(
                JSON.stringify(ofSealed(environmentId, question)),
                JSON.stringify(ofPlain(environmentId, question))
              )
        }
      ),
      { numRuns: runCount(300) }
    ))

  it("compacts small segments without changing a marker", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const events = fc.sample(anyEvent, { numRuns: 12_000, seed: 3 })
    for (let round = 0; round < 6; round++) {
      append(writer, 1, events.slice(round * 2000, round * 2000 + 2000))
      run(writer.seal())
    }
    const count = () => db.prepare<[], { n: number }>("select count(*) as n from segment").get()?.n ?? 0
    const before = { listing: JSON.stringify(listed(db, 1)), segments: count() }
    run(writer.compact())
    assert.isBelow(count(), before.segments)
    assert.strictEqual(JSON.stringify(listed(db, 1)), before.listing)
  })

  it("compacts what little a small game sends, however many months it takes", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const drawn = fc.sample(anyEvent, { numRuns: 1200, seed: 11 })
    for (let month = 0; month < 12; month++) {
      const events = drawn.slice(month * 100, month * 100 + 100)
      const later = events.map((event, at) => ({
        ...event,
        type: "Login",
        timestamp: base + (month * 100 + at) * 7.2e6
      }))
      append(writer, 1, later)
      run(writer.seal())
    }
    const count = () => db.prepare<[], { n: number }>("select count(*) as n from segment").get()?.n ?? 0
    assert.strictEqual(count(), 12)
    const before = JSON.stringify(listed(db, 1))
    run(writer.compact())
    assert.strictEqual(count(), 1)
    assert.strictEqual(JSON.stringify(listed(db, 1)), before)
  })

  it("drops whole segments past retention and erases a unit everywhere", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const events = fc.sample(anyEvent, { numRuns: 500, seed: 5 })
    const old = events.map((event) => ({ ...event, markerId: crypto.randomUUID(), timestamp: base - 90 * 86_400_000 }))
    append(writer, 1, old)
    run(writer.seal())
    append(writer, 1, events)
    run(writer.maintain({ now: base, retention: [{ environmentId: 1, before: base - 80 * 86_400_000 }] }))
    assert.strictEqual(listed(db, 1).length, 500)
    run(writer.erase(1, [{ unitId: "u1", record: null }]))
    const rest = listed(db, 1)
    assert.strictEqual(rest.length, events.filter(({ unitId }) => unitId !== "u1").length)
    assert.isFalse(rest.some(({ unitId }) => unitId === "u1"))
    assert.isUndefined(db.prepare("select 1 from unit where name = 'u1'").get())
  })

  it("G1: finishes an erasure that was cut off at any point, and no session of the unit stays", () => {
    const events = fc.sample(anyEvent, { numRuns: 40, seed: 7 })
    const own = { unitId: "u1", sessionId: "only of u1", properties: { nick: "u1 the great" } }
    const steps = (cut: number) => {
      const db = openForWriting(":memory:")
      const writer = new Writer(db, options)
      append(writer, 1, events)
      append(writer, 1, [{ ...events[0]!, ...own, markerId: crypto.randomUUID() }])
      const erasing = writer.erase(1, [{ unitId: "u1", record: null }])
      let taken = 0
      while (taken < cut && erasing.next().done !== true) taken++
      const isCutOff = taken === cut
      run(new Writer(db, options).erase(1, [{ unitId: "u1", record: null }]))
      assert.isFalse(listed(db, 1).some(({ unitId }) => unitId === "u1"))
      assert.isUndefined(db.prepare("select 1 from unit where name = 'u1'").get())
      assert.isUndefined(db.prepare("select 1 from session where name = 'only of u1'").get(), `cut off after ${cut}`)
      assert.isUndefined(db.prepare("select 1 from seen_name where counts like '%u1 the great%'").get())
      return isCutOff
    }
    let cut = 0
    while (steps(cut)) cut++
    assert.isAbove(cut, 3)
  })

  it("keeps what it counted by day of markers that are past retention", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    append(writer, 1, fc.sample(anyEvent, { numRuns: 300, seed: 6 }))
    run(writer.seal())
    const rows = (table: string) => JSON.stringify(db.prepare(`select * from ${table}`).all())
    const before = [rows("activity"), rows("seen_day"), rows("seen_type")]
    run(writer.maintain({ now: base, retention: [{ environmentId: 1, before: Number.MAX_SAFE_INTEGER }] }))
    assert.deepStrictEqual([listed(db, 1).length, rows("segment"), rows("segment_column")], [0, "[]", "[]"])
    assert.deepStrictEqual([rows("activity"), rows("seen_day"), rows("seen_type")], before)
    assert.isAbove(rows("activity").length, 100)
  })

  it("leaves no row of an environment that is dropped, in whatever table, and gives the space back", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const tables = db
      .prepare<[], { name: string }>("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
      .all()
      .map(({ name }) => name)
    const rows = () => tables.map((table) => [table, db.prepare(`select * from ${table}`).all().length])
    const before = rows()
    for (const seed of [1, 2, 3]) {
      append(writer, 7, fc.sample(anyEvent, { numRuns: 2500, seed }))
      if (seed < 3) run(writer.seal())
    }
    run(
      writer.members.swap(7, {
        cohortId: 1,
        revision: 0,
        at: base,
        entered: Uint32Array.from([1, 2]),
        nameCount: 0,
        names: new Uint8Array(),
        left: new Uint32Array(),
        memberCount: 2
      })
    )
    assert.isAbove(listed(db, 7).length, 500)
    run(writer.drop([7]))
    assert.deepStrictEqual(rows(), before)
    assert.strictEqual(db.pragma("freelist_count", { simple: true }), 0)
    append(writer, 7, fc.sample(anyEvent, { numRuns: 20, seed: 1 }))
    assert.strictEqual(listed(db, 7).length, 20)
  })

  it("tells a column from some rows of another one, whatever games call their arguments", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 4 })
    append(writer, 1, [{ ...event!, type: "T", arguments: { a: 1, "a at 0": 2 } }])
    run(writer.seal())
    const reader = new Reader(db, { cacheBytes: 1_000_000 })
    const ask = (question: Question): unknown => {
      const reply = reader.reply({ type: "ask", id: 1, environmentId: 1, question, control: new Control().shared })
      assert(reply.type === "answer", JSON.stringify(reply))
      return reply.answer
    }
    const sum = (argument: string): Question => ({
      kind: "insight",
      plan: {
        range: all.range,
        buckets: { step: "month", zone: "UTC", boundaries: [all.range.from, all.range.to] },
        metrics: [{ id: "A", selector: { types: ["T"], filter: unfiltered }, measure: { type: "sum", argument } }],
        filter: unfiltered,
        breakdowns: [],
        breakdownLimit: 25,
        groups: null,
        cumulative: false
      }
    })
    ask({ kind: "listing", plan: all })
    const sums = ["a", "a at 0"].map((argument) => (ask(sum(argument)) as InsightAnswer).metrics[0]?.[0]?.aggregate)
    assert.deepStrictEqual(sums, [1, 2])
  })

  it("leaves the file as it was when it is not finished", () => {
    const { file, remove } = directory()
    const db = openForWriting(file)
    const writer = new Writer(db, options)
    append(writer, 1, fc.sample(anyEvent, { numRuns: 500, seed: 9 }))
    const before = JSON.stringify(listed(db, 1))
    const job = writer.seal()
    for (let slice = 0; slice < 20; slice++) job.next()
    db.close()
    const reopened = openForWriting(file)
    assert.strictEqual(JSON.stringify(listed(reopened, 1)), before)
    run(new Writer(reopened, options).seal())
    assert.strictEqual(JSON.stringify(listed(reopened, 1)), before)
    reopened.close()
    remove()
  })
})

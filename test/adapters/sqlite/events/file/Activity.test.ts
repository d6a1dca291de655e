import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { Control } from "../../../../../src/adapters/sqlite/events/read/Control.ts"
import type { Db } from "../../../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Reader } from "../../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { verify } from "../../../../../src/adapters/sqlite/events/file/Verification.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { answerOf } from "../../../../../src/domain/analytics/question/Answer.ts"
import type { Event } from "../../../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { Measure } from "../../../../../src/domain/analytics/insight/InsightPlan.ts"
import type { EventQuestion, ListingAnswer, Question } from "../../../../../src/domain/analytics/question/Question.ts"
import type { Selector } from "../../../../../src/domain/analytics/filter/Selector.ts"
import { anyEvent, base } from "../Arbitraries.ts"
import { runCount } from "../../../../support/Runs.ts"

const hour = 3_600_000
const options = { dedupeDays: 7, ownSegmentRows: 3, sealAt: 65_536 }
const types = ["Start", "Level", "Kauf €", "x".repeat(300)] as const
const listing = (from = 0, to = 1e15, unitId: string | null = null, limit = 1000): EventQuestion => ({
  kind: "listing",
  plan: { range: { from, to }, types: null, unitId, filter: unfiltered, limit, after: null }
})

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

const ask = (reader: Reader, question: Question): { readonly answer: unknown; readonly rowsScanned: number } => {
  const reply = reader.reply({ type: "ask", id: 1, environmentId: 1, question, control: new Control().shared })
  assert(reply.type === "answer", JSON.stringify(reply))
  return { answer: reply.answer, rowsScanned: reply.meta.rowsScanned }
}

const stored = (reader: Reader) => (ask(reader, listing()).answer as ListingAnswer).items

const event = fc
  .tuple(anyEvent, fc.integer({ min: -80 * hour, max: 80 * hour }))
  .map(([one, offset]): Event => Object.assign(one, { timestamp: base + offset }))

/** Instants in hours around the base, ascending. */
const boundaries = fc
  .uniqueArray(fc.integer({ min: -90, max: 90 }), { minLength: 2, maxLength: 6 })
  .map((hours) => hours.toSorted((a, b) => a - b).map((at) => base + at * hour))

const selector: fc.Arbitrary<Selector> = fc
  .oneof(
    { weight: 5, arbitrary: fc.constant(types) },
    { weight: 1, arbitrary: fc.constantFrom(types[0], types[1]).map((one) => [one] as const) }
  )
  .map((chosen) => ({ types: chosen, filter: unfiltered }))

const spans = boundaries.map((all) => all.map((to, at) => ({ from: to - (at + 1) * 7 * hour, to })))
const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom<Measure>({ type: "uniqueUsers" }, { type: "firstTimeUsers" }, { type: "totalEvents" }),
  spans.map((own): Measure => ({ type: "activeUsers", days: 7, spans: own }))
)

const insight: fc.Arbitrary<EventQuestion> = fc
  .tuple(
    boundaries,
    selector,
    fc.array(measure, { minLength: 1, maxLength: 3 }),
    fc.boolean(),
    fc.constantFrom(0, 0, 1, hour)
  )
  .map(([all, one, measures, cumulative, inside]) => ({
    kind: "insight",
    plan: {
      range: { from: all[0]! + inside, to: all[all.length - 1]! },
      buckets: { step: "day", zone: "UTC", boundaries: all },
      metrics: measures.map((own, at) => ({ id: `M${at}`, selector: one, measure: own })),
      filter: unfiltered,
      breakdowns: [],
      breakdownLimit: 25,
      groups: null,
      cumulative
    }
  }))

const retention: fc.Arbitrary<EventQuestion> = fc
  .tuple(
    boundaries,
    selector,
    selector,
    fc.constantFrom("firstTime" as const, "recurring" as const),
    fc.constantFrom(0, 1, hour / 2, hour, 7 * hour)
  )
  .map(([all, start, back, startMode, cut]) => ({
    kind: "retention",
    plan: {
      start,
      return: back,
      filter: unfiltered,
      periods: { step: "day", zone: "UTC", boundaries: all },
      firstRow: 0,
      rows: all.length - 1,
      startsIn: { from: all[0]!, to: Math.max(all[0]! + 1, all[all.length - 1]! - cut) },
      startMode,
      criterion: { type: "on", columns: 3 },
      window: "calendar",
      minimumOccurrences: 1,
      dateBy: "start",
      breakdowns: [],
      breakdownLimit: 25
    }
  }))

/** What is asked about one player. */
const ofUnit: fc.Arbitrary<EventQuestion> = fc
  .tuple(
    fc.constantFrom("u1", "u2", "ü3", "12345", "nobody"),
    boundaries,
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom("listing" as const, "unit" as const, "profile" as const)
  )
  .map(([unitId, all, limit, kind]) =>
    kind === "listing" ? listing(all[0], all.at(-1), unitId, limit) : { kind, plan: { unitId } }
  )

const step = fc.constantFrom("seal", "seal", "compact", "erase", "drop", "ask", "none")
const script = fc.array(fc.tuple(fc.array(event, { maxLength: 12 }), step), { minLength: 1, maxLength: 6 })
const questions = fc.array(fc.oneof(insight, retention, ofUnit), { minLength: 1, maxLength: 4 })

const play = (writer: Writer, reader: Reader, steps: ReadonlyArray<readonly [ReadonlyArray<Event>, string]>) => {
  for (const [at, [events, what]] of steps.entries()) {
    if (events.length > 0) writer.commit([{ environmentId: 1, frame: encodeFrame(base, events) }])
    if (what === "seal") run(writer.seal())
    if (what === "compact") run(writer.compact())
    if (what === "erase") run(writer.erase(1, [{ unitId: "u1", record: null }]))
    if (what === "drop")
      run(writer.maintain({ now: base, retention: [{ environmentId: 1, before: base + (at - 3) * 13 * hour + 5 }] }))
    if (what === "ask") stored(reader)
  }
}

const agrees = (db: Db, asked: ReadonlyArray<EventQuestion>, reader = new Reader(db, { cacheBytes: 100_000 })) => {
  const events = stored(reader)
  for (const question of asked)
    assert.strictEqual(JSON.stringify(ask(reader, question).answer), JSON.stringify(answerOf(events, question)))
}

const daily: EventQuestion = {
  kind: "insight",
  plan: {
    range: { from: base - 96 * hour, to: base + 96 * hour },
    buckets: {
      step: "day",
      zone: "UTC",
      boundaries: Array.from({ length: 9 }, (_, at) => base + (at - 4) * 24 * hour)
    },
    metrics: [{ id: "A", selector: { types, filter: unfiltered }, measure: { type: "uniqueUsers" } }],
    filter: unfiltered,
    breakdowns: [],
    breakdownLimit: 25,
    groups: null,
    cumulative: false
  }
}

describe("Active units", () => {
  it("are those of the stored markers, whatever is sealed, compacted, late, erased or past retention", () =>
    fc.assert(
      fc.asyncProperty(script, questions, async (steps, asked) => {
        const db = openForWriting(":memory:")
        const reader = new Reader(db, { cacheBytes: 100_000 })
        play(new Writer(db, options), reader, steps)
        agrees(db, asked, reader)
        assert.deepStrictEqual(verify(db).problems, [])
        db.close()
      }),
      { numRuns: runCount(1000) }
    ))

  it("are answered without reading a sealed marker", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, fc.sample(event, { numRuns: 300, seed: 1 })) }])
    run(writer.seal())
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, fc.sample(event, { numRuns: 20, seed: 2 })) }])
    assert.isBelow(ask(new Reader(db, { cacheBytes: 100_000 }), daily).rowsScanned, 21)
    agrees(db, [daily])
  })

  it("of a range that ends now are answered without reading a sealed marker", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    const sealed = fc.sample(event, { numRuns: 300, seed: 4 })
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, sealed) }])
    run(writer.seal())
    const last = Math.max(...sealed.map(({ timestamp }) => timestamp))
    const untilNow = { ...daily, plan: { ...daily.plan, range: { ...daily.plan.range, to: last + 1 } } }
    const untilEarlier = { ...daily, plan: { ...daily.plan, range: { ...daily.plan.range, to: last } } }
    assert.strictEqual(ask(new Reader(db, { cacheBytes: 100_000 }), untilNow).rowsScanned, 0)
    agrees(db, [untilNow, untilEarlier])
  })

  it("tell which segments may hold a player, without reading the others", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    let seed = 5
    const markers = (unitId: string, days: ReadonlyArray<number>): ReadonlyArray<Event> =>
      fc.sample(event, { numRuns: days.length, seed: seed++ }).map((one, at) => {
        const timestamp = base + days[at]! * 24 * hour
        return Object.assign(one, { timestamp, unitId, type: types[0] })
      })
    for (const [unitId, days] of [
      ["u1", [0, 0, 1]],
      ["u2", [4, 5, 6]],
      ["u1", [20]]
    ] as const) {
      writer.commit([{ environmentId: 1, frame: encodeFrame(base, markers(unitId, days)) }])
      run(writer.seal())
    }
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, markers("ü3", [5, 5])) }])
    const reader = new Reader(db, { cacheBytes: 100_000 })
    const scanned = (unitId: string) =>
      (["profile", "unit"] as const).map((kind) => ask(reader, { kind, plan: { unitId } }).rowsScanned)
    const rows = (unitId: string) => stored(reader).filter((one) => one.unitId === unitId).length
    const tail = rows("ü3")
    assert.isAbove(tail, 0)
    for (const asked of [1, 2, 3]) {
      assert.deepStrictEqual(scanned("u2"), [rows("u2") + tail, rows("u2") + tail], `asked ${asked}`)
      assert.deepStrictEqual(scanned("ü3"), [tail, tail], `asked ${asked}`)
    }
    db.exec("update activity set data = x'00'")
    const { rowsScanned } = ask(new Reader(db, { cacheBytes: 100_000 }), { kind: "profile", plan: { unitId: "u2" } })
    assert.strictEqual(rowsScanned, stored(reader).length)
  })

  it("of a day whose record is damaged are found by scanning, and the day is named", () => {
    const db = openForWriting(":memory:")
    const writer = new Writer(db, options)
    writer.commit([{ environmentId: 1, frame: encodeFrame(base, fc.sample(event, { numRuns: 300, seed: 3 })) }])
    run(writer.seal())
    db.exec("update activity set data = x'00' where day = (select min(day) from activity)")
    assert.match(verify(db).problems.join(), /^Active units of environment 1, day \d+: wrong checksum$/)
    agrees(db, [daily])
  })
})

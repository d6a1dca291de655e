import { assert, describe, it } from "@effect/vitest"
import type { Db } from "../../../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Control } from "../../../../../src/adapters/sqlite/events/read/Control.ts"
import { Reader } from "../../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { unfiltered } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { Measure } from "../../../../../src/domain/analytics/insight/InsightPlan.ts"
import type { Event, StoredEvent } from "../../../../../src/domain/analytics/markers/Event.ts"
import { answerOf } from "../../../../../src/domain/analytics/question/Answer.ts"
import type { Question } from "../../../../../src/domain/analytics/question/Question.ts"
import { seeded } from "../../../../support/Seeded.ts"

const day = 86_400_000
const origin = 20_000 * day
const days = 5
/** So many rows that a third of those with a position are too many to be a key, and each day is worth a run. */
const count = 12_000
const random = seeded(7)
const below = (end: number) => Math.floor(random() * end)

const markers: ReadonlyArray<Event> = Array.from({ length: count }, (_, at) => ({
  markerId: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
  type: "played",
  unitId: `u${below(300)}`,
  sessionId: null,
  serverId: null,
  timestamp: origin + Math.floor((at * days * day) / count),
  receivedAt: origin,
  clamped: false,
  arguments: { ...(below(9) === 0 ? {} : { price: below(10_000) / 100 }), item: `i${below(40)}` },
  properties: {},
  position: below(4) === 0 ? ([below(1000) / 10, below(90) / 7, below(1000) / 3] as const) : null
}))

const stored: ReadonlyArray<StoredEvent> = markers.map((event, at) => ({ ...event, sequence: at + 1 }))

const range = { from: origin, to: origin + days * day }
const selector = { types: ["played"] as const, filter: unfiltered }

const insight = (measures: ReadonlyArray<Measure>, breakdown: string | null, first = 0): Question => ({
  kind: "insight",
  plan: {
    range: { from: origin + first * day, to: range.to },
    buckets: {
      step: "day",
      zone: "UTC",
      boundaries: Array.from({ length: days - first + 1 }, (_, at) => origin + (first + at) * day)
    },
    metrics: measures.map((measure, at) => ({ id: String(at), selector, measure })),
    filter: unfiltered,
    breakdowns: breakdown === null ? [] : [{ source: "argument", name: breakdown }],
    breakdownLimit: 7,
    groups: null,
    cumulative: false
  }
})

/** The newest markers of a unit, or all of them, up to `to`. */
const listing = (limit: number, types: readonly ["played"] | null, to = range.to): Question => ({
  kind: "listing",
  plan: { range: { ...range, to }, types, unitId: "u7", filter: unfiltered, limit, after: null }
})

const price = { argument: "price" } as const
const questions: ReadonlyArray<readonly [what: string, question: Question]> = [
  [
    "percentiles, sums and extremes by day",
    insight(
      [
        { type: "percentile", percentile: 37, ...price },
        { type: "sum", ...price },
        { type: "average", ...price },
        { type: "min", ...price },
        { type: "max", ...price }
      ],
      null
    )
  ],
  ["markers by day and value", insight([{ type: "totalEvents" }], "item")],
  ["markers by day and value from the middle of a segment on", insight([{ type: "totalEvents" }], "item", 2)],
  [
    "a heatmap",
    {
      kind: "heatmap",
      plan: {
        range,
        selectors: [selector],
        filter: unfiltered,
        bounds: { pointA: { x: 10, y: 0, z: 20 }, pointB: { x: 80, y: 10, z: 300 } },
        resolution: { x: 16, y: 16 }
      }
    }
  ]
]

const ofOneUnit: ReadonlyArray<readonly [what: string, question: Question]> = [
  ["one user's last markers", listing(5, ["played"])],
  ["all markers of one user before an hour of the third day", listing(1000, null, origin + 2.5 * day)],
  ["one user's first and last marker", { kind: "unit", plan: { unitId: "u7" } }],
  ["one user's profile", { kind: "profile", plan: { unitId: "u7" } }]
]

const filled = () => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 1000, sealAt: 65_536 })
  for (let sent = 0; sent < count; sent += 3000)
    writer.commit([{ environmentId: 1, frame: encodeFrame(origin, markers.slice(sent, sent + 3000)) }])
  for (const job of [writer.seal(), writer.compact()]) while (job.next().done !== true);
  return db
}

const rightAnswer = (question: Question) =>
  answerOf(stored, question, { cohort: () => new Set(), experiment: () => new Map() })

/** What a reader answers the first, second and third time. */
const answersTo = (db: Db, question: Question): ReadonlyArray<unknown> => {
  const reader = new Reader(db, { cacheBytes: 16_000_000 })
  reader.prepare()
  return [1, 2, 3].map((id) => {
    const reply = reader.reply({ type: "ask", id, environmentId: 1, question, control: new Control().shared })
    assert(reply.type === "answer", JSON.stringify(reply))
    return reply.answer
  })
}

describe("What is kept for the second question", () => {
  const db = filled()

  it.each(questions)("leaves the answers to %s as the first was", (_, question) => {
    const expected = JSON.stringify(rightAnswer(question))
    for (const answer of answersTo(db, question)) assert.strictEqual(JSON.stringify(answer), expected)
  })

  it.each(ofOneUnit)("leaves the answers to %s as the first was", (_, question) => {
    const expected = rightAnswer(question)
    for (const answer of answersTo(db, question)) assert.deepStrictEqual(answer, expected)
  })
})

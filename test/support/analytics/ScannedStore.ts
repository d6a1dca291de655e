import { assert } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { Question } from "../../../src/domain/analytics/question/Question.ts"
import { Control } from "../../../src/adapters/sqlite/events/read/Control.ts"
import type { Db } from "../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Reader } from "../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../src/adapters/sqlite/events/write/Writer.ts"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { exposedGroups } from "../../../src/domain/analytics/filter/Memberships.ts"
import {
  type MemberChange,
  packNames,
  type StoreQuestion
} from "../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { events, exposed } from "../Arbitraries.ts"
import { isCluster } from "../cluster/Chosen.ts"
import { answersOf } from "./ClusterAnswers.ts"
import { origin, tick, ticks, types } from "./PlanParts.ts"
import { runCount } from "../Runs.ts"

const environmentId = 1
const uuid = (sequence: number) => `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`

type World = fc.Arbitrary<ReadonlyArray<StoredEvent>>

const everyday: World = fc.oneof(
  events({ units: 4, types, ticks, tick, origin, most: 40 }),
  events({ units: 4, types, ticks, tick, origin, most: 40 }).map(exposed)
)

/** The markers as received in this order. */
const received = (world: World): World =>
  world.map((all) =>
    all.map((event, index) =>
      Object.assign(event, { sequence: index + 1, markerId: uuid(index + 1), receivedAt: origin })
    )
  )

/** Markers as they were received, changed by `change`. */
export const worldOf = (change: (all: ReadonlyArray<StoredEvent>) => ReadonlyArray<StoredEvent>): World =>
  received(events({ units: 4, types, ticks, tick, origin, most: 40 }).map(change))

/** Who belongs to the cohorts 1 and 2. */
const belonging = fc.tuple(fc.subarray(["u0", "u1", "u2", "nobody"]), fc.subarray(["u1", "u3"]))

type Belonging = readonly [ReadonlyArray<string>, ReadonlyArray<string>]

/** After how many markers the store seals, compacts or forgets what its reader knows. */
const steps = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 15 }), fc.constantFrom("seal", "compact", "ask", "reopen", "members")),
  { maxLength: 8 }
)

type Steps = ReadonlyArray<readonly [count: number, step: string]>

const options = { dedupeDays: 7, ownSegmentRows: 4, sealAt: 65_536 }
const cache = { cacheBytes: 4000 }

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

/** A store that was given the markers in parts, with other work in between, and its reader. */
const filled = (
  all: ReadonlyArray<StoredEvent>,
  script: Steps,
  cohorts: Belonging,
  asked: Question
): { db: Db; reader: Reader } => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, options)
  let reader = new Reader(db, cache)
  let sent = 0
  const send = (count: number) => {
    const part = all
      .slice(sent, sent + count)
      .map((event, at) => Object.assign({}, event, { markerId: uuid(sent + at + 1) }))
    if (part.length > 0) writer.commit([{ environmentId, frame: encodeFrame(origin, part) }])
    sent += part.length
  }
  const settle = () => {
    for (const [at, unitIds] of cohorts.entries()) {
      const plan = { cohortId: at + 1, wanted: packNames(unitIds), now: origin }
      const change = answer(reader, { kind: "cohortChange", plan }) as MemberChange
      run(writer.members.swap(environmentId, change))
    }
  }
  for (const [count, step] of script) {
    send(count)
    if (step === "seal") run(writer.seal())
    if (step === "compact") run(writer.compact())
    if (step === "ask") answer(reader, asked)
    if (step === "reopen") reader = new Reader(db, cache)
    if (step === "members") settle()
  }
  send(all.length)
  settle()
  return { db, reader }
}

const answer = (reader: Reader, question: StoreQuestion): unknown => {
  const reply = reader.reply({ type: "ask", id: 1, environmentId, question, control: new Control().shared })
  assert(reply.type === "answer", JSON.stringify(reply))
  return reply.answer
}

/** What the pure functions say about a world. */
const expected = (all: ReadonlyArray<StoredEvent>, cohorts: Belonging, question: Question): unknown =>
  answerOf(all, question, {
    cohort: (id) => new Set(cohorts[id - 1] ?? []),
    experiment: (id) => exposedGroups(all, id)
  })

/** Four hundred random stores with up to three questions each: scanned columns say what the pure functions say, byte by byte. */
const scanned = (question: fc.Arbitrary<Question>, world: World) =>
  fc.assert(
    fc.asyncProperty(
      received(world),
      steps,
      belonging,
      fc.array(question, { minLength: 1, maxLength: 3 }),
      async (all, script, cohorts, questions) => {
        const { db, reader } = filled(all, script, cohorts, questions[0]!)
        for (const one of questions)
          assert.strictEqual(JSON.stringify(answer(reader, one)), JSON.stringify(expected(all, cohorts, one)))
        db.close()
      }
    ),
    { numRuns: runCount(400) }
  )

/** The same of the store on two databases, but for the order of names within a value. */
const asked = (question: fc.Arbitrary<Question>, world: World) =>
  fc.assert(
    fc.asyncProperty(
      received(world),
      belonging,
      fc.array(question, { minLength: 1, maxLength: 3 }),
      async (all, cohorts, questions) => {
        const answers = await answersOf(all, cohorts, questions)
        for (const [at, one] of questions.entries())
          assert.deepStrictEqual(answers[at], expected(all, cohorts, one), JSON.stringify(one))
      }
    ),
    { numRuns: runCount(400) }
  )

/** The store says what the pure functions say about random worlds. */
export const agrees = (question: fc.Arbitrary<Question>, world: World = everyday) =>
  (isCluster ? asked : scanned)(question, world)

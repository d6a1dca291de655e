import type { Question } from "../../../../domain/analytics/question/Question.ts"
import { Control } from "../read/Control.ts"
import type { Db } from "../file/Db.ts"
import { openForWriting } from "../file/EventsDb.ts"
import { encodeFrame } from "../format/FrameEncoder.ts"
import { Writer } from "../write/Writer.ts"
import { warmUpEvent } from "./JitWarmUpEvents.ts"
import { range, types, warmUpQuestions, warmUpQuestionsOfLoops } from "./JitWarmUpPlans.ts"
import { Reader } from "./Reader.ts"

const environmentId = 1
/** Few rows: writing them costs more than asking questions of them, and every reader writes its own at its start. */
const rowsPerSegment = 768
const eventsPerFrame = 384
const rounds = 4
const roundsOfLoops = 12

/**
 * An in-memory event file of made-up markers, written like any other: two segments for each type, one with scattered
 * and one with repeating values. Yields after each frame and within each sealing.
 */
export function* warmUpStore(): Generator<void, Db> {
  const db = openForWriting(":memory:")
  yield
  const count = rowsPerSegment * types.length
  const writer = new Writer(db, { dedupeDays: 1, ownSegmentRows: rowsPerSegment, sealAt: count })
  for (const isScattered of [true, false]) {
    for (let first = 0; first < count; first += eventsPerFrame) {
      const events = Array.from({ length: eventsPerFrame }, (_, at) => warmUpEvent(first + at, count, isScattered))
      writer.commit([{ environmentId, frame: encodeFrame(range.to, events) }])
      yield
    }
    yield* writer.seal()
    yield
  }
  return db
}

/** Asks the questions of one reader, which keeps what it has read until the next round. Yields after each of them. */
function* askAll(db: Db, questions: ReadonlyArray<Question>): Generator<void, void> {
  const reader = new Reader(db, { cacheBytes: 8_000_000 })
  for (const question of questions) {
    reader.reply({ type: "ask", id: 0, environmentId, question, control: new Control().shared })
    yield
  }
}

/**
 * Asks every common kind of question of made-up markers a few times, so that V8 has compiled the scans before a
 * thread's first real question. Yields after each of them, so that a real question can go first.
 */
export function* warmUp(): Generator<void, void> {
  const db = yield* warmUpStore()
  // As copies, which a thread gets: V8 tells them from objects of this file, and would compile again for those that come from elsewhere.
  const [all, ofLoops] = structuredClone([warmUpQuestions, warmUpQuestionsOfLoops])
  for (let round = 0; round < rounds; round++) yield* askAll(db, all)
  for (let round = 0; round < roundsOfLoops; round++) yield* askAll(db, ofLoops)
  db.close()
}

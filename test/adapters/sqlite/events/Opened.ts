import { assert } from "@effect/vitest"
import { Control } from "../../../../src/adapters/sqlite/events/read/Control.ts"
import type { Db } from "../../../../src/adapters/sqlite/events/file/Db.ts"
import { Reader } from "../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import type { ListingAnswer, ListingPlan, Question } from "../../../../src/domain/analytics/question/Question.ts"

export const options = { dedupeDays: 7, ownSegmentRows: 100, sealAt: 65_536 }

export const all: ListingPlan = {
  range: { from: 0, to: 1e15 },
  types: null,
  unitId: null,
  filter: unfiltered,
  limit: 1000,
  after: null
}

/** What a reader of the file answers, one question after the other. */
export const answers = (db: Db) => {
  const reader = new Reader(db, { cacheBytes: 1_000_000 })
  return (environmentId: number, question: Question): unknown => {
    const reply = reader.reply({ type: "ask", id: 1, environmentId, question, control: new Control().shared })
    assert(reply.type === "answer", JSON.stringify(reply))
    return reply.answer
  }
}

export const listed = (db: Db, environmentId: number) =>
  (answers(db)(environmentId, { kind: "listing", plan: all }) as ListingAnswer).items

/** Runs a job to its end, and answers its outcome. */
export const run = <A>(job: Generator<void, A>): A => {
  for (;;) {
    const step = job.next()
    if (step.done === true) return step.value
  }
}

import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { packNames, type StoreQuestion } from "../../../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import type { Db } from "../../../../../src/adapters/sqlite/events/file/Db.ts"
import { formatOf, openForReading, openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { keptIds } from "../../../../../src/adapters/sqlite/events/file/ids/KeptIds.ts"
import { readMarkerId } from "../../../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import { verify } from "../../../../../src/adapters/sqlite/events/file/Verification.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Control } from "../../../../../src/adapters/sqlite/events/read/Control.ts"
import { Reader } from "../../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { unfiltered } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { Event, StoredEvent } from "../../../../../src/domain/analytics/markers/Event.ts"
import type { MemberChange } from "../../../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { asked, comparable, definedAnswer } from "./Answers.ts"
import { answersPath, environments, formats, generations, goldenCopy, world } from "./GoldenWorld.ts"

const options = { dedupeDays: 7, ownSegmentRows: 20, sealAt: 65_536 }
const stored: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(answersPath, "utf8"))

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

const ask = (reader: Reader, environmentId: number, question: StoreQuestion): unknown => {
  const reply = reader.reply({ type: "ask", id: 1, environmentId, question, control: new Control().shared })
  assert(reply.type === "answer", JSON.stringify([question, reply]))
  assert.deepStrictEqual(reply.meta.damaged, [])
  return reply.answer
}

/** Every marker of an environment, oldest receipt first. */
const markersOf = (reader: Reader, environmentId: number): ReadonlyArray<StoredEvent> => {
  const plan = { range: { from: 0, to: 1e15 }, types: null, unitId: null, filter: unfiltered, limit: 5000, after: null }
  const { items } = ask(reader, environmentId, { kind: "listing", plan }) as { items: ReadonlyArray<StoredEvent> }
  return items.toSorted((a, b) => a.sequence - b.sequence)
}

/** A file of format 1 has no members: they are written once it has been brought forward. */
const writeMembers = (db: Db, writer: Writer): void => {
  for (const { environmentId, cohortId, at, unitIds } of generations) {
    const wanted = packNames(unitIds.filter((unitId) => unitId !== world.erased.unitId))
    const question = { kind: "cohortChange", plan: { cohortId, wanted, now: at } } as const
    const change = ask(new Reader(db, { cacheBytes: 0 }), environmentId, question) as MemberChange
    run(writer.members.swap(environmentId, change))
  }
}

/** Use of a copy of the golden file, brought forward. */
const opened = async (
  format: number,
  use: (db: Db, writer: Writer, file: string) => Promise<void> | void
): Promise<void> => {
  const { file, remove } = goldenCopy(format)
  try {
    const db = openForWriting(file)
    const writer = new Writer(db, options)
    if (format === 1) writeMembers(db, writer)
    await use(db, writer, file)
    db.close()
  } finally {
    remove()
  }
}

/** Lets the worker report between questions. */
const agrees = async (db: Db) => {
  const reader = new Reader(db, { cacheBytes: 4_000_000 })
  for (const { name, environmentId, question } of asked) {
    assert.deepStrictEqual(comparable(question, ask(reader, environmentId, question)), stored[name], name)
    await setImmediate()
  }
  for (const environmentId of environments)
    assert.deepStrictEqual(markersOf(reader, environmentId), world.markers[String(environmentId)], `${environmentId}`)
}

describe("The stored answers", () => {
  it("are those of the pure functions over the markers that were written", async () => {
    assert.deepStrictEqual(
      Object.keys(stored),
      asked.map(({ name }) => name)
    )
    for (const one of asked) {
      assert.deepStrictEqual(stored[one.name], definedAnswer(one), one.name)
      await setImmediate()
    }
  })
})

describe.each(formats)("A file of format %i", (format) => {
  it("tells its marker ids before it is brought forward, and the same ones afterwards", () => {
    const idsIn = (db: Db) =>
      environments.map((id) =>
        [...keptIds(db, id)].map((kept) => [kept.sequence, readMarkerId(kept.bytes, kept.offset)])
      )
    const { file, remove } = goldenCopy(format)
    const before = openForReading(file)
    const ids = idsIn(before)
    before.close()
    assert.isNotEmpty(ids[0])
    const after = openForWriting(file)
    assert.deepStrictEqual(idsIn(after), ids)
    after.close()
    remove()
  })

  it("gives the stored answers once it has been brought forward", () =>
    opened(format, async (db) => {
      assert.strictEqual(formatOf(db), 8)
      assert.deepStrictEqual(verify(db).problems, [])
      await agrees(db)
    }))

  it("gives them when its tail is sealed and its segments are merged, and when it is opened again", () =>
    opened(format, async (db, writer, file) => {
      while (seal(writer));
      await agrees(db)
      run(writer.compact())
      await agrees(db)
      assert.deepStrictEqual(verify(db).problems, [])
      const again = openForWriting(file)
      await agrees(again)
      again.close()
    }))

  it("takes no marker twice, whether sealed or not, and new ones after the last", () =>
    opened(format, (db, writer) => {
      const send = (environmentId: number, events: ReadonlyArray<Event>) => {
        const [outcome] = writer.commit([{ environmentId, frame: encodeFrame(events[0]!.receivedAt, events) }])
        assert(outcome?._tag === "Stored")
        return outcome
      }
      for (const environmentId of environments) {
        const all = world.markers[String(environmentId)]!
        const known = all.flatMap(({ markerId, ...event }) => (markerId === null ? [] : [{ ...event, markerId }]))
        assert.strictEqual(send(environmentId, known).duplicates.length, known.length)
        const fresh = Object.assign({}, known.at(-1)!, { markerId: "00000000-0000-4000-8000-000000000001" })
        assert.strictEqual(send(environmentId, [fresh]).firstSequence, all.at(-1)!.sequence + 1)
        while (seal(writer));
        const { sequence, unitId } = markersOf(new Reader(db, { cacheBytes: 0 }), environmentId).at(-1)!
        assert.deepStrictEqual([sequence, unitId], [all.at(-1)!.sequence + 1, fresh.unitId])
      }
    }))

  it("does not hold what was erased before, nor what is erased now", () =>
    opened(format, (db, writer, file) => {
      const texts = () => {
        db.pragma("wal_checkpoint(truncate)")
        return readFileSync(file)
      }
      for (const text of [world.erased.unitId, world.erased.sessionId]) assert.isFalse(texts().includes(text), text)
      assert.isTrue(texts().includes("プレイヤー"))
      for (const environmentId of environments)
        run(writer.erase(environmentId, [{ unitId: "プレイヤー", record: null }]))
      assert.isFalse(texts().includes("プレイヤー"))
      const reader = new Reader(db, { cacheBytes: 0 })
      for (const environmentId of environments)
        assert.deepStrictEqual(
          markersOf(reader, environmentId),
          world.markers[String(environmentId)]!.filter(({ unitId }) => unitId !== "プレイヤー")
        )
    }))
})

const seal = (writer: Writer): boolean => {
  const job = writer.seal()
  for (;;) {
    const step = job.next()
    if (step.done === true) return step.value
  }
}

import { assert, it, vi } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Event } from "../../../../../src/domain/analytics/markers/Event.ts"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { KeyRuns } from "../../../../../src/adapters/sqlite/events/file/KeyRuns.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import type { WriterReply } from "../../../../../src/adapters/sqlite/events/threads/Protocol.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { WriterLoop } from "../../../../../src/adapters/sqlite/events/threads/WriterLoop.ts"
import { Reader } from "../../../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Control } from "../../../../../src/adapters/sqlite/events/read/Control.ts"
import { unguarded } from "../../../../../src/adapters/sqlite/pages/LogKeeper.ts"
import { anyEvent, base } from "../Arbitraries.ts"

const sealAt = 20_000

const counted = (reader: Reader): number => {
  const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
  const plan = {
    range,
    types: null,
    unitId: null,
    filter: { match: "all" as const, conditions: [] },
    limit: 200_000,
    after: null
  }
  const reply = reader.reply({
    type: "ask",
    id: 1,
    environmentId: 1,
    question: { kind: "listing", plan },
    control: new Control().shared
  })
  assert(reply.type === "answer")
  return (reply.answer as { items: ReadonlyArray<unknown> }).items.length
}

it("seals on while it maintains, and stores nothing twice", async () => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 1000, sealAt })
  const done = new Map<number, () => void>()
  const loop = new WriterLoop(writer, sealAt, (reply: WriterReply) => {
    if (reply.type === "failed" || reply.type === "unsealed" || reply.type === "damaged") assert.fail(reply.message)
    if (reply.type === "received") for (const body of reply.bodies) done.get(body.id)?.()
    else if ("id" in reply) done.get(reply.id)?.()
  })
  const events = fc.sample(anyEvent, { numRuns: 2000, seed: 7 })
  let id = 0
  const answered = (send: (id: number) => void) =>
    new Promise<void>((resolve) => {
      done.set(++id, resolve)
      send(id)
    })
  const append = () => {
    const fresh: ReadonlyArray<Event> = events.map((event) => ({ ...event, markerId: crypto.randomUUID() }))
    return answered((id) => loop.receive({ type: "append", id, environmentId: 1, frame: encodeFrame(base, fresh) }))
  }
  for (let batch = 0; batch < 9; batch++) await append()
  const maintained = answered((id) => loop.receive({ type: "maintain", id, plan: { now: base, retention: [] } }))
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  for (let batch = 0; batch < 11; batch++) await append()
  await maintained
  await answered((id) => loop.receive({ type: "seal", id }))
  const rows = db.prepare<[], { rows: number }>("select sum(rows) as rows from segment").get()?.rows
  assert.strictEqual(rows, 20 * events.length)
  assert.strictEqual(counted(new Reader(db, { cacheBytes: 64_000_000 })), 20 * events.length)
})

it("says why the tail cannot be sealed, and tries again only when as much has come anew", async () => {
  const db = openForWriting(":memory:")
  db.exec("create trigger refused before insert on segment begin select raise(abort, 'no segment'); end")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 10, sealAt: 100 })
  const replies: Array<WriterReply["type"]> = []
  const loop = new WriterLoop(writer, 100, ({ type }) => replies.push(type))
  const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 7 })
  const append = async (count: number) => {
    for (let id = 0; id < count; id++) {
      const fresh = Array.from({ length: 20 }, () => ({ ...event!, markerId: crypto.randomUUID() }))
      loop.receive({ type: "append", id, environmentId: 1, frame: encodeFrame(base, fresh) })
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const reasons = () => replies.filter((type) => type === "unsealed").length
  await append(9)
  assert.strictEqual(reasons(), 1)
  await append(3)
  assert.strictEqual(reasons(), 2)
  db.exec("drop trigger refused")
  await append(12)
  assert.deepStrictEqual([reasons(), replies.includes("failed")], [2, false])
  assert.isBelow(writer.tailEvents, 100)
  assert.strictEqual(counted(new Reader(db, { cacheBytes: 64_000_000 })), 24 * 20)
})

/** A loop over a file of 2,000 rows of the units u0 to u99, all of them sealed; `done` lists the ids of what it has answered. */
const withUnits = () => {
  const db = openForWriting(":memory:")
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 10, sealAt })
  const done: Array<number> = []
  const loop = new WriterLoop(writer, sealAt, (reply: WriterReply) => {
    if (reply.type === "failed") assert.fail(reply.message)
    if (reply.type === "done") done.push(reply.id)
  })
  const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 7 })
  const events = Array.from({ length: 2_000 }, (_, n) => ({
    ...event!,
    unitId: `u${n % 100}`,
    markerId: crypto.randomUUID()
  }))
  loop.receive({ type: "append", id: 1001, environmentId: 1, frame: encodeFrame(base, events) })
  loop.receive({ type: "seal", id: 1000 })
  const erase = (id: number, environmentId = 1) =>
    loop.receive({ type: "erase", id, environmentId, unitId: `u${id}`, record: null })
  const answered = async (count: number) => {
    while (done.length < count) await new Promise((resolve) => setImmediate(resolve))
    return done
  }
  const numbers = () =>
    db
      .prepare<[], { last: number; count: number; rows: number }>(
        "select max(id) as last, count(*) as count, sum(rows) as rows from segment"
      )
      .get()!
  return { loop, erase, answered, numbers }
}

it("E8: erases in one pass who waits for the same pass, and rewrites each segment once for all of them", async () => {
  const { erase, answered, numbers } = withUnits()
  await answered(1)
  const { last, count } = numbers()
  erase(0)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  for (let unit = 1; unit < 60; unit++) erase(unit)
  const done = await answered(61)
  assert.deepStrictEqual(
    done.slice(1),
    Array.from({ length: 60 }, (_, unit) => unit)
  )
  const after = numbers()
  assert.strictEqual(after.rows, 40 * 20)
  assert.isAtMost(after.last - last, 2 * count)
})

it("E8: erases nobody before what was asked for earlier", async () => {
  const { loop, erase, answered } = withUnits()
  await answered(1)
  erase(1)
  erase(2)
  loop.receive({ type: "removeMembers", id: 3, environmentId: 1, cohortId: 1 })
  erase(4)
  erase(5, 2)
  erase(6)
  assert.deepStrictEqual((await answered(7)).slice(1), [1, 2, 3, 4, 5, 6])
})

it("lets a small commit wait for few steps of a job, and jobs go on beside large commits", async () => {
  const writer = new Writer(openForWriting(":memory:"), { dedupeDays: 7, ownSegmentRows: 10, sealAt })
  const loop = new WriterLoop(writer, sealAt, () => undefined)
  const state = { isOver: false }
  let [now, steps, commitMillis] = [0, 0, 0]
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 0.5))
  vi.spyOn(writer.members, "remove").mockImplementation(function* () {
    for (; !state.isOver; yield) steps++
  })
  vi.spyOn(writer, "commit").mockImplementation((requests) => {
    now += commitMillis
    return requests.map(() => ({ _tag: "Stored", firstSequence: 1, duplicates: [] }))
  })
  const frame = encodeFrame(base, [])
  const stepsAfter = async (millis: number) => {
    commitMillis = millis
    const before = steps
    loop.receive({ type: "append", id: 2, environmentId: 1, frame })
    await new Promise((resolve) => setImmediate(resolve))
    return steps - before
  }
  loop.receive({ type: "removeMembers", id: 1, environmentId: 1, cohortId: 1 })
  assert.deepStrictEqual([await stepsAfter(0), await stepsAfter(6), await stepsAfter(1_000)], [3, 12, 19])
  state.isOver = true
  await new Promise((resolve) => setImmediate(resolve))
  clock.mockRestore()
})

it("goes on where a disk does not take, between two commits, how far the log reaches, or gives no summary", async () => {
  const db = openForWriting(":memory:")
  let isBroken = false
  const fail = () => {
    if (isBroken) throw new Error("ENOSPC: no space left on device")
  }
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 10, sealAt: 100 }, { ...unguarded(db), note: fail })
  const replies: Array<string> = []
  const loop = new WriterLoop(writer, 100, ({ type }) => replies.push(type))
  const frame = () => encodeFrame(base, fc.sample(anyEvent, { numRuns: 3, seed: 7 }))
  const heard = (type: string) => vi.waitFor(() => assert.include(replies, type), 20_000)
  isBroken = true
  loop.receive({ type: "seal", id: 1 })
  await heard("done")
  isBroken = false
  const summaries = vi.spyOn(KeyRuns.prototype, "summarize").mockImplementation(() => assert.fail("unreadable"))
  loop.receive({ type: "append", id: 2, environmentId: 1, frame: frame() })
  await heard("appended")
  summaries.mockRestore()
  loop.receive({ type: "probe", id: 3 })
  await heard("probed")
})

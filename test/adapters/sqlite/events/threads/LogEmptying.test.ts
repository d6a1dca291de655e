import { assert, it, onTestFinished, vi } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openForReading, openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { LogEmptying } from "../../../../../src/adapters/sqlite/events/threads/LogEmptying.ts"
import type { WriterReply } from "../../../../../src/adapters/sqlite/events/threads/Protocol.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { WriterLoop } from "../../../../../src/adapters/sqlite/events/threads/WriterLoop.ts"
import { emptyLog } from "../../../../../src/adapters/sqlite/pages/Checkpoint.ts"
import { unguarded } from "../../../../../src/adapters/sqlite/pages/LogKeeper.ts"
import { anyEvent, base } from "../Arbitraries.ts"

const sealAt = 100

/** A loop over a file that has a marker of the unit u1, and somebody who reads it. */
const readBeside = async () => {
  const folder = mkdtempSync(join(tmpdir(), "emptying-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "events.sqlite")
  const db = openForWriting(file)
  const log = { ...unguarded(db), empty: () => emptyLog(db, false) }
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 10, sealAt }, log)
  const ended: Array<string> = []
  const loop = new WriterLoop(writer, sealAt, (reply: WriterReply) => {
    if (reply.type === "done") ended.push(`${reply.id}`)
    if (reply.type === "failed") ended.push(`${reply.id}: ${reply.message}`)
  })
  const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 7 })
  const append = (id: number, count: number) => {
    const fresh = Array.from({ length: count }, () => ({ ...event!, unitId: "u1", markerId: crypto.randomUUID() }))
    loop.receive({ type: "append", id, environmentId: 1, frame: encodeFrame(base, fresh) })
  }
  append(1, 1)
  await vi.waitFor(() => assert.strictEqual(writer.tailEvents, 1), 20_000)
  const reader = openForReading(file)
  reader.exec("begin")
  reader.prepare("select count(*) from tail").get()
  return { db, writer, loop, ended, append, reader }
}

it("an erasure that waits for a reader keeps neither sealing nor what is asked for later waiting", async () => {
  const { db, writer, loop, ended, append, reader } = await readBeside()
  loop.receive({ type: "erase", id: 10, environmentId: 1, unitId: "u1", record: null })
  await vi.waitFor(() => assert.strictEqual(writer.tailEvents, 0), 20_000)
  append(2, 2 * sealAt)
  loop.receive({ type: "maintain", id: 11, plan: { now: base, retention: [] } })
  await vi.waitFor(() => assert.deepStrictEqual([writer.tailEvents, ended], [0, ["11"]]), 20_000)
  reader.exec("commit")
  await vi.waitFor(() => assert.deepStrictEqual(ended, ["11", "10"]), 20_000)
  reader.close()
  db.close()
})

it("an erasure whose log cannot be emptied before the file is closed has failed", async () => {
  const { writer, loop, ended, reader } = await readBeside()
  loop.receive({ type: "erase", id: 10, environmentId: 1, unitId: "u1", record: null })
  await vi.waitFor(() => assert.strictEqual(writer.tailEvents, 0), 20_000)
  loop.receive({ type: "close", id: 11 })
  assert.deepStrictEqual(ended, [
    "10: The file was closed while somebody read what was to be removed from its log",
    "11"
  ])
  reader.close()
})

it("a log that cannot be emptied is told to whoever waits", () => {
  const ended: Array<unknown> = []
  const emptying = new LogEmptying(() => assert.fail("the disk is full"))
  emptying.request((end) => ended.push(end))
  emptying.request((end) => ended.push(end))
  const failure = "AssertionError: the disk is full"
  assert.deepStrictEqual(ended, [{ failure }, { failure }])
})

it("whoever waits for long has the readers asked for a rest, less and less often, and after a minute urgently", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const held: Array<readonly [seconds: number, isUrgent: boolean]> = []
  const ended: Array<unknown> = []
  let isRead = true
  let seconds = 0
  const emptying = new LogEmptying(
    () => !isRead,
    (isUrgent) => held.push([seconds, isUrgent])
  )
  const tried: Array<boolean> = []
  emptying.request((end) => ended.push(end))
  for (; seconds < 130; seconds++) vi.advanceTimersByTime(1000)
  const rests = held.map(([after]) => after)
  assert.deepStrictEqual(rests, [0, 1, 3, 7, 15, 31, 63, 127])
  assert.deepStrictEqual(
    held.filter(([, isUrgent]) => isUrgent).map(([after]) => after),
    [63, 127]
  )
  emptying.attemptInRest(() => tried.push(isRead))
  vi.advanceTimersByTime(1000)
  assert.deepStrictEqual([tried, ended], [[true], []])
  emptying.attemptInRest(() => tried.push(isRead))
  isRead = false
  vi.advanceTimersByTime(20)
  assert.deepStrictEqual([tried, ended], [[true, false], ["Done"]])
  emptying.attemptInRest(() => tried.push(isRead))
  assert.deepStrictEqual(tried, [true, false, false])
})

import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { statSync } from "node:fs"
import { openForReading } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { type InlineThreads, inlineWriter } from "../../../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { LongLog } from "../../../../../src/adapters/sqlite/events/threads/LongLog.ts"
import type { Events } from "../../../../../src/adapters/sqlite/events/Events.ts"
import { anyEvent, base } from "../Arbitraries.ts"
import { append, ask, close, inDirectory, open } from "../Store.ts"

const types = { kind: "types", plan: { now: 0 } } as const
const longLogFrames = 200
const pageBytes = 8192
const meta = { rowsScanned: 0, elapsedMs: 0, highestSequence: 0, damaged: [], incomplete: null }

/** Each reader reads the file for some milliseconds, one longer than the other, so that they begin and end at different moments. */
const slowReaders = (milliseconds: (reader: number) => number): InlineThreads["reader"] => {
  let count = 0
  return ({ file }, { onReply, onEnded }) => {
    const reader = count++
    const db = openForReading(file)
    return {
      send: (message) => {
        if (message.type === "close") {
          db.close()
          return onEnded()
        }
        db.exec("begin")
        db.prepare("select count(*) from tail").get()
        setTimeout(() => {
          db.exec("commit")
          onReply({ type: "answer", id: message.id, answer: [] as never, meta })
        }, milliseconds(reader))
      },
      terminate: () => undefined
    }
  }
}

const writer = { dedupeDays: 7, ownSegmentRows: 100, sealAt: 65_536, queueBytes: 64_000_000, longLogFrames }

/** Asks one question after the other, two at every moment, until `end` is called. */
const askOn = (store: Events): { readonly end: () => Promise<unknown> } => {
  const ended = new AbortController()
  const asker = async (environmentId: number) => {
    while (!ended.signal.aborted) assert.strictEqual((await ask(store, environmentId, types))._tag, "Answered")
  }
  const askers = Promise.all([1, 2].map(asker))
  const end = () => {
    ended.abort()
    return askers
  }
  return { end }
}

const [event] = fc.sample(anyEvent, { numRuns: 1, seed: 7 })
const markers = (unitId: string) =>
  Array.from({ length: 50 }, () => ({ ...event!, unitId, markerId: crypto.randomUUID() }))

it("the log is begun anew although somebody reads at every moment", () =>
  inDirectory(async (file) => {
    const reader = slowReaders((at) => 20 + 15 * at)
    const store = await open({ file, writer, threads: { writer: inlineWriter, reader } })
    const asking = askOn(store)
    let bytes = 0
    let written = 0
    let before = 0
    for (let at = 0; at < 400; at++) {
      await append(store, 1, base, markers(`u${at}`))
      await new Promise((done) => setTimeout(done, 2))
      const { size } = statSync(`${file}-wal`)
      bytes = Math.max(bytes, size)
      written += Math.max(0, size - before)
      before = size
    }
    await asking.end()
    await close(store)
    assert.isAbove(written, 4 * longLogFrames * pageBytes)
    assert.isBelow(bytes, 2 * longLogFrames * pageBytes)
  }))

it("an erasure ends although somebody reads at every moment", () =>
  inDirectory(async (file) => {
    const reader = slowReaders((at) => 20 + 15 * at)
    const store = await open({ file, writer, threads: { writer: inlineWriter, reader } })
    await append(store, 1, base, markers("u1"))
    const asking = askOn(store)
    assert.isNull(await new Promise((done) => store.eraseUnit(1, "u1", done)))
    await asking.end()
    await close(store)
  }))

it("a long log is told of again each time that it has grown by half of what is long, and where that does not help, by all of it", () => {
  const told: Array<string> = []
  const log = new LongLog((isUrgent) => told.push(isUrgent ? "urgent" : "long"))
  const look = (frames: number) => {
    log.look(frames)
    return told.splice(0).join()
  }
  const looks = [8191, 8192, 12_287, 12_288, 16_384, 3, 8191, 8192, 131_072, 200_000, 262_143, 262_144, 0, 8192]
  assert.deepStrictEqual(looks.map(look), [
    "",
    "long",
    "",
    "long",
    "long",
    "",
    "",
    "long",
    "urgent",
    "",
    "",
    "urgent",
    "",
    "long"
  ])
})

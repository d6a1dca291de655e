import { assert, describe, it } from "@effect/vitest"
import { openForWriting } from "../../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import type { Received, WriterReply } from "../../../../../src/adapters/sqlite/events/threads/Protocol.ts"
import { WriterLoop } from "../../../../../src/adapters/sqlite/events/threads/WriterLoop.ts"
import { Writer } from "../../../../../src/adapters/sqlite/events/write/Writer.ts"
import { readBatch, withMarkerIds } from "../../../../../src/domain/ingest/Batch.ts"
import { receipt, receivedAt } from "../../../../domain/ingest/Arbitraries.ts"
import { listed } from "../Opened.ts"
import { directory } from "../Store.ts"

const marker = (n: number, more: object = {}) => ({
  markerId: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  timestamp: receivedAt,
  type: "Login",
  userId: "ann",
  ...more
})

const opened = () => {
  const { file, remove } = directory()
  const db = openForWriting(file)
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 1000, sealAt: 65_536 })
  const waiting = new Map<number, (reply: WriterReply) => void>()
  const loop = new WriterLoop(writer, 65_536, (reply) => {
    if (reply.type === "appended") waiting.get(reply.id)?.(reply)
    if (reply.type === "received") for (const { id: each } of reply.bodies) waiting.get(each)?.(reply)
  })
  let id = 0
  const answered = (send: (id: number) => void) =>
    new Promise<WriterReply>((resolve) => {
      waiting.set(++id, resolve)
      send(id)
    })
  const receiveText = async (text: string): Promise<Received | null> => {
    const rule = { days: 400, types: {} }
    const unread = { bytes: new TextEncoder().encode(text), receivedAt, rule, erasedUntil: -Infinity }
    const reply = await answered((each) => loop.receive({ type: "receive", id: each, environmentId: 1, unread }))
    assert(reply.type === "received")
    const [body] = reply.bodies
    assert(body !== undefined)
    if (body.received === null) assert.strictEqual(new TextDecoder().decode(body.left ?? undefined), text)
    return body.received
  }
  const receive = (...markers: ReadonlyArray<object>) => receiveText(JSON.stringify({ markers }))
  const append = (...markers: ReadonlyArray<object>) => {
    const events = withMarkerIds(readBatch(markers, receipt).kept, new Uint8Array())
    const frame = encodeFrame(receivedAt, events)
    return answered((each) => loop.receive({ type: "append", id: each, environmentId: 1, frame }))
  }
  const close = () => {
    writer.close()
    remove()
  }
  return { db, receive, receiveText, append, close }
}

describe("a body that the writer reads", () => {
  it("is left unread until its names were appended, and again when it has a new one", async () => {
    const { receive, append, close } = opened()
    assert.isNull(await receive(marker(1)))
    await append(marker(1))
    assert.strictEqual((await receive(marker(2)))?.counts.ingestedMarkersCount, 1)
    assert.isNull(await receive(marker(3, { value: { level: 1 } })))
    await append(marker(3, { value: { level: 1 } }))
    assert.strictEqual((await receive(marker(4, { value: { level: 2 } })))?.counts.ingestedMarkersCount, 1)
    close()
  })

  it("tells what became of each marker, and takes an id once beside what is appended", async () => {
    const { db, receive, append, close } = opened()
    await append(marker(1))
    const received = await receive(marker(1), { type: "" }, marker(2), marker(2), { ...marker(3), markerId: "none" })
    assert(received !== null)
    const { ingestedMarkersCount, duplicateMarkers, rejectedMarkersCount } = received.counts
    assert.deepStrictEqual(
      [ingestedMarkersCount, duplicateMarkers.map(({ index }) => index), rejectedMarkersCount],
      [2, [0, 3], 1]
    )
    assert.deepStrictEqual([received.firstSequence, received.types], [2, ["Login"]])
    assert.deepStrictEqual((await receive(marker(1), marker(2)))?.types, [])
    assert.lengthOf(listed(db, 1), 3)
    close()
  })

  it.each(["", "{]", "7", "{}", '{"markers":[]}', `{"markers":${"[".repeat(30_000)}`])(
    "is left where it is %j",
    async (text) => {
      const { receiveText, append, close } = opened()
      await append(marker(1))
      assert.isNull(await receiveText(text))
      close()
    }
  )

  it("is left whole where the disk is full, and taken when there is space again", async () => {
    const { db, receive, append, close } = opened()
    await append(marker(1))
    const more = Array.from({ length: 900 }, (_, n) => marker(n + 2, { userId: `player ${n} ${"x".repeat(90)}` }))
    db.pragma("max_page_count = 10")
    assert.isNull(await receive(...more))
    assert.lengthOf(listed(db, 1), 1)
    db.pragma("max_page_count = 100000")
    assert.strictEqual((await receive(...more))?.counts.ingestedMarkersCount, 900)
    close()
  })
})

import { deserialize, serialize } from "node:v8"
import { openForReading, openForWriting, openGuarded } from "../file/EventsDb.ts"
import type { Db } from "../file/Db.ts"
import { Writer } from "../write/Writer.ts"
import { packed, unpack } from "./PackedCells.ts"
import type { ReaderStart, WriterReply, WriterStart } from "./Protocol.ts"
import { Reader } from "./Reader.ts"
import type { ReaderListener, ReaderThread } from "./ReaderThread.ts"
import { WriterLoop } from "./WriterLoop.ts"
import type { OnWriterReply, WriterThread } from "./WriterThread.ts"

/** The event store's threads as parts of the calling one. `Db` is the writer's connection. */
export interface InlineThreads {
  readonly writer: (start: WriterStart, onReply: OnWriterReply) => WriterThread & { readonly db: Db }
  readonly reader: (start: ReaderStart, listener: ReaderListener, shared: Db | undefined) => ReaderThread
}

/** The writer without a thread. It exposes its connection, since `:memory:` allows no second one. */
export const inlineWriter: InlineThreads["writer"] = (start, onReply) => {
  const reply = (message: WriterReply) => {
    const received: WriterReply = deserialize(serialize(message))
    onReply(received)
  }
  const onDamaged = (message: string) => reply({ type: "damaged", message })
  const { db, guard } =
    start.file === ":memory:"
      ? { db: openForWriting(start.file), guard: undefined }
      : openGuarded(start.file, onDamaged)
  const loop = new WriterLoop(
    new Writer(db, start.options, guard, onDamaged),
    start.options.sealAt,
    reply,
    start.partner
  )
  return { db, send: (message) => loop.receive(message) }
}

/** A reader without a thread: it answers in a later turn of the event loop. The writer closes a connection that both share. */
const inlineReader: InlineThreads["reader"] = ({ file, options }, { onReply, onEnded }, shared) => {
  const reader = new Reader(shared ?? openForReading(file), options)
  setImmediate(() => onReply({ type: "ready" }))
  return {
    send: (message) => {
      if (message.type === "close") {
        if (shared === undefined) reader.close()
        return onEnded()
      }
      setImmediate(() => {
        const received = deserialize(serialize(packed(reader.reply(message))))
        unpack(received)
        onReply(received)
      })
    },
    terminate: () => undefined
  }
}

/** For tests and `:memory:`: no other thread is needed, and no bundled worker. */
export const inlineThreads: InlineThreads = { writer: inlineWriter, reader: inlineReader }

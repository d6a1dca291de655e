import { parentPort, workerData } from "node:worker_threads"
import { openGuarded } from "../events/file/EventsDb.ts"
import type { WriterMessage, WriterReply, WriterStart } from "../events/threads/Protocol.ts"
import { Writer } from "../events/write/Writer.ts"
import { WriterLoop } from "../events/threads/WriterLoop.ts"
import { movedBack } from "../events/threads/WriterThread.ts"

const start: WriterStart = workerData
const reply = (message: WriterReply) => parentPort?.postMessage(message, movedBack(message))

try {
  const onDamaged = (message: string) => reply({ type: "damaged", message })
  const { db, guard } = openGuarded(start.file, onDamaged)
  const loop = new WriterLoop(
    new Writer(db, start.options, guard, onDamaged),
    start.options.sealAt,
    reply,
    start.partner
  )
  parentPort?.on("message", (messages: ReadonlyArray<WriterMessage>) => {
    for (const message of messages) loop.receive(message)
    if (messages.some(({ type }) => type === "close")) parentPort?.close()
  })
} catch (cause) {
  reply({ type: "failed", id: null, message: String(cause) })
}

import { parentPort, workerData } from "node:worker_threads"
import { givesBackAtRest } from "../../node/ThreadRest.ts"
import { openGuarded } from "../events/file/EventsDb.ts"
import type { WriterMessage, WriterReply, WriterStart } from "../events/threads/Protocol.ts"
import { SealerThread } from "../events/threads/SealerThread.ts"
import { type OwnPreparation } from "../events/write/Preparation.ts"
import { Writer } from "../events/write/Writer.ts"
import { WriterLoop } from "../events/threads/WriterLoop.ts"
import { movedBack } from "../events/threads/WriterThread.ts"

const start: WriterStart = workerData
const rest = givesBackAtRest()
const reply = (message: WriterReply) => parentPort?.postMessage(message, movedBack(message))

try {
  const { file, options, partner, sealer } = start
  const onDamaged = (message: string) => reply({ type: "damaged", message })
  const { db, guard } = openGuarded(file, onDamaged)
  const { ownSegmentRows } = options
  const waiting = () => writer.tailEvents
  const goOn = () => loop.schedule()
  const elsewhere = (own: OwnPreparation) =>
    sealer === undefined ? own : new SealerThread(sealer, { file, ownSegmentRows }, own, waiting, goOn)
  const writer: Writer = new Writer(db, options, guard, onDamaged, elsewhere)
  const onClosed = () => {
    if (writer.preparation instanceof SealerThread) writer.preparation.stop()
    parentPort?.close()
  }
  const loop = new WriterLoop(writer, options.sealAt, reply, partner, onClosed)
  parentPort?.on("message", (messages: ReadonlyArray<WriterMessage>) => {
    for (const message of messages) loop.receive(message)
    rest()
  })
} catch (cause) {
  reply({ type: "failed", id: null, message: String(cause) })
}

import { Worker } from "node:worker_threads"
import type { WriterMessage, WriterReply, WriterStart } from "./Protocol.ts"

export interface WriterThread {
  send(message: WriterMessage): void
}

/** What a message takes with it instead of a copy. */
const movedWith = (message: WriterMessage): Array<ArrayBuffer> => {
  if (message.type === "append") return [message.frame.buffer]
  return message.type === "receive" ? [message.unread.bytes.buffer] : []
}

/** What a reply takes with it. */
export const movedBack = (reply: WriterReply): Array<ArrayBuffer> =>
  reply.type === "received" ? reply.bodies.flatMap(({ left }) => (left === null ? [] : [left.buffer])) : []

export type OnWriterReply = (reply: WriterReply) => void

/**
 * Starts the writer in its own thread. `script` is the path of the bundled worker. Bodies that come in one turn of the event loop are sent
 * together: a message costs more than what it takes to receive one.
 */
export const spawnWriter = (script: string, start: WriterStart, onReply: OnWriterReply): WriterThread => {
  const worker = new Worker(script, { workerData: start, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  worker.on("message", onReply)
  worker.on("error", (cause) => onReply({ type: "failed", id: null, message: String(cause) }))
  worker.on("exit", () => onReply({ type: "failed", id: null, message: "The writer has ended" }))
  let unsent: Array<WriterMessage> = []
  const flush = () => {
    if (unsent.length === 0) return
    const messages = unsent
    unsent = []
    worker.postMessage(messages, messages.flatMap(movedWith))
  }
  return {
    send: (message) => {
      unsent.push(message)
      if (message.type !== "receive") flush()
      else if (unsent.length === 1) setImmediate(flush)
    }
  }
}

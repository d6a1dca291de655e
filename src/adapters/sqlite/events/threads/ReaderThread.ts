import { Worker } from "node:worker_threads"
import { unpack } from "./PackedCells.ts"
import type { ReaderMessage, ReaderReply, ReaderStart } from "./Protocol.ts"

export interface ReaderThread {
  send(message: ReaderMessage): void
  /** Ends the thread whatever it is doing. */
  terminate(): void
}

/** What a thread calls: its replies, and once, when it has let go of the file. */
export interface ReaderListener {
  readonly onReply: OnReaderReply
  readonly onEnded: () => void
}

/** Replies as the client sees them. `never` is assignable to each asker's own kind of answer. */
export type OnReaderReply = (reply: ReaderReply<never>) => void

export const spawnReader = (script: string, start: ReaderStart, listener: ReaderListener): ReaderThread => {
  const { onReply, onEnded } = listener
  const worker = new Worker(script, { workerData: start, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  worker.on("message", (message) => {
    unpack(message)
    onReply(message)
  })
  worker.on("error", (cause) => onReply({ type: "failed", id: null, message: String(cause) }))
  worker.on("exit", onEnded)
  return {
    send: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate()
  }
}

import { workerOf } from "../../../node/StartedWorker.ts"
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

/** Where the system allows no further thread, it ends as soon as it has begun: its question fails, and a later one may find room. */
const unstarted = (message: string, { onReply, onEnded }: ReaderListener): ReaderThread => {
  setImmediate(() => {
    onReply({ type: "failed", id: null, message })
    onEnded()
  })
  return { send: () => undefined, terminate: () => undefined }
}

const isOutOfMemory = (cause: Error): boolean => "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"

export const spawnReader = (script: string, start: ReaderStart, listener: ReaderListener): ReaderThread => {
  const { onReply, onEnded } = listener
  const worker = workerOf(script, { workerData: start, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  if (typeof worker === "string") return unstarted(worker, listener)
  worker.on("message", (message) => {
    unpack(message)
    onReply(message)
  })
  worker.on("error", (cause) =>
    onReply({ type: "failed", id: null, message: String(cause), isExhausted: isOutOfMemory(cause) })
  )
  worker.on("exit", onEnded)
  return {
    send: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate()
  }
}

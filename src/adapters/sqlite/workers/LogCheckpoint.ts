import Database from "better-sqlite3"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointReply, CheckpointStart } from "../pages/PinnedLog.ts"

const start: CheckpointStart = workerData
const reply = (message: CheckpointReply) => parentPort?.postMessage(message)
const database = new Database(start.file, { fileMustExist: true, timeout: 0 })
database.pragma("wal_autocheckpoint = 0")
database.pragma("synchronous = full")

const passive = database.prepare<[], { readonly checkpointed: number }>("pragma wal_checkpoint(passive)")

const checkpoint = (): CheckpointReply => {
  try {
    return { type: "done", frames: Math.max(0, passive.get()?.checkpointed ?? 0) }
  } catch (cause) {
    return { type: "failed", message: String(cause) }
  }
}

parentPort?.on("message", () => reply(checkpoint()))
reply({ type: "ready" })

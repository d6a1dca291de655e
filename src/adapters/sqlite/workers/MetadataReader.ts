import Database from "better-sqlite3"
import { parentPort, workerData } from "node:worker_threads"
import { giveWay } from "../../node/GiveWay.ts"
import { isCorrupt } from "../Corruption.ts"
import type { MetadataQuestion, MetadataReply, MetadataStart } from "../LongReads.ts"

giveWay()

const start: MetadataStart = workerData
const reply = (message: MetadataReply) => parentPort?.postMessage(message)
const database = new Database(start.file, { readonly: true, timeout: 5000 })

const answer = ({ sql, params }: MetadataQuestion): MetadataReply => {
  try {
    return { type: "rows", rows: database.prepare(sql).all(...params) }
  } catch (cause) {
    return { type: "failed", message: String(cause), isDamaged: isCorrupt(cause) }
  }
}

parentPort?.on("message", (question: MetadataQuestion) => reply(answer(question)))
reply({ type: "ready" })

import { parentPort, workerData } from "node:worker_threads"
import { collectorOfThread } from "../../node/Collector.ts"
import { giveWay } from "../../node/GiveWay.ts"
import { bytesHeld, collectsDropped, givesBackAtRest } from "../../node/ThreadRest.ts"
import { mebibyte } from "../../../domain/LruCache.ts"
import { openForReading } from "../events/file/EventsDb.ts"
import { packed } from "../events/threads/PackedCells.ts"
import type { ReaderMessage, ReaderReply, ReaderStart } from "../events/threads/Protocol.ts"
import { Reader } from "../events/threads/Reader.ts"
import { warmUp } from "../events/threads/JitWarmUp.ts"

giveWay()

/** What a thread holds that has not been asked: code, and what it knows of the file. */
const ownBytes = 16 * mebibyte

const start: ReaderStart = workerData
const rest = givesBackAtRest()
const reply = (message: ReaderReply<unknown>) => parentPort?.postMessage(packed(message))

try {
  const reader = new Reader(openForReading(start.file), start.options, {
    bytes: () => bytesHeld() - ownBytes,
    collect: collectorOfThread()
  })
  const collect = collectsDropped(() => reader.cache.bytes)
  let warmingUp: Iterator<void> | null = start.options.warmUp === true ? warmUp() : null
  const begin = () => {
    if (warmingUp === null) return
    reader.prepare()
    next()
  }
  const next = () => {
    if (warmingUp?.next().done === false) setImmediate(next)
    else {
      warmingUp = null
      rest()
    }
  }
  parentPort?.on("message", (message: ReaderMessage) => {
    if (message.type === "ask") {
      reply(reader.reply(message))
      collect()
      rest()
    } else {
      warmingUp = null
      reader.close()
      parentPort?.close()
    }
  })
  reply({ type: "ready" })
  setImmediate(begin)
} catch (cause) {
  reply({ type: "failed", id: null, message: String(cause) })
}

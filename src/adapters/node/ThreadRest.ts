import { getHeapStatistics } from "node:v8"
import { collectorOfThread } from "./Collector.ts"

const restMillis = 5000
/** A collection takes some 30 ms of the thread, so fewer bytes are not worth one. */
const leastBytes = 4 * 1024 * 1024

/** Fewer bytes of arrays that nobody holds are left to V8, which collects them while more are made: whoever asks next would wait for it. */
const mostDropped = 128 * 1024 * 1024

const externalBytes = (): number => getHeapStatistics().external_memory

/** Bytes of this thread's objects and arrays, with those that nobody needs any more and that are not collected yet. */
export const bytesHeld = (): number => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}

/**
 * Has this thread give back memory once it has rested for `millis`. V8 collects only while something is made, so what
 * a question has left behind would otherwise stay until the next one comes. Call the result after each piece of work. Where V8 itself has
 * collected since, and less is held than before, nothing tells how much of it is left behind: that is collected too.
 */
export const givesBackAtRest = (millis = restMillis): (() => void) => {
  let collect: (() => void) | undefined
  let held = 0
  const giveBack = () => {
    if (Math.abs(bytesHeld() - held) < leastBytes) return
    collect ??= collectorOfThread()
    collect()
    held = bytesHeld()
  }
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer = timer?.refresh() ?? setTimeout(giveBack, millis).unref()
  }
}

/**
 * Has this thread collect at once what a piece of work has dropped, where these are many bytes of arrays: V8 itself
 * would collect them while the next piece makes as many again. `kept` are the bytes that are held on purpose. Call the result after each piece of work.
 */
export const collectsDropped = (kept: () => number, most = mostDropped): (() => void) => {
  let collect: (() => void) | undefined
  let left = 0
  return () => {
    if (externalBytes() - kept() < left + most) return
    collect ??= collectorOfThread()
    collect()
    left = Math.max(0, externalBytes() - kept())
  }
}

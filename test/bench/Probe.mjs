// Loaded into the server before itself: on SIGUSR2 prints the longest and the usual pause of its main thread since the last time, and the
// most processor time that the thread took between two turns of its event loop, which a busy machine does not make longer.
import { closeSync, openSync, readSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

const resolution = 5

/** Milliseconds of processor that this thread has taken; 0 where the system does not tell. */
const processor = () => {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r")
    const text = Buffer.alloc(64)
    readSync(file, text)
    closeSync(file)
    return Number(text.toString().split(" ")[0]) / 1e6
  } catch {
    return 0
  }
}

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  let [before, most] = [processor(), 0]
  setInterval(() => {
    const now = processor()
    most = Math.max(most, now - before)
    before = now
  }, resolution).unref()
  process.on("SIGUSR2", () => {
    const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution)
    const pause = { longest: late(delay.max), p99: late(delay.percentile(99)), processor: most }
    process.stderr.write(`pause ${JSON.stringify(pause)}\n`)
    delay.reset()
    most = 0
  })
}

// Loaded into the server before itself: on SIGUSR2 prints the longest and the usual pause of its main thread since the last time.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

const resolution = 5

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  process.on("SIGUSR2", () => {
    const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution)
    process.stderr.write(`pause ${JSON.stringify({ longest: late(delay.max), p99: late(delay.percentile(99)) })}\n`)
    delay.reset()
  })
}

import { setImmediate } from "node:timers/promises"
import { afterAll, afterEach, beforeEach } from "vitest"

/** No test blocks its worker for ten seconds on a quiet machine. The limit leaves a busy one three times as long. */
const mostSeconds = 30
/** Each beat asks the system for the time of all threads, so that more of them would cost the tests some hundredths of theirs. */
const beatMilliseconds = 1000

// A worker that cannot answer its runner for a minute fails the run, however green its tests are.
const advice = "make the property asynchronous, or wait for setImmediate between its parts"

let since = { wall: performance.now(), cpu: process.cpuUsage() }
let longest = 0

/**
 * Notes how long the event loop stood still since the last beat. Elapsed time alone would blame a test for other programs on the same
 * machine and processor time alone for its worker threads, so the lesser of the two counts.
 */
const beat = () => {
  const { user, system } = process.cpuUsage(since.cpu)
  longest = Math.max(longest, Math.min(performance.now() - since.wall, (user + system) / 1000))
  since = { wall: performance.now(), cpu: process.cpuUsage() }
}

const heart = setInterval(beat, beatMilliseconds)

afterAll(() => clearInterval(heart))

beforeEach(() => {
  beat()
  longest = 0
})

afterEach(async ({ task }) => {
  beat()
  await setImmediate()
  if (longest > mostSeconds * 1000)
    throw new Error(`${task.name} kept its worker's event loop busy for ${(longest / 1000).toFixed(1)} s: ${advice}`)
})

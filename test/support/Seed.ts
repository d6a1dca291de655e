import * as FastCheck from "effect/FastCheck"
import { setImmediate } from "node:timers/promises"
import { runCount } from "./Runs.ts"

const seed = process.env["GAMEKEEPER_TEST_SEED"]

FastCheck.configureGlobal({
  numRuns: runCount(100),
  // Runs of an asynchronous property wait for this promise, so that the worker can tell the runner how it is between any two of them.
  beforeEach: setImmediate,
  // Properties look at other values in every run, unless a seed is given: a run that is to be judged is the same each time.
  ...(seed === undefined ? {} : { seed: Number(seed) })
})

import { isRunning } from "../experiments/Experiment.ts"
import { dueAt, settle } from "../experiments/Settlement.ts"
import type { RunningExperiment } from "./Descriptor.ts"

export interface RunningAt<A> {
  /** The experiments that have begun and not ended, including paused ones, as of the instant. */
  readonly running: ReadonlyArray<A>
  /** Those that have yet to begin. */
  readonly scheduled: ReadonlyArray<A>
  /** When the passing of time will change that next (epoch ms); `Infinity` if nothing is planned. */
  readonly until: number
}

/** The experiments as of `now` (epoch ms), whether or not a job has stored what time has changed. */
export const runningAt = <A extends RunningExperiment>(experiments: ReadonlyArray<A>, now: number): RunningAt<A> => {
  const settled = experiments.map((each) => ({ ...each, progress: settle(each.progress, now).progress }))
  return {
    running: settled.filter(({ progress }) => isRunning(progress.status)),
    scheduled: settled.filter(({ progress }) => progress.status === "scheduled"),
    until: Math.min(...settled.map(({ progress }) => dueAt(progress) ?? Infinity))
  }
}

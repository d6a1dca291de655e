import type { ExperimentStatus } from "../experiments/Experiment.ts"
import { dueAt, settle } from "../experiments/Settlement.ts"
import type { RunningExperiment } from "./Descriptor.ts"

export interface Settled<A> {
  /** Experiments that have begun and not ended, paused ones too, as they are at that instant. */
  readonly running: ReadonlyArray<A>
  /** When time itself will change that; `Infinity` when nothing is planned. UTC epoch milliseconds. */
  readonly until: number
}

const isRunning = (status: ExperimentStatus): boolean => status === "active" || status === "paused"

/** Experiments as they are at an instant, whether or not anybody has written down what time did since. */
export const runningAt = <A extends RunningExperiment>(experiments: ReadonlyArray<A>, now: number): Settled<A> => {
  const settled = experiments.map((each) => ({ ...each, progress: settle(each.progress, now).progress }))
  return {
    running: settled.filter(({ progress }) => isRunning(progress.status)),
    until: Math.min(...settled.map(({ progress }) => dueAt(progress) ?? Infinity))
  }
}

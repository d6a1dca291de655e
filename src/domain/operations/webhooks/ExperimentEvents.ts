import type { Json } from "../../configuration/Document.ts"
import type { ExperimentProgress } from "../../experiments/Experiment.ts"
import type { LifecycleEvent } from "../../experiments/Settlement.ts"
import type { StoredExperiment } from "../../experiments/StoredExperiment.ts"

/** What time has done to an experiment. */
export interface TimedEvent {
  readonly type: string
  /** Epoch ms. */
  readonly at: number
  readonly more: { readonly [key: string]: Json }
}

/** The percent at an instant (epoch ms), which may be another by now: what was due while no server ran is told together. */
const percentAt = ({ phases, rollout }: ExperimentProgress, at: number): number =>
  phases.findLast(({ from }) => from <= at)?.percent ?? rollout.percent

const timed = (event: LifecycleEvent, { progress }: StoredExperiment): TimedEvent | null => {
  switch (event.type) {
    case "started":
      return { type: "experiment.started", at: event.at, more: { percent: percentAt(progress, event.at) } }
    case "ended":
      return event.status === "completed"
        ? { type: "experiment.ended", at: event.at, more: { status: event.status } }
        : null
    case "rolloutChanged":
      return event.action === "step"
        ? { type: "experiment.rolloutChanged", at: event.at, more: { percent: percentAt(progress, event.at) } }
        : null
    case "weightsChanged":
      return null
  }
}

/**
 * What time has done to an experiment after its first `known` events: it has started, taken a step of its rollout, or come to its planned
 * end. What people do to it the log of changes tells.
 */
export const timedEvents = (experiment: StoredExperiment, known: number): ReadonlyArray<TimedEvent> =>
  experiment.events.slice(known).flatMap((event) => timed(event, experiment) ?? [])

import type { Json } from "../../configuration/Document.ts"
import type { LifecycleEvent } from "../../experiments/Settlement.ts"
import type { StoredExperiment } from "../../experiments/StoredExperiment.ts"

/** What time has done to an experiment. */
export interface TimedEvent {
  readonly type: string
  /** Epoch ms. */
  readonly at: number
  readonly more: { readonly [key: string]: Json }
}

const timed = (event: LifecycleEvent, { progress }: StoredExperiment): TimedEvent | null => {
  switch (event.type) {
    case "started":
      return { type: "experiment.started", at: event.at, more: { percent: progress.rollout.percent } }
    case "ended":
      return event.status === "completed"
        ? { type: "experiment.ended", at: event.at, more: { status: event.status } }
        : null
    case "rolloutChanged":
      return event.action === "step"
        ? { type: "experiment.rolloutChanged", at: event.at, more: { percent: progress.rollout.percent } }
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

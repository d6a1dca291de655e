import type { Phase, ExperimentProgress } from "./Experiment.ts"
import { hasEnded } from "./Experiment.ts"
import * as Rollout from "./Rollout.ts"
import { areSame, weightsOf } from "./Weights.ts"

export type LifecycleEvent =
  | { readonly type: "started"; readonly at: number }
  | { readonly type: "rolloutChanged"; readonly at: number; readonly action: Rollout.RolloutAction }
  | { readonly type: "weightsChanged"; readonly at: number }
  | { readonly type: "ended"; readonly at: number; readonly status: "completed" | "terminated" }

export interface Settled {
  readonly progress: ExperimentProgress
  /** What happened, in order. */
  readonly events: ReadonlyArray<LifecycleEvent>
}

/**
 * Opens a phase with the current weights and percent, unless they equal those of the last phase or the experiment has
 * not started.
 */
export const openPhase = (progress: ExperimentProgress, at: number): ExperimentProgress => {
  if (progress.status === "scheduled") return progress
  const last = progress.phases.at(-1)
  const weights = weightsOf(progress.groups)
  const phase: Phase = { from: Math.max(at, last?.from ?? at), weights, percent: progress.rollout.percent }
  if (last?.percent === phase.percent && areSame(weights, last.weights)) return progress
  const earlier = progress.phases.filter(({ from }) => from < phase.from)
  return { ...progress, phases: [...earlier, phase] }
}

/** Ends the experiment with the given status. */
export const end = (progress: ExperimentProgress, status: "completed" | "terminated"): ExperimentProgress => ({
  ...progress,
  status,
  rollout: Rollout.close(progress.rollout)
})

const start = (progress: ExperimentProgress): ExperimentProgress =>
  openPhase({ ...progress, status: "active" }, progress.startsAt)

const step = (progress: ExperimentProgress, at: number): ExperimentProgress =>
  openPhase({ ...progress, rollout: Rollout.takeStep(progress.rollout, at, "step") }, at)

const upcoming = (progress: ExperimentProgress): Settled | null => {
  const { status, startsAt, endsAt, rollout } = progress
  if (hasEnded(status)) return null
  if (status === "scheduled") return { progress: start(progress), events: [{ type: "started", at: startsAt }] }
  const due = rollout.status === "ramping" ? Rollout.nextStep(rollout) : null
  const stepAt = due === null ? Infinity : Math.max(due.at, startsAt)
  if (endsAt !== null && endsAt <= stepAt) {
    return { progress: end(progress, "completed"), events: [{ type: "ended", at: endsAt, status: "completed" }] }
  }
  if (due === null) return null
  return { progress: step(progress, stepAt), events: [{ type: "rolloutChanged", at: stepAt, action: "step" }] }
}

/**
 * The progress as of `now` (epoch ms): every start, step and end due by then, each at its planned time. What was due
 * while no server ran is caught up, and asking repeatedly changes nothing.
 */
export const settle = (progress: ExperimentProgress, now: number): Settled => {
  let settled: Settled = { progress, events: [] }
  for (let next = upcoming(progress); next !== null && next.events[0]!.at <= now; next = upcoming(next.progress)) {
    settled = { progress: next.progress, events: [...settled.events, ...next.events] }
  }
  return settled
}

/**
 * When the progress will next change by itself (epoch ms): its start, a step or its end; null if nothing is planned.
 */
export const dueAt = (progress: ExperimentProgress): number | null => upcoming(progress)?.events[0]?.at ?? null

import { Either } from "effect"
import type { ExperimentGroupId } from "../Ids.ts"
import type { AssignableGroup, ExperimentProgress } from "./Experiment.ts"
import { hasEnded } from "./Experiment.ts"
import type { PlannedStep } from "./Rollout.ts"
import * as Rollout from "./Rollout.ts"
import type { RolloutCommand, RolloutRefusal } from "./RolloutCommand.ts"
import * as RolloutCommands from "./RolloutCommand.ts"
import type { LifecycleEvent, Settled } from "./Settlement.ts"
import { end, openPhase, settle } from "./Settlement.ts"
import type { WeightsRefusal } from "./Weights.ts"
import * as Weights from "./Weights.ts"

export interface Terminate {
  readonly type: "terminate"
  readonly reason: string | null
  readonly winnerGroupId: ExperimentGroupId | null
  /** Whether to write the winner's changeset to the base; requires a winner. */
  readonly applyToBase: boolean
}

export type LifecycleCommand =
  | Terminate
  | { readonly type: "reschedule"; readonly endsAt: number | null }
  | { readonly type: "changeWeights"; readonly weights: ReadonlyArray<number> }
  | { readonly type: "dropGroup"; readonly groupId: ExperimentGroupId }
  | { readonly type: "rollout"; readonly command: RolloutCommand }

export type LifecycleRefusal = "Ended" | "WinnerMissing" | "EndTooEarly" | WeightsRefusal | RolloutRefusal

type Decision = Either.Either<Settled, LifecycleRefusal>

const happened = (progress: ExperimentProgress, ...events: ReadonlyArray<LifecycleEvent>): Decision =>
  Either.right({ progress, events })

const terminate = (
  progress: ExperimentProgress,
  { reason, winnerGroupId, applyToBase }: Terminate,
  now: number
): Decision => {
  if (winnerGroupId === null && applyToBase) return Either.left("WinnerMissing")
  if (winnerGroupId !== null && !progress.groups.some(({ id }) => id === winnerGroupId)) {
    return Either.left("UnknownGroup")
  }
  const ended = { ...end(progress, "terminated"), terminatedAt: now, terminationReason: reason, winnerGroupId }
  return happened(ended, { type: "ended", at: now, status: "terminated" })
}

const reschedule = (progress: ExperimentProgress, endsAt: number | null, now: number): Decision =>
  endsAt !== null && endsAt <= Math.max(progress.startsAt, now)
    ? Either.left("EndTooEarly")
    : happened({ ...progress, endsAt })

const reweigh = (
  progress: ExperimentProgress,
  groups: Either.Either<ReadonlyArray<AssignableGroup>, WeightsRefusal>,
  now: number
): Decision =>
  Either.flatMap(groups, (groups) =>
    happened(openPhase({ ...progress, groups }, now), { type: "weightsChanged", at: now })
  )

const changeRollout = (progress: ExperimentProgress, command: RolloutCommand, now: number): Decision =>
  Either.flatMap(RolloutCommands.decide(progress, command, now), (rollout) => {
    const running = rollout.status === "paused" ? "paused" : "active"
    const status = progress.status === "scheduled" ? "scheduled" : running
    const changed = openPhase({ ...progress, status, rollout }, now)
    return happened(changed, { type: "rolloutChanged", at: now, action: command.action })
  })

const perform = (progress: ExperimentProgress, command: LifecycleCommand, now: number): Decision => {
  switch (command.type) {
    case "terminate":
      return terminate(progress, command, now)
    case "reschedule":
      return reschedule(progress, command.endsAt, now)
    case "changeWeights":
      return reweigh(progress, Weights.change(progress.groups, command.weights), now)
    case "dropGroup":
      return reweigh(progress, Weights.drop(progress.groups, command.groupId), now)
    case "rollout":
      return changeRollout(progress, command.command, now)
  }
}

/**
 * The effect of a command on an experiment at an instant (epoch ms), after everything that was due by then. An ended
 * experiment accepts no command.
 */
export const decide = (progress: ExperimentProgress, command: LifecycleCommand, now: number): Decision => {
  const settled = settle(progress, now)
  if (hasEnded(settled.progress.status)) return Either.left("Ended")
  return Either.map(perform(settled.progress, command, now), ({ progress, events }) => ({
    progress,
    events: [...settled.events, ...events]
  }))
}

export interface Plan {
  readonly startsAt: number
  readonly endsAt: number | null
  readonly groups: ReadonlyArray<Omit<AssignableGroup, "isDropped">>
  readonly percent: number
  readonly steps: ReadonlyArray<PlannedStep>
}

/** Everything that keeps a plan from being an experiment; of its rollout the first fault. */
export const planFaults = ({ startsAt, endsAt, groups, percent, steps }: Plan): ReadonlyArray<LifecycleRefusal> => {
  const open = groups.map((group) => ({ ...group, isDropped: false }))
  const weights = groups.map(({ weight }) => weight)
  const fault = RolloutCommands.percentFault(percent) ?? RolloutCommands.planFault(steps, endsAt)
  return [
    ...(endsAt !== null && endsAt <= startsAt ? (["EndTooEarly"] as const) : []),
    ...(Weights.areValid(open, weights) ? [] : (["WeightsInvalid"] as const)),
    ...(fault === null ? [] : [fault])
  ]
}

/** A new experiment with status scheduled. Call `settle` to start one that begins now or in the past. */
export const create = (plan: Plan): Either.Either<ExperimentProgress, LifecycleRefusal> => {
  const [fault] = planFaults(plan)
  if (fault !== undefined) return Either.left(fault)
  const { startsAt, endsAt, groups, percent, steps } = plan
  return Either.right({
    status: "scheduled",
    startsAt,
    endsAt,
    terminatedAt: null,
    terminationReason: null,
    winnerGroupId: null,
    groups: groups.map((group) => ({ ...group, isDropped: false })),
    rollout: Rollout.make(percent, steps),
    phases: []
  })
}

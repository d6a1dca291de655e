import { Either } from "effect"
import type { ExperimentProgress } from "./Experiment.ts"
import type { PlannedStep, Rollout } from "./Rollout.ts"
import * as Rollouts from "./Rollout.ts"

export type RolloutCommand =
  | { readonly action: "set"; readonly percent: number }
  | { readonly action: "advance" }
  | { readonly action: "pause" }
  | { readonly action: "resume" }
  | { readonly action: "replaceSteps"; readonly steps: ReadonlyArray<PlannedStep> }

export type RolloutRefusal =
  | "PercentInvalid"
  | "StepsNotAscending"
  | "StepInThePast"
  | "StepAfterEnd"
  | "NoStepLeft"
  | "NotStarted"
  | "AlreadyPaused"
  | "NotPaused"

type Answer = Either.Either<Rollout, RolloutRefusal>

const isPercent = (percent: number): boolean => percent >= 0 && percent <= 100

/**
 * What is wrong with a plan: a percent outside 0..100, instants that do not ascend, or an instant at or after the end.
 * Null if nothing is.
 */
export const planFault = (steps: ReadonlyArray<PlannedStep>, endsAt: number | null): RolloutRefusal | null => {
  if (!steps.every(({ percent }) => isPercent(percent))) return "PercentInvalid"
  if (steps.some(({ at }, index) => index > 0 && at <= steps[index - 1]!.at)) return "StepsNotAscending"
  return endsAt !== null && steps.some(({ at }) => at >= endsAt) ? "StepAfterEnd" : null
}

/** What is wrong with steps that are planned at `now` (epoch ms), if one of them has passed. */
export const pastFault = (steps: ReadonlyArray<PlannedStep>, now: number): RolloutRefusal | null =>
  steps.some(({ at }) => at <= now) ? "StepInThePast" : null

/** What is wrong with a percent, if it is not in 0..100. */
export const percentFault = (percent: number): RolloutRefusal | null => (isPercent(percent) ? null : "PercentInvalid")

const unless = (fault: RolloutRefusal | null | false, rollout: () => Rollout): Answer =>
  fault === null || fault === false ? Either.right(rollout()) : Either.left(fault)

/**
 * The effect of an operator's command on the rollout of an experiment that has not ended. Lowering the percent removes
 * no unit.
 */
export const decide = (
  { status, rollout, endsAt }: ExperimentProgress,
  command: RolloutCommand,
  now: number
): Answer => {
  const isScheduled = status === "scheduled"
  switch (command.action) {
    case "set":
      return unless(percentFault(command.percent), () => Rollouts.setPercent(rollout, now, command.percent))
    case "advance": {
      const fault = isScheduled ? "NotStarted" : Rollouts.nextStep(rollout) === null && "NoStepLeft"
      return unless(fault, () => Rollouts.takeStep(rollout, now, "advance"))
    }
    case "pause": {
      const fault = isScheduled ? "NotStarted" : rollout.status === "paused" && "AlreadyPaused"
      return unless(fault, () => Rollouts.pause(rollout, now))
    }
    case "resume":
      return unless(rollout.status !== "paused" && "NotPaused", () => Rollouts.resume(rollout, now))
    case "replaceSteps": {
      const fault = planFault(command.steps, endsAt) ?? pastFault(command.steps, now)
      return unless(fault, () => Rollouts.replaceSteps(rollout, now, command.steps))
    }
  }
}

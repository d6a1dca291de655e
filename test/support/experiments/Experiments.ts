import { Either, FastCheck } from "effect"
import type { ExperimentProgress } from "../../../src/domain/experiments/Experiment.ts"
import type { LifecycleCommand, LifecycleRefusal, Plan } from "../../../src/domain/experiments/Lifecycle.ts"
import { create, decide } from "../../../src/domain/experiments/Lifecycle.ts"
import type { PlannedStep } from "../../../src/domain/experiments/Rollout.ts"
import type { RolloutCommand } from "../../../src/domain/experiments/RolloutCommand.ts"
import { settle } from "../../../src/domain/experiments/Settlement.ts"
import { ExperimentGroupId } from "../../../src/domain/Ids.ts"

export const groupIds = [1, 2, 3].map((id) => ExperimentGroupId.make(id))

export const plan: Plan = {
  startsAt: 1_000,
  endsAt: 2_000,
  groups: groupIds.map((id, ordinal) => ({ id, weight: [3_000, 3_000, 4_000][ordinal]! })),
  percent: 10,
  steps: [
    { at: 1_200, percent: 25 },
    { at: 1_400, percent: 50 },
    { at: 1_600, percent: 100 }
  ]
}

export const experiment = (change: Partial<Plan> = {}): ExperimentProgress =>
  Either.getOrThrow(create({ ...plan, ...change }))

export const percent = FastCheck.constantFrom(0, 5, 10, 50, 100)

export const instant = FastCheck.integer({ min: 0, max: 24 }).map((step) => step * 100)

export const steps: FastCheck.Arbitrary<ReadonlyArray<PlannedStep>> = FastCheck.uniqueArray(
  FastCheck.record({ at: instant, percent }),
  { selector: ({ at }) => at, maxLength: 4 }
).map((steps) => steps.toSorted((a, b) => a.at - b.at))

const rolloutCommand: FastCheck.Arbitrary<RolloutCommand> = FastCheck.oneof(
  FastCheck.record({ action: FastCheck.constant("set" as const), percent }),
  FastCheck.constantFrom<RolloutCommand>({ action: "advance" }, { action: "pause" }, { action: "resume" }),
  FastCheck.record({ action: FastCheck.constant("replaceSteps" as const), steps })
)

const weights = FastCheck.constantFrom(
  [3_000, 3_000, 4_000],
  [10_000, 0, 0],
  [0, 5_000, 5_000],
  [1, 9_998, 1],
  [1, 1, 1]
)

export const command: FastCheck.Arbitrary<LifecycleCommand> = FastCheck.oneof(
  { weight: 5, arbitrary: rolloutCommand.map((command): LifecycleCommand => ({ type: "rollout", command })) },
  { weight: 2, arbitrary: weights.map((weights): LifecycleCommand => ({ type: "changeWeights", weights })) },
  {
    weight: 1,
    arbitrary: FastCheck.constantFrom(...groupIds).map((groupId): LifecycleCommand => ({ type: "dropGroup", groupId }))
  },
  {
    weight: 1,
    arbitrary: FastCheck.option(instant).map((endsAt): LifecycleCommand => ({ type: "reschedule", endsAt }))
  }
)

export const terminate: LifecycleCommand = { type: "terminate", reason: null, winnerGroupId: null, applyToBase: false }

/** Progress after a command that must be allowed. */
export const after = (progress: ExperimentProgress, command: LifecycleCommand, now: number): ExperimentProgress =>
  Either.getOrThrow(decide(progress, command, now)).progress

export const rolled = (progress: ExperimentProgress, command: RolloutCommand, now: number): ExperimentProgress =>
  after(progress, { type: "rollout", command }, now)

/** Why a command is refused, which it must be. */
export const refusal = (progress: ExperimentProgress, command: LifecycleCommand, now: number): LifecycleRefusal =>
  Either.getOrThrow(Either.flip(decide(progress, command, now)))

export const statusAt = (progress: ExperimentProgress, now: number) => settle(progress, now).progress.status

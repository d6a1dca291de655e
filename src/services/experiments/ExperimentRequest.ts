import { DateTime, Either } from "effect"
import type { ExperimentPlan, Targeting as WireTargeting } from "../../../schema/experiments/ExperimentRecord.ts"
import type { RolloutChange } from "../../../schema/experiments/Rollout.ts"
import { planOperands } from "../../domain/analytics/filter/FilterRequest.ts"
import type { LifecycleRefusal, Plan } from "../../domain/experiments/Lifecycle.ts"
import type { RolloutCommand } from "../../domain/experiments/RolloutCommand.ts"
import type { StoredGroup, WrittenTargeting } from "../../domain/experiments/StoredExperiment.ts"
import type { NewIds } from "../../ports/experiments/ExperimentRepo.ts"

export const everyone: WireTargeting = { cohortIds: [], conditions: [], newUsersOnly: false }

/** Who may be enrolled, with what each condition compares; or what is wrong with one. */
export const targetingOf = ({ targeting = everyone }: ExperimentPlan): Either.Either<WrittenTargeting, string> =>
  Either.all(
    targeting.conditions.map((condition, index) =>
      Either.map(planOperands(condition, `targeting.conditions[${index}]`), (operands) => ({
        property: condition.property,
        operator: condition.operator,
        operands,
        value: condition.value ?? null
      }))
    )
  ).pipe(
    Either.map((conditions) => ({ ...targeting, conditions })),
    Either.mapLeft(({ message }) => message)
  )

/** The first group is the control where none says that it is. */
export const groupsOf = (
  { groups }: Pick<ExperimentPlan, "groups">,
  { groupIds }: Pick<NewIds, "groupIds">
): ReadonlyArray<StoredGroup> => {
  const control = Math.max(
    0,
    groups.findIndex(({ isControl }) => isControl)
  )
  return groupIds.flatMap((id, ordinal) => {
    const group = groups[ordinal]
    if (group === undefined) return []
    const { name, label = null, changeset } = group
    return [{ id, name, label, isControl: ordinal === control, changeset }]
  })
}

const steps = (planned: ExperimentPlan["rollout"]["steps"]) =>
  planned.map(({ at, percent }) => ({ at: DateTime.toEpochMillis(at), percent }))

/** Its schedule; without a start it starts now (epoch milliseconds). */
export const planOf = (
  { startsAt = null, endsAt = null, groups, rollout }: ExperimentPlan,
  groupIds: NewIds["groupIds"],
  now: number
): Plan => ({
  startsAt: startsAt === null ? now : DateTime.toEpochMillis(startsAt),
  endsAt: endsAt === null ? null : DateTime.toEpochMillis(endsAt),
  groups: groupIds.map((id, ordinal) => ({ id, weight: groups[ordinal]?.weight ?? 0 })),
  percent: rollout.percent,
  steps: steps(rollout.steps)
})

export const commandOf = ({ basedOn: _, ...change }: RolloutChange): RolloutCommand =>
  change.action === "replaceSteps" ? { action: change.action, steps: steps(change.steps) } : change

export const refusals: Record<LifecycleRefusal, string> = {
  Ended: "The experiment has ended",
  WinnerMissing: "applyToBase needs a winnerGroupId",
  EndTooEarly: "endsAt: expected an instant after the start and after now",
  WeightsInvalid: "weights: expected whole basis points that add up to 10000, and 0 for groups that were dropped",
  UnknownGroup: "The experiment has no such group, or it was dropped",
  LastGroup: "One group with weight must be left",
  PercentInvalid: "percent: expected 0 to 100",
  StepsNotAscending: "steps: expected instants that rise",
  StepInThePast: "steps: expected instants in the future",
  StepAfterEnd: "steps: expected instants before the end of the experiment",
  NoStepLeft: "No step is left to advance to",
  NotStarted: "The experiment has not started",
  AlreadyPaused: "The rollout is paused already",
  NotPaused: "The rollout is not paused"
}

const conflicts: ReadonlySet<LifecycleRefusal> = new Set(["NoStepLeft", "NotStarted", "AlreadyPaused", "NotPaused"])

/** Whether a command is good in itself, and only comes at the wrong time. */
export const isConflict = (refusal: LifecycleRefusal): boolean => conflicts.has(refusal)

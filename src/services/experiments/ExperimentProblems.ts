import { Either } from "effect"
import type { ExperimentPlan } from "../../../schema/experiments/ExperimentRecord.ts"
import { planOperands } from "../../domain/analytics/filter/FilterRequest.ts"
import { isOfServer } from "../../domain/experiments/Context.ts"
import { type LifecycleRefusal, planFaults } from "../../domain/experiments/Lifecycle.ts"
import { pastFault } from "../../domain/experiments/RolloutCommand.ts"
import { newUserProperty } from "../../domain/experiments/Targeting.ts"
import { wrongSum } from "../../domain/experiments/Weights.ts"
import { ExperimentGroupId } from "../../domain/Ids.ts"
import { everyone, planOf, refusals } from "./ExperimentRequest.ts"

type Groups = ExperimentPlan["groups"]

const twice = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index))
]

/** Says which names several groups have. */
export const repeatedNames = (groups: ReadonlyArray<{ readonly name: string }>): ReadonlyArray<string> =>
  twice(groups.map(({ name }) => name)).map((name) => `groups: two are called ${name}`)

/** Says which ids several metrics have. */
export const repeatedIds = (metrics: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  twice(metrics.map(({ id }) => id)).map((id) => `metrics: the id ${id} is there twice`)

/** What is wrong with weights in basis points that are to add up to the whole. */
export const sumProblem = (weights: ReadonlyArray<number>): string | null => {
  const sum = wrongSum(weights)
  return sum === null ? null : `weights: add up to ${sum}, expected 10000 (basis points)`
}

/** A condition on what neither the game nor the server says would hold for nobody, and its opposite for everybody. */
const propertyProblem = (property: string, path: string): ReadonlyArray<string> =>
  isOfServer(property) && property !== newUserProperty
    ? [`${path}.property: of a unit itself the server says ${newUserProperty} alone`]
    : []

const targetingProblems = ({ targeting = everyone }: ExperimentPlan): ReadonlyArray<string> =>
  targeting.conditions.flatMap((condition, index) => {
    const path = `targeting.conditions[${index}]`
    const operands = planOperands(condition, path)
    return [...propertyProblem(condition.property, path), ...(Either.isLeft(operands) ? [operands.left.message] : [])]
  })

export const tooFewGroups = "groups: expected 2 to 8 of them"

const groupProblems = (groups: Groups): ReadonlyArray<string> => [
  ...(groups.length < 2 ? [tooFewGroups] : []),
  ...(groups.filter(({ isControl }) => isControl).length > 1 ? ["groups: two are the control"] : [])
]

const ofRollout: ReadonlySet<LifecycleRefusal> = new Set([
  "PercentInvalid",
  "StepsNotAscending",
  "StepInThePast",
  "StepAfterEnd"
])

/** What a refusal says of a plan, whose rollout is a field of its own. */
const refusalIn = (fault: LifecycleRefusal): string =>
  ofRollout.has(fault) ? `rollout.${refusals[fault]}` : refusals[fault]

/** Everything that is wrong with a plan in itself, at that instant in epoch milliseconds. */
export const problemsOf = (plan: ExperimentPlan, now: number): ReadonlyArray<string> => {
  const groupIds = plan.groups.map((_, ordinal) => ExperimentGroupId.make(ordinal + 1))
  const planned = planOf(plan, groupIds, now)
  // Who starts now can have had no step yet: those that have passed would all be taken in that moment.
  const past = (plan.startsAt ?? null) === null ? pastFault(planned.steps, now) : null
  const faults = [...(past === null ? [] : [past]), ...planFaults(planned)]
  const sum = sumProblem(plan.groups.map(({ weight }) => weight))
  return [
    ...targetingProblems(plan),
    ...groupProblems(plan.groups),
    ...faults.map((fault) => (fault === "WeightsInvalid" ? (sum ?? refusals[fault]) : refusalIn(fault)))
  ]
}

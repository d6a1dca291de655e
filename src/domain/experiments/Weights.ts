import { Either } from "effect"
import type { ExperimentGroupId } from "../Ids.ts"
import type { AssignableGroup } from "./Experiment.ts"

export type WeightsRefusal = "WeightsInvalid" | "UnknownGroup" | "LastGroup"

const whole = 10_000

/** Whether the weights, in basis points by ordinal, add up to 10,000 with 0 for dropped groups. */
export const areValid = (groups: ReadonlyArray<AssignableGroup>, weights: ReadonlyArray<number>): boolean =>
  weights.length === groups.length &&
  weights.every(
    (weight, ordinal) => Number.isInteger(weight) && weight >= 0 && !(weight > 0 && groups[ordinal]!.isDropped)
  ) &&
  weights.reduce((sum, weight) => sum + weight, 0) === whole

/** The weights of groups, by ordinal. */
export const weightsOf = (groups: ReadonlyArray<Pick<AssignableGroup, "weight">>): ReadonlyArray<number> =>
  groups.map(({ weight }) => weight)

/** Whether the weights of as many groups are the same. */
export const areSame = (weights: ReadonlyArray<number>, others: ReadonlyArray<number>): boolean =>
  weights.every((weight, ordinal) => weight === others[ordinal])

/** What the weights add up to where that is not the whole; null where it is. */
export const wrongSum = (weights: ReadonlyArray<number>): number | null => {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return sum === whole ? null : sum
}

const withWeights = (
  groups: ReadonlyArray<AssignableGroup>,
  weights: ReadonlyArray<number>
): ReadonlyArray<AssignableGroup> => groups.map((group, ordinal) => ({ ...group, weight: weights[ordinal]! }))

/** Changes the weights for new units; assigned units stay where they are. */
export const change = (
  groups: ReadonlyArray<AssignableGroup>,
  weights: ReadonlyArray<number>
): Either.Either<ReadonlyArray<AssignableGroup>, WeightsRefusal> =>
  areValid(groups, weights) ? Either.right(withWeights(groups, weights)) : Either.left("WeightsInvalid")

/** The weights scaled to a sum of 10,000; what rounding leaves goes to the largest remainders. */
const scaled = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const floors = weights.map((weight) => Math.floor((weight * whole) / total))
  const left = whole - floors.reduce((sum, weight) => sum + weight, 0)
  const remainder = (ordinal: number) => (weights[ordinal]! * whole) % total
  const lucky = new Set([...weights.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b).slice(0, left))
  return floors.map((weight, ordinal) => (lucky.has(ordinal) ? weight + 1 : weight))
}

/** Drops a group and distributes its weight to the others proportionally. Another group with weight must remain. */
export const drop = (
  groups: ReadonlyArray<AssignableGroup>,
  id: ExperimentGroupId
): Either.Either<ReadonlyArray<AssignableGroup>, WeightsRefusal> => {
  if (!groups.some((group) => group.id === id && !group.isDropped)) return Either.left("UnknownGroup")
  const kept = groups.map((group) => (group.id === id ? { ...group, weight: 0, isDropped: true } : group))
  if (kept.every(({ weight }) => weight === 0)) return Either.left("LastGroup")
  return Either.right(withWeights(kept, scaled(kept.map(({ weight }) => weight))))
}

import { Either } from "effect"
import type { ExperimentGroupId } from "../Ids.ts"
import type { Group } from "./Experiment.ts"

export type WeightsRefusal = "WeightsInvalid" | "UnknownGroup" | "LastGroup"

const whole = 10_000

/** Basis points in order of the ordinals, together 10,000; a dropped group has none. */
export const areValid = (groups: ReadonlyArray<Group>, weights: ReadonlyArray<number>): boolean =>
  weights.length === groups.length &&
  weights.every(
    (weight, ordinal) => Number.isInteger(weight) && weight >= 0 && !(weight > 0 && groups[ordinal]!.isDropped)
  ) &&
  weights.reduce((sum, weight) => sum + weight, 0) === whole

const withWeights = (groups: ReadonlyArray<Group>, weights: ReadonlyArray<number>): ReadonlyArray<Group> =>
  groups.map((group, ordinal) => ({ ...group, weight: weights[ordinal]! }))

/** New units go by the new weights; assigned ones stay where they are. */
export const change = (
  groups: ReadonlyArray<Group>,
  weights: ReadonlyArray<number>
): Either.Either<ReadonlyArray<Group>, WeightsRefusal> =>
  areValid(groups, weights) ? Either.right(withWeights(groups, weights)) : Either.left("WeightsInvalid")

/** Weights in the same proportions that sum to 10,000; what rounding leaves goes to the greatest remainders. */
const scaled = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const floors = weights.map((weight) => Math.floor((weight * whole) / total))
  const left = whole - floors.reduce((sum, weight) => sum + weight, 0)
  const remainder = (ordinal: number) => (weights[ordinal]! * whole) % total
  const lucky = new Set([...weights.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b).slice(0, left))
  return floors.map((weight, ordinal) => (lucky.has(ordinal) ? weight + 1 : weight))
}

/** Takes a group out: its weight goes to the others in their proportions. One group with weight must be left. */
export const drop = (
  groups: ReadonlyArray<Group>,
  id: ExperimentGroupId
): Either.Either<ReadonlyArray<Group>, WeightsRefusal> => {
  if (!groups.some((group) => group.id === id && !group.isDropped)) return Either.left("UnknownGroup")
  const kept = groups.map((group) => (group.id === id ? { ...group, weight: 0, isDropped: true } : group))
  if (kept.every(({ weight }) => weight === 0)) return Either.left("LastGroup")
  return Either.right(withWeights(kept, scaled(kept.map(({ weight }) => weight))))
}

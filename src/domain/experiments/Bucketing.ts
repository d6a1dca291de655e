import { currentVersion, hash } from "./Hash.ts"

/** From (inclusive) to (exclusive), in basis points of all units unless said otherwise. */
export type Range = readonly [from: number, to: number]

export const everything: Range = [0, 10_000]

/** What an experiment freezes at its creation, so that its units never move. */
export interface Seed {
  readonly seed: string
  readonly hashVersion: number
}

const basisPoint = (seed: string, unitId: string, version: number): number | null => {
  const place = hash(seed, unitId, version)
  return place === null ? null : Math.round(place * 10_000)
}

/** Neighbouring ranges as wide as the weights, from 0. */
export const ranges = (weights: ReadonlyArray<number>): ReadonlyArray<Range> => {
  let end = 0
  return weights.map((weight) => [end, (end += weight)])
}

/** Index of the range that a place falls into, -1 when into none. */
export const choose = (place: number, ranges: ReadonlyArray<Range>): number =>
  ranges.findIndex(([from, to]) => from <= place && place < to)

/** Whether a unit is among the first `percent` (0..100) of an experiment. A greater percent keeps all units of a smaller one. */
export const isEnrolled = ({ seed, hashVersion }: Seed, unitId: string, percent: number): boolean => {
  const place = basisPoint(`${seed}:enrol`, unitId, hashVersion)
  return place !== null && place < percent * 100
}

/**
 * Index of a unit's arm for these weights, null when none has weight. Hashed apart from enrolment: the percent may change
 * without changing arms. Weights are relative; they need not sum to 10,000.
 */
export const arm = ({ seed, hashVersion }: Seed, unitId: string, weights: ReadonlyArray<number>): number | null => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const place = basisPoint(`${seed}:arm`, unitId, hashVersion)
  const index = place === null ? -1 : choose((place * total) / 10_000, ranges(weights))
  return index < 0 ? null : index
}

/** A unit's slot in an exclusion layer, in basis points. Experiments of one layer own slots apart, so no unit is in two. */
export const layerSlot = (layer: string, unitId: string): number =>
  basisPoint(`layer:${layer}`, unitId, currentVersion) ?? 0

/** Whether a unit is kept out of the experiments of a layer, for `percent` (0..100) of all units. Greater holdouts contain smaller ones. */
export const isHeldOut = (layer: string, unitId: string, percent: number): boolean =>
  (basisPoint(`holdout:${layer}`, unitId, currentVersion) ?? 0) < percent * 100

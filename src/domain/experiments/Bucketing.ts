import { currentVersion, hash, isKnownVersion } from "./Hash.ts"

/** From (inclusive) to (exclusive), in basis points of all units unless stated otherwise. */
export type PlaceRange = readonly [from: number, to: number]

/** All units. */
export const everyPlace: PlaceRange = [0, 10_000]

/** Fixed when an experiment is created, so that its units never change places. */
export interface Seed {
  readonly seed: string
  readonly hashVersion: number
}

const basisPoint = (seed: string, unitId: string, version: number): number | null => {
  const place = hash(seed, unitId, version)
  return place === null ? null : Math.round(place * 10_000)
}

/** Adjacent ranges, from 0, as wide as the weights. */
export const ranges = (weights: ReadonlyArray<number>): ReadonlyArray<PlaceRange> => {
  let end = 0
  return weights.map((weight) => [end, (end += weight)])
}

/** The index of the range that contains a place; -1 if none does. */
export const choose = (place: number, ranges: ReadonlyArray<PlaceRange>): number =>
  ranges.findIndex(([from, to]) => from <= place && place < to)

/**
 * Whether a unit is among the first `percent` (0..100) of an experiment's units. Raising the percent keeps every unit; at 100 all are in. False
 * for an unknown version of the hash.
 */
export const isEnrolled = ({ seed, hashVersion }: Seed, unitId: string, percent: number): boolean => {
  if (percent >= 100) return isKnownVersion(hashVersion)
  const place = basisPoint(`${seed}:enrol`, unitId, hashVersion)
  return place !== null && place < percent * 100
}

/**
 * The index of a unit's arm for the given weights; null if none has weight, or the version of the hash is unknown. It is hashed separately
 * from enrolment, so a change of percent moves nobody to another arm. Weights are relative and need not add up to 10,000.
 */
export const arm = ({ seed, hashVersion }: Seed, unitId: string, weights: ReadonlyArray<number>): number | null => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const place = basisPoint(`${seed}:arm`, unitId, hashVersion)
  const index = place === null ? -1 : choose((place * total) / 10_000, ranges(weights))
  return index < 0 ? null : index
}

/**
 * A unit's slot in an exclusion layer, in basis points. Experiments of a layer own disjoint slots, so no unit is in
 * two.
 */
export const layerSlot = (layer: string, unitId: string): number =>
  basisPoint(`layer:${layer}`, unitId, currentVersion) ?? 0

/**
 * Whether a unit is held out of an experiment of the layer that holds out `percent` (0..100) of all units. Experiments of a layer that hold
 * out equally many hold out the same units, and a higher percent these and more.
 */
export const isHeldOut = (layer: string, unitId: string, percent: number): boolean =>
  percent > 0 && (basisPoint(`holdout:${layer}`, unitId, currentVersion) ?? 0) < percent * 100

import * as ChiSquare from "./ChiSquare.ts"

/**
 * A period of constant weights. Counts are by arm ordinal, of units whose first exposure lies in the phase. An evaluation
 * assigns and exposes at once, so that the weights of the phase decided about them; a unit that was assigned without being
 * exposed, as by an import, and is exposed after a change of weights, counts in the later phase all the same.
 */
export interface ExposurePhase {
  readonly observed: ReadonlyArray<number>
  readonly weights: ReadonlyArray<number>
}

export type SampleRatioVerdict = "insufficient" | "healthy" | "warning" | "unhealthy"

export interface SampleRatio {
  readonly observed: ReadonlyArray<number>
  readonly expected: ReadonlyArray<number>
  readonly chiSquare: number
  readonly degreesOfFreedom: number
  readonly pValue: number
  readonly verdict: SampleRatioVerdict
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const verdictOf = (units: number, pValue: number): SampleRatioVerdict => {
  if (units < 100) return "insufficient"
  return pValue < 0.001 ? "unhealthy" : pValue < 0.01 ? "warning" : "healthy"
}

const goodnessOfFit = (observed: ReadonlyArray<number>, expected: ReadonlyArray<number>): SampleRatio => {
  const open = expected.filter((count) => count > 0).length
  const terms = expected.map((count, arm) => (count > 0 ? (observed[arm]! - count) ** 2 / count : 0))
  const chiSquare = sum(terms)
  const pValue = ChiSquare.tail(chiSquare, open - 1)
  return {
    observed,
    expected,
    chiSquare,
    degreesOfFreedom: Math.max(open - 1, 0),
    pValue,
    verdict: verdictOf(sum(observed), pValue)
  }
}

const counted = ({ observed, weights }: ExposurePhase): ReadonlyArray<number> =>
  weights.map((weight, arm) => (weight > 0 ? observed[arm]! : 0))

const expectedOf = (phase: ExposurePhase): ReadonlyArray<number> => {
  const total = sum(phase.weights)
  const units = sum(counted(phase))
  return phase.weights.map((weight) => (weight > 0 ? (units * weight) / total : 0))
}

const addUp = (rows: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> =>
  (rows[0] ?? []).map((_, arm) => sum(rows.map((row) => row[arm]!)))

/** Checks one phase. Arms of weight 0 are left out, whatever units they have. */
export const checkPhase = (phase: ExposurePhase): SampleRatio => goodnessOfFit(counted(phase), expectedOf(phase))

/**
 * Tests for a sample ratio mismatch: Pearson's chi-square of each arm's exposed units against the counts expected from
 * the weights of all phases, with one degree of freedom less than there are arms with weight. Below 100 units nothing
 * is concluded.
 */
export const check = (phases: ReadonlyArray<ExposurePhase>): SampleRatio =>
  goodnessOfFit(addUp(phases.map(counted)), addUp(phases.map(expectedOf)))

import { adjust, type Correction } from "../statistics/MultipleTesting.ts"
import * as Power from "../statistics/Power.ts"
import { type Evidence, type Verdict, verdict } from "../statistics/Verdict.ts"
import { comparable, shifted } from "./Magnitude.ts"
import { countOrNull } from "./Pace.ts"
import { armOf, meanExponent } from "./Samples.ts"
import type { Compared, JudgedMetric, Trial } from "./Trial.ts"

type PValues = ReadonlyArray<ReadonlyArray<number | null>>

type Comparisons = Compared<JudgedMetric>["comparisons"]

/**
 * The p-values of one method by metric, corrected over all comparisons of goals; those of guardrails are left as they
 * are.
 */
const corrected = (
  all: ReadonlyArray<Compared<JudgedMetric>>,
  method: "frequentist" | "sequential",
  correction: Correction
): PValues => {
  const family = all.flatMap(({ metric, comparisons }) =>
    metric.role === "goal" ? comparisons.flatMap(({ [method]: { pValue } }) => (pValue === null ? [] : [pValue])) : []
  )
  const adjusted = adjust(correction, family).values()
  return all.map(({ metric, comparisons }) =>
    comparisons.map(({ [method]: { pValue } }) =>
      metric.role === "goal" && pValue !== null ? (adjusted.next().value ?? null) : pValue
    )
  )
}

/** A comparison with its verdict. The p-values of goals are corrected over all goals and groups. */
export type JudgedComparison = Omit<Comparisons[number], "ordinal"> & {
  readonly adjustedPValue: number | null
  readonly verdict: Verdict
}

/** What verdicts depend on besides the comparison; the same for all metrics of an experiment. */
export interface Grounds extends Omit<
  Evidence,
  "units" | "direction" | "estimate" | "sequentialPValue" | "fixedHorizonPValue"
> {
  /** Ordinal of the control. */
  readonly control: number
}

/** Judges the comparisons of all metrics together. */
export const judge = (
  all: ReadonlyArray<Compared<JudgedMetric>>,
  correction: Correction,
  { control, ...grounds }: Grounds
): ReadonlyArray<ReadonlyArray<JudgedComparison>> => {
  const fixed = corrected(all, "frequentist", correction)
  const peeking = corrected(all, "sequential", correction)
  return all.map(({ metric, moments, comparisons }, index) =>
    comparisons.map(({ ordinal, ...comparison }, at) => ({
      ...comparison,
      adjustedPValue: fixed[index]![at] ?? null,
      verdict: verdict({
        ...grounds,
        units: [moments[control]!.n, moments[ordinal]!.n],
        direction: metric.direction,
        estimate: comparison.absolute ?? 0,
        sequentialPValue: peeking[index]![at] ?? 1,
        fixedHorizonPValue: fixed[index]![at] ?? 1
      })
    }))
  )
}

export interface MetricPower {
  /** Relative to the control, given the units of the smallest group that was not dropped. */
  readonly minimumDetectableEffect: number | null
  /** The units each group would need for the largest effect observed so far to be found; null where no whole number is that large. */
  readonly unitsPerGroup: number | null
}

/** The comparisons of the groups that were not dropped; all of them where each of these groups was. */
const openComparisons = (comparisons: Comparisons, dropped: ReadonlyArray<boolean>): Comparisons => {
  const open = comparisons.filter(({ ordinal }) => dropped[ordinal] !== true)
  return open.length === 0 ? comparisons : open
}

/**
 * The power of an experiment for one metric. A group that was dropped gets no further units, so neither how few it has nor what was seen in it
 * says anything of what the others can find. The control counts always, since everything is compared with it.
 */
export const powerOf = (
  { metric, moments, comparisons }: Compared<JudgedMetric>,
  { control, dropped }: Pick<Trial<JudgedMetric>, "control" | "dropped">
): MetricPower => {
  const nothing = { minimumDetectableEffect: null, unitsPerGroup: null }
  const own = moments[control]
  if (own === undefined) return nothing
  const [measured = own] = comparable([own])
  const { mean, variance } = armOf(metric.shape, measured)
  const exponent = meanExponent(metric.shape, measured)
  const open = openComparisons(comparisons, dropped)
  const counts = [control, ...open.map(({ ordinal }) => ordinal)].map((ordinal) => moments[ordinal]!.n)
  const units = Math.min(...counts.filter((n) => n > 0))
  const effect = Math.max(...open.map(({ absolute }) => Math.abs(shifted(absolute ?? 0, -exponent))))
  if (!(variance > 0 && Number.isFinite(units))) return nothing
  return {
    minimumDetectableEffect: mean === 0 ? null : Power.minimumDetectableEffect(variance, units) / Math.abs(mean),
    unitsPerGroup: effect > 0 ? countOrNull(Power.unitsPerArm(variance, effect)) : null
  }
}

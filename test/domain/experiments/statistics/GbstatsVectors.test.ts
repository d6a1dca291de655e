import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import type { Arm } from "../../../../src/domain/experiments/statistics/Arm.ts"
import { ofRatio, ofValue } from "../../../../src/domain/experiments/statistics/Arm.ts"
import type { Prior } from "../../../../src/domain/experiments/statistics/Bayesian.ts"
import * as Bayesian from "../../../../src/domain/experiments/statistics/Bayesian.ts"
import * as Cuped from "../../../../src/domain/experiments/statistics/Cuped.ts"
import type { Difference } from "../../../../src/domain/experiments/statistics/Difference.ts"
import { difference } from "../../../../src/domain/experiments/statistics/Difference.ts"
import * as Frequentist from "../../../../src/domain/experiments/statistics/Frequentist.ts"
import * as RatioCuped from "../../../../src/domain/experiments/statistics/RatioCuped.ts"
import * as Sequential from "../../../../src/domain/experiments/statistics/Sequential.ts"
import * as SequentialBound from "../../../../src/domain/experiments/statistics/SequentialBound.ts"
import type {
  CovariateSample,
  Quantity,
  RatioCovariateSample
} from "../../../../src/domain/experiments/statistics/Sufficient.ts"
import * as Sufficient from "../../../../src/domain/experiments/statistics/Sufficient.ts"
import { gap } from "../../../support/analytics/Gap.ts"
import { vectors as published } from "../../../support/Vectors.ts"

interface Statistic {
  readonly type: string
  readonly n: number
  readonly sum: number
  readonly sum_squares: number
  readonly [field: string]: number | string | Statistic | null
}

interface Case {
  readonly id: string
  readonly method: string
  readonly control: Statistic
  readonly treatment: Statistic
  readonly config: {
    readonly difference_type?: "relative" | "absolute" | "scaled"
    readonly alpha?: number
    readonly post_stratify?: boolean
    readonly test_value?: number
    readonly sequential_tuning_parameter?: number
    readonly rho?: number | null
    readonly inverse?: boolean
    readonly prior_type?: "relative" | "absolute"
    readonly prior_effect?: { readonly mean: number; readonly variance: number; readonly proper: boolean }
  } | null
  readonly expected: {
    readonly expected: number
    readonly ci: readonly [number | string, number | string]
    readonly errorMessage: string | null
    readonly pValue?: number
    readonly standardError: number
    readonly chanceToWin?: number
    readonly risk?: readonly [number, number]
    readonly theta?: number
  }
}

const failures: Readonly<Record<string, string | undefined>> = {
  ZERO_NEGATIVE_VARIANCE: "ZeroVariance",
  BASELINE_VARIATION_ZERO: "ZeroBaseline"
}

const quantity = (statistic: Statistic): Quantity =>
  statistic.type === "ProportionStatistic"
    ? Sufficient.proportion(statistic.sum)
    : Sufficient.mean(statistic.sum, statistic.sum_squares)

const part = (statistic: Statistic, name: string): Quantity => quantity(statistic[name] as Statistic)

const covariateSample = (statistic: Statistic): CovariateSample => ({
  n: statistic.n,
  value: part(statistic, "post_statistic"),
  covariate: part(statistic, "pre_statistic"),
  valueCovariate: statistic["post_pre_sum_of_products"] as number
})

const ratioSample = (statistic: Statistic) => ({
  n: statistic.n,
  numerator: part(statistic, "m_statistic"),
  denominator: part(statistic, "d_statistic"),
  numeratorDenominator: statistic["m_d_sum_of_products"] as number
})

const ratioCovariateSample = (statistic: Statistic): RatioCovariateSample => ({
  n: statistic.n,
  numerator: part(statistic, "m_statistic_post"),
  denominator: part(statistic, "d_statistic_post"),
  priorNumerator: part(statistic, "m_statistic_pre"),
  priorDenominator: part(statistic, "d_statistic_pre"),
  numeratorDenominator: statistic["m_post_d_post_sum_of_products"] as number,
  numeratorPriorNumerator: statistic["m_post_m_pre_sum_of_products"] as number,
  numeratorPriorDenominator: statistic["m_post_d_pre_sum_of_products"] as number,
  denominatorPriorNumerator: statistic["m_pre_d_post_sum_of_products"] as number,
  denominatorPriorDenominator: statistic["d_post_d_pre_sum_of_products"] as number,
  priorNumeratorPriorDenominator: statistic["m_pre_d_pre_sum_of_products"] as number
})

const arms = ({ control, treatment }: Case): readonly [Arm, Arm] => {
  switch (control.type) {
    case "RegressionAdjustedStatistic":
      return Cuped.adjust(covariateSample(control), covariateSample(treatment))
    case "RegressionAdjustedRatioStatistic":
      return RatioCuped.adjust(ratioCovariateSample(control), ratioCovariateSample(treatment))
    case "RatioStatistic":
      return [ofRatio(ratioSample(control)), ofRatio(ratioSample(treatment))]
    default:
      return [
        ofValue({ n: control.n, value: quantity(control) }),
        ofValue({ n: treatment.n, value: quantity(treatment) })
      ]
  }
}

const answers = (result: ReturnType<typeof run>): ReadonlyMap<string, number | null> => {
  const [low, high] = result.interval
  const common = [
    ["low", low],
    ["high", high]
  ] as const
  if (!("risk" in result)) return new Map([...common, ["pValue", result.pValue]])
  const { chanceToWin, risk, mean, standardDeviation } = result
  return new Map([
    ...common,
    ["chanceToWin", chanceToWin],
    ["controlRisk", risk[0]],
    ["treatmentRisk", risk[1]],
    ["estimate", mean],
    ["standardError", standardDeviation]
  ])
}

const expectations = ({ expected }: Case): ReadonlyMap<string, number | undefined> =>
  new Map([
    ["estimate", expected.expected],
    ["standardError", expected.standardError],
    ["low", Number(expected.ci[0])],
    ["high", Number(expected.ci[1])],
    ["pValue", expected.pValue],
    ["chanceToWin", expected.chanceToWin],
    ["controlRisk", expected.risk?.[0]],
    ["treatmentRisk", expected.risk?.[1]],
    ["theta", expected.theta]
  ])

const priorOf = (config: NonNullable<Case["config"]>): Prior =>
  config.prior_effect?.proper === true
    ? { kind: "normal", mean: config.prior_effect.mean, standardDeviation: Math.sqrt(config.prior_effect.variance) }
    : Bayesian.flat

const run = (method: string, measured: Difference, config: NonNullable<Case["config"]>) => {
  const alpha = config.alpha ?? 0.05
  const tuning = config.sequential_tuning_parameter ?? Sequential.defaultTuning
  const alternative = method.includes("Greater") ? "greater" : method.includes("Lesser") ? "lesser" : "different"
  if (/bayesian/i.test(method)) {
    return Bayesian.posterior(measured, priorOf(config), alpha, config.inverse === true ? "decrease" : "increase")
  }
  if (!/sequential/i.test(method)) return Frequentist.test(measured, alpha, alternative)
  return alternative === "different"
    ? Sequential.test(measured, alpha, tuning)
    : SequentialBound.test(measured, alpha, alternative, tuning)
}

/** What differs from the reference; empty when all agrees. */
const disagreements = (test: Case): ReadonlyArray<string> => {
  const config = test.config ?? {}
  const [control, treatment] = arms(test)
  const measured = difference(config.difference_type === "absolute" ? "absolute" : "relative", control, treatment)
  const failure = test.expected.errorMessage === null ? undefined : failures[test.expected.errorMessage]
  if (Either.isLeft(measured)) return measured.left === failure ? [] : [`failed with ${measured.left}`]
  const { estimate, standardError } = measured.right
  const found = new Map([
    ["theta", control.theta],
    ["estimate", estimate],
    ["standardError", standardError],
    ...answers(run(test.method, measured.right, config))
  ])
  return [...expectations(test)].flatMap(([name, expected]) => {
    const difference = expected === undefined ? null : gap(found.get(name) ?? NaN, expected)
    return difference === null ? [] : [`${name}: ${difference}`]
  })
}

/** Why a reference case does not apply here; null when it does. */
const leftOut = ({ control, config }: Case): string | null => {
  if (control.type.startsWith("Quantile")) return "there are no quantile metrics"
  if (config?.difference_type === "scaled")
    return "effects are absolute or relative, never projected to a whole population"
  if (config?.post_stratify === true) return "there is no post-stratification"
  if (config?.prior_type === "absolute" && config.prior_effect?.proper === true)
    return "priors are on the relative effect"
  if ((config?.test_value ?? 0) !== 0) return "the null hypothesis is always no effect"
  if ((config?.rho ?? null) !== null) return "rho follows from alpha and the tuning parameter"
  return null
}

describe("agreement with gbstats", () => {
  for (const name of ["gbstats-ab-tests", "gbstats-extra"]) {
    const vectors = published<{ readonly cases: ReadonlyArray<Case> }>(`${name}.json`)
    it.each(vectors.cases.filter((test) => leftOut(test) === null))(`${name} $id $method`, (test) =>
      assert.deepStrictEqual(disagreements(test), [])
    )
  }
})

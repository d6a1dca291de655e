import { Either } from "effect"
import { type Formula, type FormulaSyntaxError, metricsOf, parseFormula } from "./Formula.ts"

/** A metric computed from other metrics. */
export interface FormulaMetric {
  readonly id: string
  readonly text: string
}

export interface ParsedFormula {
  readonly id: string
  readonly formula: Formula
}

export type FormulaError =
  | (FormulaSyntaxError & { readonly metricId: string })
  | { readonly _tag: "UnknownMetric"; readonly metricId: string; readonly named: string; readonly at: number }
  /** `path` lists the ids from one formula back to itself. */
  | { readonly _tag: "FormulaCycle"; readonly metricId: string; readonly path: ReadonlyArray<string> }

const parseAll = (metrics: ReadonlyArray<FormulaMetric>): Either.Either<ReadonlyArray<ParsedFormula>, FormulaError> =>
  Either.all(
    metrics.map(({ id, text }) =>
      Either.mapBoth(parseFormula(text), {
        onLeft: (error) => ({ ...error, metricId: id }),
        onRight: (formula) => ({ id, formula })
      })
    )
  )

/**
 * Sorts formulas so that each needs only stored metrics and formulas before it. `stored` lists the ids of the metrics
 * that the event store answers.
 */
export const orderFormulas = (
  metrics: ReadonlyArray<FormulaMetric>,
  stored: ReadonlySet<string>
): Either.Either<ReadonlyArray<ParsedFormula>, FormulaError> =>
  Either.flatMap(parseAll(metrics), (parsed) => {
    const byId = new Map(parsed.map((metric) => [metric.id, metric]))
    const ordered = new Set<ParsedFormula>()
    const visit = (metric: ParsedFormula, path: ReadonlyArray<string>): FormulaError | null => {
      if (ordered.has(metric)) return null
      const { id, formula } = metric
      if (path.includes(id)) {
        return { _tag: "FormulaCycle", metricId: id, path: [...path.slice(path.indexOf(id)), id] }
      }
      for (const { id: named, at } of metricsOf(formula)) {
        const needed = byId.get(named)
        if (needed === undefined && !stored.has(named)) return { _tag: "UnknownMetric", metricId: id, named, at }
        const error = needed === undefined ? null : visit(needed, [...path, id])
        if (error !== null) return error
      }
      ordered.add(metric)
      return null
    }
    for (const metric of parsed) {
      const error = visit(metric, [])
      if (error !== null) return Either.left(error)
    }
    return Either.right([...ordered])
  })

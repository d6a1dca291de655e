import type { CohortOperator } from "./CohortDefinition.ts"

/**
 * A test of a measured number against `value`; only `between` uses both entries, inclusively. Null satisfies nothing.
 */
export const quantityTest = (
  operator: CohortOperator,
  [low, high]: readonly [low: number, high: number]
): ((measured: number | null) => boolean) => {
  const holds = relations[operator]
  return (measured) => measured !== null && holds(measured, low, high)
}

const relations: Record<CohortOperator, (measured: number, low: number, high: number) => boolean> = {
  equal: (measured, low) => measured === low,
  notEqual: (measured, low) => measured !== low,
  greaterThan: (measured, low) => measured > low,
  greaterThanOrEqual: (measured, low) => measured >= low,
  lessThan: (measured, low) => measured < low,
  lessThanOrEqual: (measured, low) => measured <= low,
  between: (measured, low, high) => low <= measured && measured <= high
}

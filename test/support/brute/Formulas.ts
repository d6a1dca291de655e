import { FastCheck as fc } from "effect"

/** A formula over the metrics A and B. */
export type Formula =
  | { readonly number: number }
  | { readonly metric: "A" | "B" }
  | { readonly operator: "+" | "-" | "*" | "/"; readonly left: Formula; readonly right: Formula }

const leaf: fc.Arbitrary<Formula> = fc.oneof(
  fc.constantFrom(0, 0.5, 2, 100).map((number) => ({ number })),
  fc.constantFrom("A" as const, "B" as const).map((metric) => ({ metric }))
)

const operation = (operand: fc.Arbitrary<Formula>): fc.Arbitrary<Formula> =>
  fc.oneof(
    leaf,
    fc.record({
      operator: fc.constantFrom("+" as const, "-" as const, "*" as const, "/" as const),
      left: operand,
      right: operand
    })
  )

export const formula = operation(operation(leaf))

export const textOf = (one: Formula): string => {
  if ("number" in one) return String(one.number)
  if ("metric" in one) return one.metric
  return `(${textOf(one.left)} ${one.operator} ${textOf(one.right)})`
}

/** Nothing can be calculated with nothing, nor divided by zero. */
export const resultOf = (one: Formula, metrics: Readonly<Record<"A" | "B", number | null>>): number | null => {
  if ("number" in one) return one.number
  if ("metric" in one) return metrics[one.metric]
  const [left, right] = [resultOf(one.left, metrics), resultOf(one.right, metrics)]
  if (left === null || right === null) return null
  switch (one.operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "/":
      return right === 0 ? null : left / right
  }
}

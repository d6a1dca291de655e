import { Either } from "effect"

/** An expression over metrics. `at` is the offset of a metric's id in the text, from 0. */
export type Formula =
  | { readonly _tag: "Number"; readonly value: number }
  | { readonly _tag: "Metric"; readonly id: string; readonly at: number }
  | { readonly _tag: "Negation"; readonly of: Formula }
  | {
      readonly _tag: "Operation"
      readonly operator: "+" | "-" | "*" | "/"
      readonly left: Formula
      readonly right: Formula
    }

/** `at` is the offset of the error in the text, from 0; if the text ends too early, its length, and `found` is null. */
export interface FormulaSyntaxError {
  readonly _tag: "FormulaSyntax"
  readonly at: number
  readonly found: string | null
  readonly expected: string
}

interface Token {
  readonly text: string
  readonly at: number
}

type Parsed = Either.Either<readonly [formula: Formula, next: number], FormulaSyntaxError>

const maxCharacters = 1000
const maxLevels = 64
const lexeme = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[-+*/()])|$)/y

const unexpected = (at: number, found: string | null, expected: string): FormulaSyntaxError => ({
  _tag: "FormulaSyntax",
  at,
  found,
  expected
})

const tokenize = (text: string): Either.Either<ReadonlyArray<Token>, FormulaSyntaxError> => {
  if (text.length > maxCharacters)
    return Either.left(unexpected(maxCharacters, null, `at most ${maxCharacters} characters`))
  const tokens: Array<Token> = []
  lexeme.lastIndex = 0
  for (let end = 0; end < text.length; end = lexeme.lastIndex) {
    lexeme.lastIndex = end
    const match = lexeme.exec(text)
    if (match === null) {
      const at = end + (text.slice(end).length - text.slice(end).trimStart().length)
      return Either.left(unexpected(at, text.charAt(at), "a metric, a number, an operator or a parenthesis"))
    }
    const token = match[1]
    if (token === undefined) break
    tokens.push({ text: token, at: lexeme.lastIndex - token.length })
  }
  return Either.right(tokens)
}

const parser = (tokens: ReadonlyArray<Token>, end: number) => {
  const missing = (index: number, expected: string): FormulaSyntaxError =>
    unexpected(tokens[index]?.at ?? end, tokens[index]?.text ?? null, expected)

  const operand = (index: number, depth: number): Parsed => {
    const token = tokens[index]
    if (token === undefined || ")*/".includes(token.text)) {
      return Either.left(missing(index, "a metric, a number, - or ("))
    }
    if (depth > maxLevels) return Either.left(missing(index, `at most ${maxLevels} nested levels`))
    if (token.text === "-" || token.text === "+") {
      return Either.map(operand(index + 1, depth + 1), ([of, next]) => [
        token.text === "-" ? { _tag: "Negation", of } : of,
        next
      ])
    }
    if (token.text === "(") {
      return Either.flatMap(sum(index + 1, depth + 1), ([inner, next]) =>
        tokens[next]?.text === ")"
          ? Either.right([inner, next + 1] as const)
          : Either.left(missing(next, "an operator or )"))
      )
    }
    return Either.right([
      /^[\d.]/.test(token.text)
        ? { _tag: "Number", value: Number(token.text) }
        : { _tag: "Metric", id: token.text, at: token.at },
      index + 1
    ])
  }

  const chain =
    (operators: ReadonlyArray<"+" | "-" | "*" | "/">, part: (index: number, depth: number) => Parsed) =>
    (start: number, depth: number): Parsed => {
      let parsed = part(start, depth)
      while (Either.isRight(parsed)) {
        const [left, index] = parsed.right
        const operator = operators.find((symbol) => symbol === tokens[index]?.text)
        if (operator === undefined) return parsed
        parsed = Either.map(part(index + 1, depth), ([right, next]) => [
          { _tag: "Operation", operator, left, right },
          next
        ])
      }
      return parsed
    }

  const product = chain(["*", "/"], operand)
  const sum = chain(["+", "-"], product)
  return { sum, missing }
}

/**
 * Parses metric ids, numbers and `+ - * / ( )` with the usual precedence. At most 1,000 characters and 64 levels of
 * nesting.
 */
export const parseFormula = (text: string): Either.Either<Formula, FormulaSyntaxError> =>
  Either.flatMap(tokenize(text), (tokens) => {
    const { sum, missing } = parser(tokens, text.length)
    return Either.flatMap(sum(0, 0), ([formula, next]) =>
      next === tokens.length ? Either.right(formula) : Either.left(missing(next, "an operator"))
    )
  })

/** NaN for what passes the range of a double: of an infinite number, too, the difference to itself is NaN. */
const finite = (value: number): number => (value - value === 0 ? value : NaN)

/** Changes `left` to the result. A loop for each operator, because a call for each place would take ten times as long. */
const operate = (operator: "+" | "-" | "*" | "/", left: Float64Array, right: Float64Array): void => {
  if (operator === "+") for (let at = 0; at < left.length; at++) left[at] = finite(left[at]! + right[at]!)
  else if (operator === "-") for (let at = 0; at < left.length; at++) left[at] = finite(left[at]! - right[at]!)
  else if (operator === "*") for (let at = 0; at < left.length; at++) left[at] = finite(left[at]! * right[at]!)
  else for (let at = 0; at < left.length; at++) left[at] = finite(left[at]! / right[at]!)
}

/** Places for which a part of a formula is evaluated at once: few enough that what lies between the parts stays in the processor's cache. */
const placesAtOnce = 512

type ValuesOf = (id: string) => Float64Array

/** Writes the formula's values from the place `from` on into `target`. `spare` has room for the right operands of each level. */
const evaluateInto = (
  target: Float64Array,
  formula: Formula,
  valuesOf: ValuesOf,
  from: number,
  spare: Array<Float64Array>,
  level: number
): void => {
  switch (formula._tag) {
    case "Number":
      target.fill(Number.isFinite(formula.value) ? formula.value : NaN)
      return
    case "Metric":
      target.set(valuesOf(formula.id).subarray(from, from + target.length))
      return
    case "Negation":
      evaluateInto(target, formula.of, valuesOf, from, spare, level)
      for (let at = 0; at < target.length; at++) target[at] = 0 - target[at]!
      return
    case "Operation": {
      const { operator, left, right } = formula
      evaluateInto(target, left, valuesOf, from, spare, level)
      // Most operands are metrics, whose values need not be copied.
      if (right._tag === "Metric")
        return operate(operator, target, valuesOf(right.id).subarray(from, from + target.length))
      const values = (spare[level] ??= new Float64Array(placesAtOnce)).subarray(0, target.length)
      evaluateInto(values, right, valuesOf, from, spare, level + 1)
      operate(operator, target, values)
    }
  }
}

/**
 * The formula's value at each of `count` places, from the values of metrics there (`valuesOf` gives `count` of them). NaN stands for no
 * value: a metric that the formula needs has none there, a divisor is 0, or the result exceeds a double. Each part of the formula is
 * evaluated for many places at once, because a query may have thousands of them; a step evaluates all of it for as many.
 */
export function* evaluateFormulaSteps(
  formula: Formula,
  valuesOf: ValuesOf,
  count: number
): Generator<undefined, Float64Array> {
  const result = new Float64Array(count)
  const spare: Array<Float64Array> = []
  for (let from = 0; from < count; from += placesAtOnce) {
    evaluateInto(result.subarray(from, from + placesAtOnce), formula, valuesOf, from, spare, 0)
    yield undefined
  }
  return result
}

interface NamedMetric {
  readonly id: string
  readonly at: number
}

const collectMetrics = (formula: Formula, found: Array<NamedMetric>): void => {
  if (formula._tag === "Metric") found.push(formula)
  else if (formula._tag === "Negation") collectMetrics(formula.of, found)
  else if (formula._tag === "Operation") {
    collectMetrics(formula.left, found)
    collectMetrics(formula.right, found)
  }
}

/** The metrics that a formula refers to, in order of appearance, each as often as it occurs. */
export const metricsOf = (formula: Formula): ReadonlyArray<NamedMetric> => {
  const found: Array<NamedMetric> = []
  collectMetrics(formula, found)
  return found
}

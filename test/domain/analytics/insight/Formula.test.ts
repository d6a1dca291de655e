import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { vi } from "vitest"
import {
  type Formula,
  evaluateFormulaSteps,
  metricsOf,
  parseFormula
} from "../../../../src/domain/analytics/insight/Formula.ts"
import { orderFormulas } from "../../../../src/domain/analytics/insight/Formulas.ts"
import { withFormulasSteps } from "../../../../src/domain/analytics/insight/Series.ts"
import { runCount } from "../../../support/Runs.ts"
import { ended } from "../../../support/Steps.ts"

const values: Readonly<Record<string, number | null>> = { A: 6, B: 2, C: 0, N: null, revenue_2: 10 }
const evaluate = (...given: Parameters<typeof evaluateFormulaSteps>) => ended(evaluateFormulaSteps(...given)).value
const valueOf = (formula: Formula): number | null => {
  const [value = NaN] = evaluate(formula, (id) => Float64Array.of(values[id] ?? NaN), 1)
  return Number.isNaN(value) ? null : value
}
const value = (text: string): number | null => valueOf(Either.getOrThrow(parseFormula(text)))

const print = (formula: Formula): string => {
  switch (formula._tag) {
    case "Number":
      return String(formula.value)
    case "Metric":
      return formula.id
    case "Negation":
      return `-(${print(formula.of)})`
    case "Operation":
      return `(${print(formula.left)} ${formula.operator} ${print(formula.right)})`
  }
}

const formulas = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.nat(9).map((one): Formula => ({ _tag: "Number", value: one })),
    fc.constantFrom("A", "B", "C", "N").map((id): Formula => ({ _tag: "Metric", id, at: 0 })),
    tie("formula").map((of): Formula => ({ _tag: "Negation", of })),
    fc
      .tuple(fc.constantFrom<Array<"+" | "-" | "*" | "/">>("+", "-", "*", "/"), tie("formula"), tie("formula"))
      .map(([operator, left, right]): Formula => ({ _tag: "Operation", operator, left, right }))
  )
})).formula

describe("a formula", () => {
  it.for<readonly [string, number | null]>([
    ["A", 6],
    [" A + B * 2 ", 10],
    ["(A + B) * 2", 16],
    ["A - B - 1", 3],
    ["A / B / 3", 1],
    ["-A + 7", 1],
    ["2 * -(B - A)", 8],
    ["1.5e1 * .5", 7.5],
    ["revenue_2 / A * 100 - 0", (10 / 6) * 100],
    ["A / C", null],
    ["C / C", null],
    ["A + N", null],
    ["1e308 * 10", null],
    ["1e999", null]
  ])("%s is %s", ([text, expected]) => {
    assert.strictEqual(value(text), expected)
  })

  it.for<readonly [string, number, string | null]>([
    ["", 0, null],
    ["A +", 3, null],
    ["A B", 2, "B"],
    ["A + * B", 4, "*"],
    ["(A + B", 6, null],
    ["A)", 1, ")"],
    ["A + #", 4, "#"],
    ["A; process.exit()", 1, ";"],
    ["2A", 1, "A"],
    ["A ** B", 3, "*"],
    ["()", 1, ")"]
  ])("%s is wrong at %s", ([text, at, found]) => {
    const error = Either.getOrThrow(Either.flip(parseFormula(text)))
    assert.deepEqual([error.at, error.found], [at, found])
    assert.isNotEmpty(error.expected)
  })

  it("is refused when it is nested too deep or too long", () => {
    assert.isTrue(Either.isLeft(parseFormula(`${"(".repeat(100)}A${")".repeat(100)}`)))
    assert.isTrue(Either.isLeft(parseFormula("-".repeat(500) + "A")))
    assert.isTrue(Either.isLeft(parseFormula("A+".repeat(600) + "A")))
    assert.isTrue(Either.isRight(parseFormula("A+".repeat(499) + "A")))
  })

  it.prop(
    "reads back as it was written",
    [formulas],
    ([formula]) => {
      const text = print(formula)
      fc.pre(text.length <= 1000)
      const parsed = parseFormula(text)
      fc.pre(Either.isRight(parsed))
      assert.strictEqual(valueOf(Either.getOrThrow(parsed)), valueOf(formula))
    },
    { fastCheck: { numRuns: runCount(2000) } }
  )

  it.prop(
    "of any text is read or refused inside the text, never thrown",
    [fc.oneof(fc.string(), fc.stringMatching(/^[AB0-9.+\-*/() ]{0,20}$/))],
    ([text]) => {
      const parsed = parseFormula(text)
      if (Either.isLeft(parsed)) assert.isTrue(parsed.left.at >= 0 && parsed.left.at <= text.length)
      else valueOf(parsed.right)
    },
    { fastCheck: { numRuns: runCount(2000) } }
  )
})

describe("formulas of formulas", () => {
  const stored = new Set(["A", "B"])
  const error = (...metrics: ReadonlyArray<readonly [string, string]>) =>
    Either.getOrThrow(
      Either.flip(
        orderFormulas(
          metrics.map(([id, text]) => ({ id, text })),
          stored
        )
      )
    )

  it("are ordered by need", () => {
    const ordered = orderFormulas(
      [
        { id: "D", text: "C * 2" },
        { id: "C", text: "A + B" }
      ],
      stored
    )
    assert.deepEqual(
      Either.getOrThrow(ordered).map(({ id }) => id),
      ["C", "D"]
    )
  })

  it("are refused when they need themselves, each other or nothing known", () => {
    assert.deepEqual(error(["C", "C + 1"]), { _tag: "FormulaCycle", metricId: "C", path: ["C", "C"] })
    assert.deepEqual(error(["X", "C"], ["C", "D"], ["D", "A + C"]), {
      _tag: "FormulaCycle",
      metricId: "C",
      path: ["C", "D", "C"]
    })
    assert.deepEqual(error(["C", "A + Z"]), { _tag: "UnknownMetric", metricId: "C", named: "Z", at: 4 })
    assert.strictEqual(error(["C", "A +"]).metricId, "C")
  })

  it("are computed per bucket, and for the aggregate from the aggregates", () => {
    const metrics = new Map([
      ["A", { values: [1, 2, null], aggregate: 30 }],
      ["B", { values: [2, 0, 4], aggregate: 10 }]
    ])
    const ordered = Either.getOrThrow(
      orderFormulas(
        [
          { id: "C", text: "A / B" },
          { id: "D", text: "C + 1" }
        ],
        stored
      )
    )
    const other = new Map([
      ["A", { values: [3, 6], aggregate: 9 }],
      ["B", { values: [1, 2, 3], aggregate: 6 }]
    ])
    const [all, some] = ended(withFormulasSteps([metrics, other], ordered, 3)).value
    assert.deepEqual(all?.get("C"), { values: [0.5, null, null], aggregate: 3 })
    assert.deepEqual(all?.get("D"), { values: [1.5, null, null], aggregate: 4 })
    assert.deepEqual(some?.get("C"), { values: [3, 3, null], aggregate: 1.5 })
    assert.deepEqual(some?.get("A"), other.get("A"))
  })

  it("is evaluated for thousands of places as for each of them", () => {
    const formula = Either.getOrThrow(parseFormula("(A - B * (2 - -A / (B + 1))) / (A - 700) + 1e308 * A"))
    const columns: Readonly<Record<string, Float64Array>> = {
      A: Float64Array.from({ length: 1300 }, (_, at) => at),
      B: Float64Array.from({ length: 1300 }, (_, at) => (at % 7 === 0 ? NaN : at % 11))
    }
    const found = evaluate(formula, (id) => columns[id] ?? new Float64Array(1300), 1300)
    for (const [at, value] of found.entries()) {
      const [alone] = evaluate(formula, (id) => Float64Array.of(columns[id]?.[at] ?? NaN), 1)
      assert.isTrue(Object.is(value, alone), `${at}: ${value} and ${alone}`)
    }
  })

  it("tells its metrics without copying those of each part", () => {
    const formula = Either.getOrThrow(parseFormula(`A${"+B".repeat(480)}`))
    const copied = vi.spyOn(Array.prototype, Symbol.iterator)
    const count = metricsOf(formula).length
    const copies = copied.mock.calls.length
    copied.mockRestore()
    assert.deepStrictEqual([count, copies], [481, 0])
  })
})

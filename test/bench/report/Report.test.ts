import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { agrees } from "../Agreement.ts"
import { benchmarks } from "./Benchmarks.ts"
import { document, mustHoldTable, quoted, withQuotes } from "./Document.ts"
import { held, mustHold } from "./MustHold.ts"
import { exponentBetween, exponents, fittedExponent, geometric, median, quantile, ratios, shown } from "./Numbers.ts"
import { gathered, type Measured, type Results } from "./Results.ts"
import { aimText, atLeast, atMost, below, isMet, metText, type Row, row, spreadText, valueText } from "./Row.ts"

const root = join(import.meta.dirname, "../../..")

const measured = (rows: ReadonlyArray<Row>, more: Partial<Measured> = {}): Measured => ({
  rows,
  details: [],
  failure: null,
  day: "2026-03-04",
  seconds: 90,
  events: 10_000_000,
  rounds: 3,
  load: 0.25,
  commit: "abc1234",
  ...more
})

const results: Results = {
  machine: [["processor", "Some processor"]],
  benches: {
    http: measured([held("http.ingest", [0.5, 0.9, 0.7], { note: "70/s and 100/s" })]),
    questions: measured(
      [
        held("questions.sorted.mean", [11, 12], { value: 11.5 }),
        held("questions.clickHouse.mean", [9]),
        row("questions.different", { what: "Questions that differ", aim: atMost(0) }, [0])
      ],
      { details: [{ title: "Each question", heads: ["question", "ours"], lines: [["count", "1.2 ms"]] }] }
    ),
    start: measured([], { failure: "cut off after 5 minutes", load: 12 })
  }
}

const lineOf = (text: string, part: string): string => text.split("\n").find((line) => line.includes(part)) ?? ""

describe("figures of benchmarks", () => {
  it("are medians, geometric means and shares", () => {
    assert.strictEqual(median([3, 1, 2]), 2)
    assert.strictEqual(median([4, 1, 2, 3]), 3)
    assert.isNaN(median([]))
    assert.approximately(geometric([0.5, 2]), 1, 1e-12)
    assert.strictEqual(quantile([5, 1, 4, 2, 3], 0.99), 5)
    assert.strictEqual(quantile([5, 1, 4, 2, 3], 0.5), 3)
    assert.deepStrictEqual(ratios([1, 6], [2, 3]), [0.5, 2])
  })

  it("have as many digits as they are good for", () => {
    const cases: ReadonlyArray<readonly [number, string]> = [
      [1234.5, "1,235"],
      [10_000_000, "10,000,000"],
      [12.34, "12.3"],
      [1.004, "1.00"],
      [0.071, "0.07"],
      [3, "3"],
      [-2.5, "-2.50"],
      [Number.NaN, "—"],
      [Infinity, "—"]
    ]
    for (const [value, text] of cases) assert.strictEqual(shown(value), text)
  })

  it("grow with exponents between sizes, and with the one that fits all of them", () => {
    const grown = (cost: (size: number) => number) => [1e6, 1e7, 3e7, 1e8].map((size) => ({ size, cost: cost(size) }))
    for (const exponent of exponents(grown((size) => 3 * size))) assert.approximately(exponent, 1, 1e-9)
    assert.approximately(fittedExponent(grown((size) => 7 * size ** 0.5)), 0.5, 1e-9)
    assert.approximately(fittedExponent(grown(() => 12)), 0, 1e-9)
    assert.approximately(exponentBetween({ size: 1, cost: 1 }, { size: 10, cost: 100 }), 2, 1e-9)
    assert.strictEqual(exponents(grown((size) => size)).length, 3)
    assert.deepStrictEqual(exponents([{ size: 1, cost: 1 }]), [])
  })
})

describe("answers of two engines", () => {
  const cases: ReadonlyArray<
    readonly [what: string, ours: Array<number>, rows: Array<Array<number>>, isEqual: boolean]
  > = [
    [
      "the columns after the first",
      [1, 2, 10, 20],
      [
        [7, 1, 10],
        [8, 2, 20]
      ],
      true
    ],
    [
      "another number in one place, the same sum",
      [2, 1, 10, 20],
      [
        [7, 1, 10],
        [8, 2, 20]
      ],
      false
    ],
    ["one row", [5, 3, 1], [[5, 3, 1]], true],
    [
      "a sum",
      [6],
      [
        [0, 1, 2],
        [0, 2, 4]
      ],
      true
    ],
    ["another sum", [5], [[1, 3, 3]], false],
    ["the number of rows", [2], [[Number.NaN], [Number.NaN]], true],
    [
      "nothing and no value",
      [0, 4],
      [
        [1, Number.NaN],
        [2, 4]
      ],
      true
    ]
  ]
  for (const [what, ours, rows, isEqual] of cases)
    it(`agree or differ: ${what}`, () => assert.strictEqual(agrees(ours, rows), isEqual))
})

describe("rows of the report", () => {
  it("say whether their aim is met, and nothing where there is none", () => {
    const cases: ReadonlyArray<readonly [Row, string, string]> = [
      [row("a", { what: "A", aim: atLeast(1) }, [1]), "≥ 1", "yes"],
      [row("a", { what: "A", aim: atMost(1) }, [1]), "≤ 1", "yes"],
      [row("a", { what: "A", aim: below(1), unit: "s" }, [1]), "< 1 s", "**no**"],
      [row("a", { what: "A", aim: atMost(5) }, [Infinity]), "≤ 5", "**no**"],
      [row("a", { what: "A" }, [1]), "", ""]
    ]
    for (const [each, aim, met] of cases) assert.deepStrictEqual([aimText(each), metText(each)], [aim, met])
    assert.isNull(isMet(row("a", { what: "A" }, [1])))
  })

  it("show the median and the spread of their rounds", () => {
    const each = row("a", { what: "A", unit: "ms" }, [3, 1.25, 2])
    assert.deepStrictEqual([valueText(each), spreadText(each)], ["2 ms", "1.25 to 3, 3"])
    assert.strictEqual(spreadText(row("a", { what: "A" }, [3])), "one")
  })

  it("are gathered from lines of JSON; what is not a number misses its aim", () => {
    const [first, second] = [row("a", { what: "A" }, [1]), row("a", { what: "A", aim: atMost(5) }, [Infinity])]
    const text = [first, second].map((each) => `${JSON.stringify({ rows: [each], details: [] })}\n`).join("")
    const { rows } = gathered(text)
    assert.strictEqual(rows.length, 1)
    assert.deepStrictEqual(rows.map(metText), ["**no**"])
  })
})

describe("docs/benchmarks.md", () => {
  const page = document(results)

  it("has a line for everything that must hold, measured or not", () => {
    const lines = mustHoldTable(results).split("\n")
    assert.strictEqual(lines.length, Object.keys(mustHold).length + 2)
    assert.match(
      lineOf(page, mustHold["http.ingest"].what),
      /\| 0\.70 +\| ≥ 0\.80 +\| \*\*no\*\* +\| 0\.50 to 0\.90, 3 +\| 70\/s and 100\/s +\|$/
    )
    assert.match(lineOf(page, mustHold["bytes.past"].what), /\| not measured +\| ≤ 18 bytes +\| +\| +\| +\|$/)
  })

  it("has the other figures, the details, the machine and what became of each benchmark", () => {
    assert.match(lineOf(page, "Questions that differ"), /\| 0 +\| ≤ 0 +\| yes +\| one +\| +\|$/)
    assert.match(page, /### Each question\n\n\| question \| ours {3}\|\n/)
    assert.match(lineOf(page, "| processor"), /Some processor/)
    assert.match(
      lineOf(page, "| start "),
      /\| cut off after 5 minutes \| 2026-03-04 \| 10,000,000 +\| 3 +\| 1\.50 +\| 12\.0/
    )
  })

  it("is quoted by the README in three lines, between two comments that are there", () => {
    assert.strictEqual(quoted(results).length, 3)
    assert.match(quoted(results).join("\n"), /^- 11\.5 × as fast as DuckDB .* 10,000,000 markers/)
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const written = withQuotes(readme, results)
    for (const line of quoted(results)) assert.include(written, `\n${line}\n`)
    assert.strictEqual(withQuotes(written, results), written)
    assert.strictEqual(withQuotes("no comments", results), "no comments")
    assert.strictEqual(withQuotes(readme, { machine: [], benches: {} }), readme)
  })
})

describe("the benchmarks", () => {
  it("each have a script that is there and a name of their own", () => {
    assert.strictEqual(new Set(benchmarks.map(({ name }) => name)).size, benchmarks.length)
    for (const { script } of benchmarks) assert.isNotEmpty(readFileSync(join(root, "test/bench", script), "utf8"))
  })
})

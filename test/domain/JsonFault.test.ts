import { FastCheck } from "effect"
import { expect, test } from "vitest"
import { jsonFaultOf, jsonFaultSteps } from "../../src/domain/JsonFault.ts"
import { runCount } from "../support/Runs.ts"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const pieces = FastCheck.constantFrom(
  ..."[]{}:,\"\\ \n\t'/-+.eE0123".split(""),
  ...["null", "true", "false", "tru", '"a"', '"a":', "\\u00e9", "\\u00", "\u0001", "1.5e3", "é", "“"]
)
const broken = FastCheck.oneof(
  FastCheck.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
  FastCheck.tuple(FastCheck.json(), FastCheck.nat(), pieces).map(([json, at, piece]) => {
    const place = at % (json.length + 1)
    return json.slice(0, place) + piece + json.slice(place + 1)
  })
)

test("finds a fault exactly where JSON.parse does", () =>
  FastCheck.assert(
    FastCheck.property(FastCheck.oneof(FastCheck.json(), broken), (text) => {
      expect(jsonFaultOf(text) === null).toBe(isJson(text))
    }),
    { numRuns: runCount(2000) }
  ))

test("places it behind the longest beginning that may still become JSON", () =>
  FastCheck.assert(
    FastCheck.property(broken, (text) => {
      const fault = jsonFaultOf(text)
      if (fault === null) return
      const before = text.slice(0, fault.at)
      const early = jsonFaultOf(before)
      expect(early === null || (early.at === before.length && early.found === "the end")).toBe(true)
      const lines = before.split("\n")
      expect([fault.line, fault.column]).toEqual([lines.length, (lines.at(-1) ?? "").length + 1])
    }),
    { numRuns: runCount(1000) }
  ))

test.each([
  ["", 1, 1, "a value", "the end"],
  ["\uFEFF{}", 1, 1, "a value", "a byte order mark"],
  ['{"a":1,}', 1, 8, "a name in double quotes", "}"],
  ["{'a':1}", 1, 2, "a name in double quotes or }", "'"],
  ['{"a":1\n "b":2}', 2, 2, "a comma or }", '"'],
  ["[1,2", 1, 5, "a comma or ]", "the end"],
  ["[1] x", 1, 5, "nothing more", "x"],
  ['{"a" 1}', 1, 6, "a colon", "1"],
  ["[tru]", 1, 5, "true", "]"],
  ["[01]", 1, 3, "a comma or ]", "1"],
  ["[1.]", 1, 4, "a digit", "]"],
  ['["a\nb"]', 1, 4, "the closing quote, or an escape such as \\n", "the end of the line"],
  ['["\\x"]', 1, 4, 'one of " \\ / b f n r t u', "x"],
  ["[“a”]", 1, 2, "a value or ]", "U+201C"]
])("says what is wrong with %j", (text, line, column, expected, found) => {
  expect(jsonFaultOf(text)).toMatchObject({ line, column, expected, found })
})

test("reads a mebibyte in one pass, in steps, however deep it is nested", () => {
  for (const text of ["[".repeat(1_048_576), `["${"a".repeat(1_048_576)}`, `[${"1,\n".repeat(349_525)}`]) {
    const steps = jsonFaultSteps(text)
    let count = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) count++
    expect(step.value).toMatchObject({ at: text.length, found: "the end" })
    expect(count).toBeLessThanOrEqual(17)
  }
})

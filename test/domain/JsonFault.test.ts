import { FastCheck } from "effect"
import { describe, expect, test } from "vitest"
import { jsonFault } from "../../src/domain/JsonFault.ts"
import { runCount } from "../support/Runs.ts"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Characters that JSON is made of, so that many texts nearly are JSON. */
const scraps = FastCheck.constantFrom(
  ...'[]{}:,"\\-+.eE01 \n\t\ru/a\u0001é',
  '"a":',
  "true",
  "null",
  "-0.5e-7",
  "\\u00e9"
)

describe("the place where a text stops being JSON", () => {
  test.each([
    ["{", 1, 2, "a name in double quotes or }"],
    ['{"a": 1,}', 1, 9, "a name in double quotes"],
    ['{\n  "name": "Shop"\n  "price": 1\n}', 3, 3, "a comma or }"],
    ["{'a': 1}", 1, 2, "a name in double quotes or }"],
    ['{"a" 1}', 1, 6, "a colon"],
    ["[1, 2", 1, 6, "a comma or ]"],
    ["[1,]", 1, 4, "a value"],
    ["[,]", 1, 2, "a value or ]"],
    ['{"a": tru}', 1, 7, "a value"],
    ['{"a": 01}', 1, 7, "a value"],
    ['{"a": "open\n"}', 1, 7, "a value"],
    ["{} {}", 1, 4, "nothing more"],
    ["", 1, 1, "a value"]
  ])("%j", (text, line, column, expected) => {
    expect(jsonFault(text)).toEqual({ line, column, expected })
  })

  test("is in every text that is no JSON, and in no other", () => {
    const texts = FastCheck.oneof(
      FastCheck.json(),
      FastCheck.array(scraps, { maxLength: 12 }).map((parts) => parts.join("")),
      FastCheck.tuple(FastCheck.json(), FastCheck.nat(), scraps).map(
        ([json, at, scrap]) => json.slice(0, at % (json.length + 1)) + scrap + json.slice((at % (json.length + 1)) + 1)
      )
    )
    FastCheck.assert(
      FastCheck.property(texts, (text) => {
        expect(jsonFault(text) === null).toBe(isJson(text))
      }),
      { numRuns: runCount(3000) }
    )
  })
})

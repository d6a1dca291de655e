import { runCount } from "../support/Runs.ts"
import { Either, FastCheck } from "effect"
import { describe, expect, test } from "vitest"
import { deepestJson, jsonSteps } from "../../src/domain/JsonSteps.ts"

const run = (json: string, stepLength: number) => {
  const steps = jsonSteps(json, stepLength)
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done === true) return { count, result: step.value }
  }
}

/** What JSON.parse makes of a text, its fields in their order. */
const expected = (json: string) => {
  try {
    return { written: JSON.stringify(JSON.parse(json)) }
  } catch {
    return "broken"
  }
}

const outcome = (json: string, stepLength: number) =>
  Either.match(run(json, stepLength).result, {
    onLeft: (fault): unknown => fault,
    onRight: (value) => ({ written: JSON.stringify(value) })
  })

const values = FastCheck.letrec((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 5, depthSize: "medium" },
    FastCheck.string(),
    FastCheck.integer(),
    FastCheck.constantFrom(null, true, -0.5e-7, "\\", '"', "a\\", "[,{", "\u2028"),
    FastCheck.array(tie("value"), { maxLength: 8 }),
    FastCheck.dictionary(
      FastCheck.oneof(
        FastCheck.string({ maxLength: 3 }),
        FastCheck.constantFrom("__proto__", "10", "2", "constructor")
      ),
      tie("value"),
      { maxKeys: 8, noNullPrototype: true }
    )
  )
}))

const indents = FastCheck.constantFrom(0, 1, "\t")
const pieces = FastCheck.constantFrom(
  "",
  ",",
  "[",
  "]",
  "{",
  "}",
  ":",
  '"',
  "\\",
  "1",
  " ",
  "null",
  "[]",
  "{}",
  '"a":1'
)

describe("JSON parsed in steps", () => {
  test("is what JSON.parse makes of it, however short the steps are", () => {
    FastCheck.assert(
      FastCheck.property(values.value, indents, FastCheck.integer({ min: 1, max: 40 }), (value, indent, stepLength) => {
        const json = JSON.stringify(value, null, indent)
        expect(outcome(json, stepLength)).toEqual(expected(json))
      }),
      { numRuns: runCount(1500) }
    )
  })

  test("is refused where JSON.parse refuses it", () => {
    FastCheck.assert(
      FastCheck.property(
        values.value,
        FastCheck.nat(),
        FastCheck.nat({ max: 3 }),
        pieces,
        FastCheck.integer({ min: 1, max: 20 }),
        (value, place, removed, piece, stepLength) => {
          const json = JSON.stringify(value)
          const at = place % (json.length + 1)
          const spoilt = json.slice(0, at) + piece + json.slice(at + removed)
          expect(outcome(spoilt, stepLength)).toEqual(expected(spoilt))
        }
      ),
      { numRuns: runCount(4000) }
    )
  })

  test.each([
    ["a list in a list without a comma", "[[1,2,3][4]]"],
    ["an empty element", "[[1,2,3],,4]"],
    ["an element after a list", "[[1,2,3] 4]"],
    ["a value before a list", '{"a":1[1,2,3]}'],
    ["a comma at the end", "[[1,2,3],]"],
    ["another kind of end", "[[1,2,3}]"],
    ["no end", "[[1,2,3]"],
    ["something after the end", "[[1,2,3]]]"],
    ["something before the beginning", "1[1,2,3]"],
    ["a name without a colon", '{"a"[1,2,3]}']
  ])("is refused: %s", (_, json) => {
    expect(outcome(json, 1)).toBe("broken")
  })

  test("takes the last of fields with the same name, and a field __proto__ as any other", () => {
    const json = '{"a":[1,2],"__proto__":[3,4],"b":1,"a":{"c":5,"d":6}}'
    const { result } = run(json, 1)
    expect(Either.getOrThrow(result)).toEqual(JSON.parse(json))
    expect(outcome(json, 1)).toEqual(expected(json))
  })

  test("E8: names that no other object has are parsed in many steps, wherever they stand", () => {
    const markers = Array.from({ length: 200 }, (_, at) =>
      Object.fromEntries(Array.from({ length: 60 }, (__, name) => [`n${at}_${name}`, name]))
    )
    const json = JSON.stringify({ markers })
    const bodies = [json, `${"[".repeat(500)}${json}${"]".repeat(500)}`, `{"x":[1,${json}],"y":2}`, json.slice(0, -1)]
    for (const body of bodies) expect(run(body, 4096).count).toBeGreaterThan(body.length / 4096 / 2)
  })

  test("nests no deeper than the limit", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
    expect(outcome(nested(deepestJson), 16)).toEqual(expected(nested(deepestJson)))
    expect(outcome(nested(deepestJson + 1), 16)).toBe("deep")
    expect(outcome(`${nested(deepestJson + 1)} `, 16)).toBe("deep")
    for (const broken of [nested(2000).slice(1), nested(2000).slice(0, -1), `${nested(2000)}]`]) {
      expect(outcome(broken, 16)).toBe("broken")
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { surveyOf, surveySteps } from "../../../src/http/platform/Flaws.ts"
import { runCount } from "../../support/Runs.ts"
import { ended } from "../../support/Steps.ts"

const runs = { numRuns: runCount(1_000) }

/** The rules without any haste. */
const simpleSurvey = (json: string) => {
  let [depth, deepest, fields, separators] = [0, 0, 0, 0]
  const outside = json.replaceAll(/"(?:[^"\\]|\\.)*"?/gs, "_")
  for (const each of outside) {
    if (each === "[" || each === "{") deepest = Math.max(deepest, ++depth)
    else if (each === "]" || each === "}") depth--
    else if (each === ":" || each === ",") {
      separators++
      if (each === ":" && depth === 1) fields++
    }
  }
  const isEscaped = /"(?:[^"\\]|\\.)*?\\u/s.test(json)
  return {
    excess: fields > 1000 ? "fields" : separators > 200_000 ? "values" : undefined,
    maySpoil: deepest > 100 || isEscaped || json.includes("__proto__")
  }
}

describe("what the bytes of a body tell before it is parsed", () => {
  it("is the same for short and long texts, whole and in steps", () => {
    const text = FastCheck.oneof(
      FastCheck.string(),
      FastCheck.constantFrom("\u0000", "\\", '"', "__proto__", "é"),
      FastCheck.nat({ max: 300 }).map((length) => "x".repeat(length)),
      FastCheck.nat({ max: 300 }).map((length) => `${"{,".repeat(length)}"`)
    )
    const value = FastCheck.array(FastCheck.oneof(text, FastCheck.dictionary(text, text), FastCheck.integer()))
    FastCheck.assert(
      FastCheck.property(value, FastCheck.nat({ max: 130 }), (each, levels) => {
        const json = `${"[".repeat(levels)}${JSON.stringify(each)}${"]".repeat(levels)}`
        const bytes = Buffer.from(json)
        const found = simpleSurvey(json)
        assert.deepStrictEqual(surveyOf(bytes), { ...found, excess: undefined })
        assert.deepStrictEqual(ended(surveySteps(bytes)).value, surveyOf(bytes))
      }),
      runs
    )
  })

  const commas = "k: v, ".repeat(1_100)
  const cases: ReadonlyArray<readonly [string, string, ReturnType<typeof surveyOf>]> = [
    [
      "a quote within a text after an escaped letter",
      `{"a":"caf\\u00e9","b":"he said \\"${commas}\\""}`,
      { excess: undefined, maySpoil: true }
    ],
    [
      "a quote within a text after __proto__",
      `{"__proto__":1,"b":"\\"${commas}\\""}`,
      { excess: undefined, maySpoil: true }
    ],
    [
      "too many values after both",
      `{"n":"\\u0061\\"","v":[${"1,".repeat(250_000)}1]}`,
      { excess: "values", maySpoil: true }
    ],
    ["a backslash at the end of a text", `{"a":"\\u0061\\\\","b":"${commas}"}`, { excess: undefined, maySpoil: true }]
  ]
  it.each(cases)("%s", (_, json, expected) => {
    JSON.parse(json)
    assert.deepStrictEqual(surveyOf(Buffer.from(json)), expected)
    assert.deepStrictEqual(ended(surveySteps(Buffer.from(json))).value, expected)
  })

  it("counts across the ends of steps", () => {
    const long = JSON.stringify({ a: "y".repeat(300_000), b: Array.from({ length: 210_000 }, () => 1), c: "\n" })
    const steps = ended(surveySteps(Buffer.from(long)))
    assert.deepStrictEqual(steps.value, { excess: "values", maySpoil: false })
    assert.isAtLeast(steps.count, Math.floor(long.length / (128 * 1024)))
    assert.deepStrictEqual(surveyOf(Buffer.from(long)), { excess: "values", maySpoil: false })
  })
})

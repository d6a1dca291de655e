import { assert, describe, it } from "@effect/vitest"
import { insightBody, questionWords } from "../../src/web/insights/Ask.ts"
import { questionCodec, withFormulas, withoutFormula, withoutMetric } from "../../src/web/insights/Question.ts"
import { readable } from "../../src/web/url/Codec.ts"

describe("filters of one metric", () => {
  it("are named by its letter, and asked beside those of the question", () => {
    const address =
      "?m=Login:uniqueUsers&m=Login:totalEvents&fB=property:platform:is:ios|android&fB=argument:level:greaterThan:3&matchB=any&f=property:country:is:DE"
    const asked = questionCodec.read(new URLSearchParams(address))
    assert.strictEqual(readable(questionCodec.write(asked)), address)
    assert.strictEqual(
      questionWords(asked),
      "Players with Login and number of Login (platform is ios or android or level > 3), where country is DE, last 30 days"
    )
    const country = { source: "property" as const, name: "country", operator: "is" as const, value: "DE" }
    const body = insightBody(asked, "UTC")
    assert.deepStrictEqual(body?.filters, [country])
    assert.deepStrictEqual(
      body?.metrics.map(({ data }) => data),
      [
        { type: "uniqueUsers", name: "Login" },
        {
          type: "totalEvents",
          name: "Login",
          filters: [
            { source: "property", name: "platform", operator: "is", value: ["ios", "android"] },
            { source: "argument", name: "level", operator: "greaterThan", value: 3 }
          ],
          match: "any"
        }
      ]
    )
  })

  it("are left out with it", () => {
    const address = "m=:uniqueUsers&fA=property:country:is:DE&m=Login:uniqueUsers&fB=property:platform:is:ios"
    const [only, ...others] = questionCodec.read(new URLSearchParams(address)).metrics
    assert.deepStrictEqual(
      only?.filters.map(({ name }) => name),
      ["platform"]
    )
    assert.deepStrictEqual(others, [])
  })
})

describe("a metric that is removed", () => {
  const address = (question: string, change: (asked: ReturnType<typeof questionCodec.read>) => object) => {
    const asked = questionCodec.read(new URLSearchParams(question))
    return readable(questionCodec.write({ ...asked, ...change(asked) }))
  }

  it("takes along the formulas that count with it, and those of the others mean what they meant", () => {
    const asked = "?m=Login:totalEvents&m=Match:totalEvents&m=Purchase:totalEvents&fx=B-C*2e5&fx=A-B&fxn=Share&fxn="
    const without = (index: number) => address(asked, (question) => withoutMetric(question, index))
    assert.strictEqual(without(0), "?m=Match:totalEvents&m=Purchase:totalEvents&fx=A-B*2e5&fxn=Share")
    assert.strictEqual(without(2), "?m=Login:totalEvents&m=Match:totalEvents&fx=A-B")
    assert.strictEqual(without(1), "?m=Login:totalEvents&m=Purchase:totalEvents")
  })

  it("leaves hidden what was, whatever letter it has now", () => {
    const asked = "?m=Login:totalEvents&m=Match:totalEvents&m=Purchase:totalEvents&fx=A*2&fx=C*2&hide=A|B+ios|formula_2"
    const without = (index: number) => address(asked, (question) => withoutMetric(question, index))
    assert.match(without(0), /&fx=B\*2&hide=A[+ ]ios\|formula_1$/)
    assert.match(without(1), /&fx=A\*2&fx=B\*2&hide=A\|formula_2$/)
    assert.match(
      address(asked, (question) => withoutFormula(question, 0)),
      /&fx=C\*2&hide=A\|B[+ ]ios\|formula_1$/
    )
  })

  it("leaves no other to formulas alone where none is left", () => {
    const asked = "?m=Login:totalEvents&m=Match:totalEvents&fx=A-B&off=B"
    assert.strictEqual(
      address(asked, (question) => withoutMetric(question, 0)),
      "?m=Match:totalEvents"
    )
    assert.strictEqual(
      address(asked, ({ metrics }) => withFormulas(metrics, [])),
      "?m=Login:totalEvents&m=Match:totalEvents"
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { insightBody, questionWords } from "../../src/web/insights/Ask.ts"
import { questionCodec } from "../../src/web/insights/Question.ts"
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

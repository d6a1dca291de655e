import { assert, describe, it } from "@effect/vitest"
import { problemCodes } from "../../src/domain/operations/StoreProblem.ts"
import { problemWords } from "../../src/web/shell/ServerWords.ts"

describe.each(problemCodes)("the problem %s of a server", (code) => {
  it("is told by what it means for the store that has it, and by what helps", () => {
    const stores = [null, "metadata", "log", "events"] as const
    for (const { title, advice } of stores.map((store) => problemWords({ code, store }))) {
      assert.match(title, /^[A-Z].*\.$/)
      assert.match(advice, /^[A-Z].*\.$/)
      assert.notInclude(title + advice, "sqlite")
    }
  })
})

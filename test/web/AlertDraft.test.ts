import { assert, describe, it } from "@effect/vitest"
import { limitShown, watchOf } from "../../src/web/alerts/AlertDraft.ts"

describe("the limit of an alert", () => {
  it("of a share is shown as the percent that was typed, and saved as it was", () => {
    for (let percent = 0; percent <= 1000; percent++) {
      const form = new FormData()
      form.set("above", String(percent / 10))
      const watch = watchOf(form, { kind: "funnelStep", condition: "threshold", queryId: "q" })
      const above = "condition" in watch && watch.condition.kind === "threshold" ? watch.condition.above : null
      assert.strictEqual(limitShown(above, 100), percent / 10)
    }
  })

  it.each([
    [null, ""],
    [undefined, ""],
    [0, 0],
    [-1.5, -1.5],
    [123_456_789, 123_456_789]
  ] as const)("of %j is shown as %j", (limit, shown) => assert.strictEqual(limitShown(limit, 1), shown))
})

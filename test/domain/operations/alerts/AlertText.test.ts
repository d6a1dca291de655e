import { assert, describe, it } from "@effect/vitest"
import { shareInterval } from "../../../../src/domain/operations/alerts/AlertJudgement.ts"
import { lookText } from "../../../../src/domain/operations/alerts/AlertText.ts"

const condition = {
  kind: "change",
  direction: "either",
  percent: 20,
  weeks: 4,
  minimumSample: 10,
  falseOnceInWeeks: 13
} as const
const window = { from: Date.UTC(2026, 10, 22), step: "day", zone: "UTC", variation: "share" } as const

const said = (value: number, expected: number) =>
  lookText({ verdict: "fine", value, expected, low: 0, high: 0.5, of: 40 }, window, condition)

describe("the interval of a share", () => {
  it("is one of shares, also of none and of all", () => {
    for (let of = 1; of <= 500; of++) {
      const [none, all] = [shareInterval(0, of, 0.0002), shareInterval(1, of, 0.0002)]
      assert.isTrue(none[0] >= 0 && none[0] < 1e-12 && none[1] > 0 && none[1] < 1)
      assert.isTrue(all[1] <= 1 && all[1] > 1 - 1e-12 && all[0] > 0 && all[0] < 1)
    }
  })
})

describe("what an alert says", () => {
  it.each([
    [0.1, 0.2, "10 % of 40, 50 % below the 20 % that the last 4 weeks let expect"],
    [0.3, 0.2, "30 % of 40, 50 % above the 20 % that the last 4 weeks let expect"],
    [0, 0, "0 % of 40, as much as the 0 % that the last 4 weeks let expect"],
    [0.1, 0, "10 % of 40, above the 0 % that the last 4 weeks let expect"]
  ])("of %j where %j is expected", (value, expected, sentence) => {
    assert.strictEqual(said(value, expected), `In 2026-11-22: ${sentence} (0 % to 50 % is usual).`)
  })
})

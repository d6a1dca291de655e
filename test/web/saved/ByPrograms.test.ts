import { assert, describe, it } from "@effect/vitest"
import { insightKind, namesIn } from "../../../src/web/insights/InsightKind.ts"
import { retentionKind } from "../../../src/web/retention/RetentionKind.ts"
import { answered } from "./Answered.ts"

describe("questions that a program saved", () => {
  it("of the demo are shown by their pages", () => {
    const month = { step: "day", relative: { step: "day", value: 30 } } as const
    const perBuyer = insightKind.read(
      answered({
        queryType: "insight",
        spec: {
          time: month,
          metrics: [
            { id: "A", visible: false, data: { type: "sum", name: "Purchase", argument: "price" } },
            { id: "B", visible: false, data: { type: "uniqueUsers", name: "Purchase" } },
            { id: "C", data: { type: "formula", name: "Revenue of a buyer", formula: "A / B" } }
          ]
        }
      }),
      "UTC"
    )
    assert.deepStrictEqual(perBuyer?.formulas, [{ name: "Revenue of a buyer", formula: "A / B" }])
    assert.deepStrictEqual(
      perBuyer?.metrics.map(({ isShown }) => isShown),
      [false, false]
    )
    const coming = retentionKind.read(
      answered({
        queryType: "retention",
        spec: {
          time: month,
          start: { name: "Install" },
          return: { name: "Login" },
          interval: "day",
          intervals: 14,
          startMode: "firstTime"
        }
      }),
      "UTC"
    )
    assert.deepStrictEqual([coming?.rows, coming?.count], [30, 14])
  })

  it("have the names that a program gave their metrics, also where a page cannot show them", () => {
    const saved = answered({
      queryType: "insight",
      spec: {
        time: { step: "day", relative: { step: "day", value: 7 }, timezone: "Asia/Tokyo" },
        metrics: [
          { id: "payers", data: { type: "uniqueUsers", name: "Purchase" } },
          { id: "twice", data: { type: "formula", name: "Twice", formula: "payers * 2" } },
          { id: "plain", data: { type: "formula", formula: "payers * 3" } }
        ]
      }
    })
    const names = saved.queryType === "insight" ? [...namesIn(saved.spec).values()] : []
    assert.deepStrictEqual(names, ["Players with Purchase", "Twice", "payers * 3"])
  })
})

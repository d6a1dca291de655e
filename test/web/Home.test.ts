import { assert, describe, it } from "@effect/vitest"
import { sameHours } from "../../src/web/home/HomeQuestions.ts"
import { revenueOf } from "../../src/web/home/Revenue.ts"

const type = (name: string, count30d = 1, status: "active" | "hidden" = "active") => ({ name, count30d, status })
const numbers = (name: string, ...markerTypes: ReadonlyArray<string>) => ({
  name,
  dataType: "number" as const,
  markerTypes
})

describe("revenue on the first page", () => {
  it("is told where one marker is named like a purchase and has one argument named like an amount, and nowhere else", () => {
    const shop = [type("Login", 9), type("ItemBought", 1), type("Purchase", 2)]
    const price = { marker: "Purchase", argument: "price" }
    assert.deepStrictEqual(revenueOf(shop, [numbers("price", "Purchase"), numbers("level", "Purchase")]), price)
    assert.deepStrictEqual(revenueOf(shop, [numbers("Amount", "ItemBought")]), {
      marker: "ItemBought",
      argument: "Amount"
    })
    assert.isNull(revenueOf(shop, [numbers("price", "Purchase"), numbers("amount", "Purchase")]))
    assert.isNull(revenueOf(shop, [numbers("level", "Purchase")]))
    assert.isNull(revenueOf(shop, [{ ...numbers("price", "Purchase"), dataType: "string" }]))
    assert.isNull(revenueOf([type("Login")], [numbers("price", "Login")]))
    assert.isNull(revenueOf([type("Purchase", 1, "hidden")], [numbers("price", "Purchase")]))
  })
})

describe("home of the dashboard", () => {
  it("compares the same hours of days, however long a day is", () => {
    // In Berlin the clock went back on 25 October 2026 at three in the morning.
    const now = Date.parse("2026-10-26T11:02:03Z")
    assert.deepStrictEqual(
      [0, 1, 7].map((days) => sameHours(now, "Europe/Berlin", days)),
      [
        { from: "2026-10-25T23:00:00.000Z", to: "2026-10-26T11:00:00.000Z" },
        { from: "2026-10-24T22:00:00.000Z", to: "2026-10-25T10:00:00.000Z" },
        { from: "2026-10-18T22:00:00.000Z", to: "2026-10-19T10:00:00.000Z" }
      ]
    )
    assert.deepStrictEqual(sameHours(Date.parse("2026-10-25T22:59:00Z"), "Europe/Berlin", 1), {
      from: "2026-10-23T22:00:00.000Z",
      to: "2026-10-24T22:00:00.000Z"
    })
    const midnight = sameHours(Date.parse("2026-11-22T00:00:10Z"), "UTC", 0)
    assert.isTrue(midnight.from < midnight.to)
  })
})

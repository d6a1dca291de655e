import { assert, describe, it } from "@effect/vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { activeBody, paceBody, paceOf, sameHours } from "../../src/web/home/HomeQuestions.ts"
import { revenueOf } from "../../src/web/home/Revenue.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { marker } from "../support/analytics/SentMarkers.ts"
import { shiftedClock } from "../support/ShiftedClock.ts"
import { testApp } from "../support/TestApp.ts"

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

const [minute, hour] = [60_000, 3_600_000]

describe("the game at this moment, on the first page", () => {
  it("counts the players of the last minutes alone, however far the hour has come, and markers by the minutes they came in", async () => {
    const clock = shiftedClock()
    const now = Math.floor(Date.now() / hour) * hour + 50 * minute
    clock.state.shift = now - Date.now()
    const { request } = testApp(MemoryStores, {}, clock.layer)
    const studio = await openStudio(request, "ada")
    const authorization = await mintKey(request, studio, { type: "public" })
    const ago = [2, 3, 20, 40, 45, 49, 55]
    await request("POST", "/sdk/v1/markers", {
      headers: { authorization, environment: "production" },
      body: { markers: ago.map((each) => marker("Tick", now - each * minute, { userId: `u${each}` })) }
    })
    const ask = async (path: string, body: object) => {
      const { applicationId, cookie, production } = studio
      const headers = { ...cookie, environment_id: String(production) }
      return request("POST", `/application/${applicationId}/analytics/v1/${path}`, { headers, body })
    }
    const active = async (minutes: number) => (await ask("cohorts/execute", activeBody(["Tick"], minutes))).body.count
    assert.deepStrictEqual([await active(5), await active(30)], [2, 3])
    const { body } = await ask("queries/insights/execute", paceBody(["Tick"]))
    assert.strictEqual(body.series[0].aggregate, 6)
    assert.approximately(paceOf(body) ?? 0, 6 / 50, 0.01)
    assert.isNull(paceOf(undefined))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { deeplinkStudioOf } from "../../support/deeplinks/DeeplinkStudio.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("revenue of deeplinks over %s", (label, store) => {
  const { request } = testApp(store, { publicUrl: "https://links.example" })

  it("is the sum of what all players paid, rounded once", async () => {
    const { studio, define, click, conversions } = await deeplinkStudioOf(request, label)
    const game = await gameOf(request, studio)
    const { id, slug } = await define()
    const location = new URL((await click(slug)).headers.get("location") ?? "")
    const marker = (eventName: string, distinctId: string, properties: object) => ({
      markerId: crypto.randomUUID(),
      timestamp: Date.now() + 1000,
      eventName,
      distinctId,
      properties
    })
    // Added one after the other, ten times 0.1 is 0.9999999999999999.
    await game.send(
      Array.from({ length: 10 }, (_, player) => `p${player}`).flatMap((player) => [
        marker("Login", player, { gk_click: location.searchParams.get("gk_click") }),
        marker("Purchase", player, { price: 0.1 })
      ])
    )
    assert.deepInclude((await conversions(id)).totals, { users: 10, revenue: 1 })
  })
})

import { assert, beforeAll, describe, it } from "@effect/vitest"
import { hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"
import { stores } from "../../support/Stores.ts"

const days = 24 * hour

describe.each(stores)("how long two processes keep markers, over %s", (_, store) => {
  let two: TwoApps
  let studio: Studio
  let atB: Game

  beforeAll(async () => {
    two = await twoApps(store)
    studio = await openStudio(two.a.request, "ada")
    atB = await gameOf(two.b.request, studio)
  }, 60_000)

  it("is what was said last in either", async () => {
    const sent = await atB.send([marker("Trade", "ann", hour), marker("Trade", "ann", 10 * days)])
    assert.strictEqual(sent.status, 200, sent.text)
    const keep = async (retentionDays: number | null) => {
      const path = `/application/${studio.applicationId}/environments/${studio.development}`
      const answer = await two.a.request("PATCH", path, { headers: studio.cookie, body: { retentionDays } })
      assert.strictEqual(answer.status, 200, answer.text)
    }
    assert.strictEqual(await atB.count("Trade"), 2)
    await keep(5)
    assert.strictEqual(await atB.count("Trade"), 1)
    await keep(null)
    assert.strictEqual(await atB.count("Trade"), 2)
  })
})

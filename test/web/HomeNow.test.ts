import { assert, describe, it } from "@effect/vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { activeBody, paceBody, paceOf } from "../../src/web/home/HomeQuestions.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { marker } from "../support/analytics/SentMarkers.ts"
import { shiftedClock } from "../support/ShiftedClock.ts"
import { testApp } from "../support/TestApp.ts"

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

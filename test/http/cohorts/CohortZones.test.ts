import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { caller } from "../../support/Caller.ts"
import { atLeast, lastWeek } from "../../support/cohorts/CohortAnalyst.ts"
import { cohortStudioOf } from "../../support/cohorts/CohortStudio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const hour = 3_600_000
const day = 24 * hour

const onDays = (value: number) => ({
  op: "and",
  children: [
    {
      op: "or",
      children: [
        {
          type: "behaviour",
          marker: "Play",
          measure: "distinctDays",
          operator: "greaterThanOrEqual",
          value,
          window: lastWeek
        }
      ]
    }
  ]
})

describe.each(stores)("cohorts and the project's time zone over %s", (_, store) => {
  const { request } = testApp(store)

  it("days are those of the zone, and another zone has them counted anew", async () => {
    const { studio, game, analyst } = await cohortStudioOf(request, "ada")
    const midnight = Math.floor(Date.now() / day) * day - 2 * day
    // In Tokyo, nine hours ahead of UTC, the second one is of the next day.
    const played = [1, 20].map((hours) => ({
      markerId: randomUUID(),
      timestamp: new Date(midnight + hours * hour).toISOString(),
      type: "Play",
      userId: "night owl"
    }))
    await game.send(played)
    const change = (timezone: string) =>
      caller(request, studio.cookie)("PATCH", `/application/${studio.applicationId}`, { timezone })

    const days = await analyst.define("On two days", onDays(2))
    const others = await analyst.define("Levels", atLeast(2, "Level"))
    assert.deepStrictEqual([days.status, days.memberCount], ["ready", 0])

    assert.strictEqual((await change("Asia/Tokyo")).status, 200)
    assert.strictEqual((await analyst.settled(days.id)).body.memberCount, 1)
    assert.deepStrictEqual(await analyst.unitIds(days.id), ["night owl"])
    const unchanged = (await analyst.call("GET", `/${others.id}`)).body
    assert.deepStrictEqual([unchanged.status, unchanged.computedAt], ["ready", others.computedAt])
    assert.strictEqual((await analyst.call("POST", "/execute", { definition: onDays(2) })).body.count, 1)

    assert.strictEqual((await change("UTC")).status, 200)
    assert.strictEqual((await analyst.settled(days.id)).body.memberCount, 0)
    const computed = (await analyst.call("GET", `/${days.id}`)).body.computedAt
    assert.strictEqual((await change("UTC")).status, 200)
    assert.strictEqual((await analyst.call("GET", `/${days.id}`)).body.computedAt, computed)
  })
})

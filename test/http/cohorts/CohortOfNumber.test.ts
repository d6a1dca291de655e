import { assert, beforeAll, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { largestList } from "../../../schema/cohorts/CohortRequests.ts"
import { metric, week } from "../../support/analytics/Journeys.ts"
import { gameOf } from "../../support/game/Game.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { refused } from "../../support/Caller.ts"
import { countingPlayers, numbersIn } from "../../support/analytics/Numbers.ts"
import { levels, nowhere, type PlacedWorld, placedWorld, placesOf } from "../../support/analytics/PlacedJourneys.ts"
import { type CohortAnalyst, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { runCount } from "../../support/Runs.ts"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("cohorts of the players behind a number over %s", (_, store) => {
  const { request } = testApp(store)
  let world: PlacedWorld
  let cohorts: CohortAnalyst

  beforeAll(async () => {
    world = await placedWorld(request)
    cohorts = cohortAnalystOf(request, world.studio)
  })

  it("refuses a cohort of players that cannot be named, and makes none", async () => {
    const insight = (select: object) => ({ queryType: "insight", spec: levels, select })
    const made = (rest: object) => cohorts.call("POST", "", { name: "Nobody", kind: "static", ...rest })
    refused(await made({ from: insight({ metricId: "Z" }) }), 422, "QUERY_INVALID")
    refused(await made({ from: insight({ metricId: "A" }), unitIds: ["u1"] }), 400, "VALIDATION_FAILED")
    refused(await made({ from: { queryType: "funnel", spec: levels, select: {} } }), 400, "VALIDATION_FAILED")
    const map = { queryType: "heatmap", spec: { ...placesOf(world), heatmapData: { id: nowhere } }, select: {} }
    refused(await made({ from: map }), 404, "HEATMAP_NOT_FOUND")
    assert.deepStrictEqual((await cohorts.call("GET", "")).body, [])
  })

  it("the number on a chart, the players behind it and the cohort made of them are equally many", async () => {
    let cohort = 0
    await fc.assert(
      fc.asyncProperty(countingPlayers(world.heatmapId), fc.nat(), async ({ queryType, path, spec }, at) => {
        const answer = await world.game.query(`${path}/execute`, spec)
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        const numbers = numbersIn[path](answer.body)
        const full = numbers.filter(({ number }) => number > 0)
        // Most cells are empty, so that three of four choices are made among the others.
        const choices = at % 4 === 0 || full.length === 0 ? numbers : full
        const { number, select } = choices[at % choices.length]!
        const users = await world.game.query(
          `${path}/users?limit=1000`,
          path === "funnels" ? { ...spec, ...select } : { ...spec, select }
        )
        assert.strictEqual(users.status, 200, JSON.stringify(users.body))
        assert.strictEqual(users.body.items.length, number)
        if (path !== "funnels") assert.strictEqual(users.body.total, number)
        const made = await cohorts.call("POST", "", {
          name: `Number ${++cohort}`,
          kind: "static",
          from: { queryType, spec, select }
        })
        assert.strictEqual(made.status, 201, JSON.stringify(made.body))
        assert.deepStrictEqual([made.body.kind, made.body.status, made.body.memberCount], ["static", "ready", number])
        const ids = users.body.items.map(({ unitId }: { unitId: string }) => unitId)
        assert.deepStrictEqual((await cohorts.unitIds(made.body.id, "?limit=1000")).toSorted(), ids)
        await cohorts.call("DELETE", `/${made.body.id}`)
      }),
      { numRuns: runCount(60) }
    )
  })
})

describe("a number of more players than a static cohort may have", () => {
  const { request } = testApp(SqliteStores)

  it("is refused as a cohort, and one player fewer is not", async () => {
    const studio = await openStudio(request, "ada")
    const game = await gameOf(request, studio)
    const cohorts = cohortAnalystOf(request, studio)
    const send = async (from: number, to: number) => {
      const lines = Array.from({ length: to - from }, (__, at) =>
        JSON.stringify({ timestamp: "2026-03-02T12:00:00Z", type: "Level", userId: `player-${from + at}` })
      )
      assert.strictEqual((await game.fill(lines.join("\n"))).status, 200)
    }
    for (let from = 0; from < largestList; from += 10_000) await send(from, Math.min(from + 10_000, largestList))
    const spec = { time: week, metrics: [metric("A", { type: "uniqueUsers" })] }
    const from = { queryType: "insight", spec, select: { metricId: "A" } }
    const most = await cohorts.call("POST", "", { name: "As many as may be", kind: "static", from })
    assert.deepStrictEqual([most.status, most.body.memberCount], [201, largestList])
    await send(largestList, largestList + 1)
    const refusal = await cohorts.call("POST", "", { name: "Too many", kind: "static", from })
    refused(refusal, 422, "QUERY_LIMIT_EXCEEDED")
    assert.match(refusal.body.message, /100000/)
    assert.deepStrictEqual((await cohorts.call("GET", "")).body.length, 1)
  })
})

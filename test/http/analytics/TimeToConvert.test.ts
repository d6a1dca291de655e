import { assert, beforeAll, describe, it } from "@effect/vitest"
import { hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const funnel = (options: object) => ({
  time: { step: "day", timezone: "UTC", relative: { step: "day", value: 7 } },
  steps: [
    { id: "a", name: "Install" },
    { id: "b", name: "Login" },
    { id: "c", name: "Purchase" }
  ],
  conversionWindow: { step: "day", value: 2 },
  options
})

describe.each(stores)("times to convert over %s", (label, store) => {
  const { request } = testApp(store)
  let game: Game

  beforeAll(async () => {
    game = await gameOf(request, await openStudio(request, `ada-${label}`))
    const now = 20 * hour
    const path = (id: string, login: number, purchase: number | null) => [
      marker("Install", id, now),
      marker("Login", id, now - login * 1000),
      ...(purchase === null ? [] : [marker("Purchase", id, now - purchase * 1000)])
    ]
    await game.send([...path("ann", 10, 100), ...path("bob", 20, 300), ...path("cat", 60, null)])
  })

  /** Milliseconds pass between the markers of one player, which are made one after the other. */
  const whole = (seconds: number) => Math.round(seconds)

  it("come with quartiles and bins, from the first step to the last or between others", async () => {
    const { status, body } = await game.query("funnels/execute", funnel({ display: "timeToConvert" }))
    assert.strictEqual(status, 200)
    const [{ timeToConvert }] = body.series
    assert.deepStrictEqual(keysOf(timeToConvert), ["bins", "count", "medianSeconds", "p25Seconds", "p75Seconds"])
    assert.deepStrictEqual(
      [
        timeToConvert.count,
        ...[timeToConvert.p25Seconds, timeToConvert.medianSeconds, timeToConvert.p75Seconds].map(whole)
      ],
      [2, 150, 200, 250]
    )
    assert.lengthOf(timeToConvert.bins, 20)
    assert.deepStrictEqual(keysOf(timeToConvert.bins[0]), ["count", "fromSeconds", "toSeconds"])
    const other = funnel({ display: "timeToConvert", timeToConvert: { toStep: 1, bins: 2 } })
    const [first] = (await game.query("funnels/execute", other)).body.series
    assert.deepStrictEqual(
      first.timeToConvert.bins.map(({ fromSeconds, toSeconds, count }: Record<string, number>) => [
        whole(fromSeconds!),
        whole(toSeconds!),
        count
      ]),
      [
        [10, 35, 2],
        [35, 60, 1]
      ]
    )
    const plain = (await game.query("funnels/execute", funnel({}))).body
    assert.notProperty(plain.series[0], "timeToConvert")
    assert.deepStrictEqual(plain.series[0].steps, body.series[0].steps)
  })

  const wrong: ReadonlyArray<readonly [times: object, status: number, code: string]> = [
    [{ fromStep: 1, toStep: 1 }, 400, "VALIDATION_FAILED"],
    [{ fromStep: 2, toStep: 1 }, 400, "VALIDATION_FAILED"],
    [{ toStep: 3 }, 400, "VALIDATION_FAILED"],
    [{ bins: 0 }, 400, "VALIDATION_FAILED"],
    [{ bins: 101 }, 400, "VALIDATION_FAILED"]
  ]
  it.each(wrong)("are refused for %j", async (times, status, code) => {
    refused(
      await game.query("funnels/execute", funnel({ display: "timeToConvert", timeToConvert: times })),
      status,
      code
    )
  })
})

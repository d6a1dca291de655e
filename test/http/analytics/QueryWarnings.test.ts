import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { week, metric, journeys, markerOf } from "../../support/analytics/Journeys.ts"

describe.each(stores)("warnings of queries over %s", (_, store) => {
  const { request } = testApp(store)
  let game: Game

  beforeAll(async () => {
    game = await gameOf(request, await openStudio(request, "ada"))
    await game.send(journeys!.map(markerOf))
  })

  const insight = (body: object) => game.query("insights/execute", { time: week, ...body })

  it("C7: warns of names that were never seen, with the nearest", async () => {
    const filters = [{ source: "argument", name: "prise", operator: "isSet" }]
    const wrong = await insight({ metrics: [metric("A", { name: "Levle" })], filters })
    assert.deepStrictEqual(
      wrong.body.meta.warnings.map(({ kind, name, nearest }: Record<string, unknown>) => [kind, name, nearest]),
      [
        ["marker", "Levle", "Level"],
        ["argument", "prise", "price"]
      ]
    )
    const start = { name: "Nothing like it" }
    const retained = await game.query("retention/execute", { time: week, start, interval: "day", intervals: 2 })
    assert.deepInclude(retained.body.meta.warnings[0], { kind: "marker", name: start.name, nearest: null })
    assert.notProperty((await insight({ metrics: [metric("A", {})] })).body.meta, "warnings")
  })

  it("warns where an argument was taken for a property or the reverse, and says what to write", async () => {
    const filters = [
      { source: "property", name: "price", operator: "isSet" },
      { source: "argument", name: "platform", operator: "isSet" }
    ]
    const { body } = await insight({ metrics: [metric("A", {})], filters })
    assert.deepStrictEqual(body.meta.warnings, [
      {
        kind: "argument",
        name: "platform",
        nearest: null,
        message:
          'No marker here ever had the argument platform: markers here have the property platform, so write {"source":"property","name":"platform"}'
      },
      {
        kind: "property",
        name: "price",
        nearest: null,
        message:
          'No marker here ever had the property price: markers here have the argument price, so write {"source":"argument","name":"price"}'
      }
    ])
    const summed = await insight({ metrics: [metric("A", { type: "sum", argument: "platform" })] })
    assert.strictEqual(summed.status, 422)
    assert.include(summed.body.message, '{"source":"property","name":"platform"}')
  })
})

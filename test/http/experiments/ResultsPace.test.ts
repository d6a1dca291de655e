import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const dayMillis = 86_400_000

describe.each(stores)("the pace of results over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("tells the days to go while players come, and none once the experiment has ended and nobody comes any more", async () => {
    const goals = [{ id: "buyers", name: "Buyers", type: "proportion", marker: "Purchase" }]
    const { experiment, path } = await lab.begin({ metrics: { goals } })
    const exposedAt = Date.now() - 3 * dayMillis
    // A quarter of the control buys, and two fifths of the others.
    const played = Array.from({ length: 40 }, (_, index) => {
      const [group, distinctId] = [index % 2, `paced-${index}`]
      const properties = { experimentId: experiment.id, groupId: experiment.groups[group].id }
      const buys = Math.floor(index / 2) < (group === 0 ? 5 : 8)
      return [
        { distinctId, eventName: "$exposure", timestamp: exposedAt, properties },
        ...(buys ? [{ distinctId, eventName: "Purchase", timestamp: exposedAt + 1000 }] : [])
      ]
    })
    assert.strictEqual((await lab.game.send(played.flat())).status, 200)
    const power = async () => (await lab.call("GET", `${path}/results`)).body.power.metrics[0]
    const { unitsPerGroup, daysToGo } = await power()
    assert.isAbove(daysToGo, 0)
    await lab.end(path)
    assert.deepInclude(await power(), { unitsPerGroup, daysToGo: null })
  })
})

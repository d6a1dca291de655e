import { assert, beforeAll, describe, it } from "@effect/vitest"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { groupsTold } from "../../support/experiments/Told.ts"

describe.each(stores)("weights that change over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("divide who comes from then on where groups take turns, however many the groups have", async () => {
    const { experiment, path } = await lab.begin({ assignmentMode: "roundRobin" })
    const [control, dear] = experiment.groups
    const sizes = async (prefix: string) => {
      const told = Object.values(groupsTold(await lab.bulk("user", units(200, prefix)), experiment.id))
      return [control, dear].map(({ id }) => told.filter((each) => each === id).length)
    }
    assert.deepStrictEqual(await sizes("early"), [100, 100])
    const weights = [
      { groupId: control.id, weight: 9000 },
      { groupId: dear.id, weight: 1000 }
    ]
    assert.strictEqual((await lab.call("PATCH", path, { weights })).status, 200)
    assert.deepStrictEqual(await sizes("late"), [180, 20])
    await lab.exposed(path)
    const { srm } = (await lab.call("GET", `${path}/results`)).body
    assert.deepStrictEqual(
      srm.phases.map(({ observed, expected, verdict }: Record<string, unknown>) => [observed, expected, verdict]),
      [
        [[100, 100], [100, 100], "healthy"],
        [[180, 20], [180, 20], "healthy"]
      ]
    )
    assert.deepStrictEqual([srm.observed, srm.verdict], [[280, 120], "healthy"])
    await lab.end(path)
  })
})

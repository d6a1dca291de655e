import { assert, beforeAll, describe, it } from "@effect/vitest"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import type { Told } from "../../support/experiments/Told.ts"
import { fullDisk } from "../../support/operations/FullDisk.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const idsOf = (told: ReadonlyArray<Told>) => told.map(({ experimentId }) => experimentId)

const otherOf = ({ groups }: { readonly groups: ReadonlyArray<{ readonly id: number }> }, told: Told) =>
  groups.find(({ id }) => id !== told.groupId)?.id

describe.each(stores)("assignments that are kept for bulk answers, over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  /** What the units are told once it is kept: their exposures are written down, and they asked again after that. */
  const kept = async (path: string, units: ReadonlyArray<string>) => {
    await lab.bulk("user", units)
    await lab.exposed(path)
    await lab.bulk("user", units)
    return lab.bulk("user", units)
  }

  it("follow what a person sets, new experiments, dropped groups and ends", async () => {
    const { experiment, path } = await lab.begin()
    const first = await kept(path, ["ann", "bob"])
    assert.deepStrictEqual(idsOf(first.ann), [experiment.id])

    const other = otherOf(experiment, first.ann[0])
    await lab.call("POST", `${path}/assignments`, { distinctId: "ann", groupId: other })
    const moved = await kept(path, ["ann", "bob"])
    assert.deepInclude(moved.ann[0], { groupId: other, overrideGroupId: other })
    assert.deepStrictEqual(moved.bob, first.bob)

    const second = await lab.begin()
    const both = await kept(second.path, ["ann", "bob"])
    assert.deepStrictEqual(idsOf(both.ann), [experiment.id, second.experiment.id])
    assert.deepStrictEqual(both.ann[0], moved.ann[0])

    await lab.end(path)
    assert.deepStrictEqual(idsOf((await lab.bulk("user", ["ann"])).ann), [second.experiment.id])
    await lab.end(second.path)
    assert.deepStrictEqual(await lab.bulk("user", ["ann", "bob"]), { ann: [], bob: [] })
  })

  it("are not kept where a context decides, and a name may be any text", async () => {
    const conditions = [{ property: "properties.level", operator: "greaterThan", value: 9 }]
    const { experiment, path } = await lab.begin({ targeting: { conditions } })
    const name = '__proto__ "1" \u2028'
    assert.deepStrictEqual((await lab.bulk("user", [name], { level: 1 }))[name], [])
    assert.deepStrictEqual((await lab.bulk("user", [name], { level: 1 }))[name], [])
    assert.deepStrictEqual(idsOf((await lab.bulk("user", [name], { level: 10 }))[name]), [experiment.id])
    await lab.end(path)
  })

  it("leave nothing unnoted of what a game says of its units", async () => {
    const { configuration, path } = await lab.begin()
    const first = await lab.evaluate(configuration.name, "zoe", { level: 1 })
    await kept(path, ["zoe"])
    for (const properties of [{ level: 2 }, { tier: "gold" }]) {
      const { experiments } = await lab.evaluate(configuration.name, "zoe", properties)
      assert.strictEqual(experiments[0].groupId, first.experiments[0].groupId)
    }
    await lab.bulk("user", ["zoe"], { region: "eu" })
    const { body } = await lab.call("GET", `${lab.root}/experiments/context-properties`)
    const names = JSON.stringify(body)
    for (const name of ["level", "tier", "region"]) assert.include(names, `"properties.${name}"`)
    await lab.end(path)
  })

  it("are of the player anew after its erasure", async () => {
    const { experiment, path } = await lab.begin()
    const first = await kept(path, ["eve", "ann"])
    await lab.call("POST", `${path}/assignments`, { distinctId: "eve", groupId: otherOf(experiment, first.eve[0]) })
    assert.deepInclude((await kept(path, ["eve"])).eve[0], { assignmentVersion: 2 })
    const erased = await lab.call("DELETE", `/application/${lab.studio.applicationId}/players/eve`)
    assert.isBelow(erased.status, 300, erased.text)
    assert.deepInclude((await lab.bulk("user", ["eve"])).eve[0], { assignmentVersion: 1, overrideGroupId: null })
    await lab.end(path)
  })
})

describe("assignments that a full disk prevents", () => {
  const disk = fullDisk()
  const { request } = testApp(SqliteStores)

  it("are made at the first question after it, also where the answer without them could have been kept", async () => {
    const lab = await laboratoryOf(request, "ada")
    const { configuration, experiment, path } = await lab.begin()
    const evaluate = async () => {
      const body = { configuration: configuration.name, unit: { type: "user", distinctId: "ann" } }
      return (await lab.sdk("POST", "configurations/evaluate", body)).body.experiments
    }
    const bulk = async () => (await lab.bulk("user", ["ann"])).ann
    await kept(lab, path)
    disk.fill()
    try {
      for (const ask of [bulk, evaluate, bulk, evaluate]) assert.deepStrictEqual(await ask(), [])
    } finally {
      disk.empty()
    }
    assert.deepStrictEqual(idsOf(await evaluate()), [experiment.id])
    assert.deepStrictEqual(idsOf(await bulk()), [experiment.id])
  })

  const kept = async (lab: Laboratory, path: string) => {
    await lab.bulk("user", ["known"])
    await lab.exposed(path)
  }
})

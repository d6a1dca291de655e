import { assert, beforeAll, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const players = units(12)

type Change =
  | { readonly kind: "weights"; readonly weights: ReadonlyArray<number> }
  | { readonly kind: "rollout"; readonly body: object }
  | { readonly kind: "targeting"; readonly isForVips: boolean }
  | { readonly kind: "evaluate"; readonly unit: string; readonly vip: boolean }
  | { readonly kind: "bulk"; readonly vip: boolean }

const percent = fc.constantFrom(0, 10, 50, 100)

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("weights" as const), weights: shares(3) }) },
  {
    weight: 3,
    arbitrary: fc
      .oneof(
        percent.map((percent) => ({ action: "set", percent })),
        fc.constantFrom({ action: "pause" }, { action: "resume" }, { action: "advance" }),
        percent.map((percent) => ({
          action: "replaceSteps",
          steps: [{ at: new Date(Date.now() + 3_600_000).toISOString(), percent }]
        }))
      )
      .map((body) => ({ kind: "rollout" as const, body }))
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("targeting" as const), isForVips: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("evaluate" as const),
      unit: fc.constantFrom(...players),
      vip: fc.boolean()
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("bulk" as const), vip: fc.boolean() }) }
)

/** Basis points that sum to all, of so many groups. */
function shares(groups: number): fc.Arbitrary<ReadonlyArray<number>> {
  return fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: groups - 1, maxLength: groups - 1 }).map((cuts) => {
    const ends = [0, ...cuts.toSorted((a, b) => a - b), 10_000]
    return ends.slice(1).map((end, at) => end - ends[at]!)
  })
}

describe.each(stores)("an assigned unit over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  for (const assignmentMode of ["weightedHash", "roundRobin"])
    it(`of ${assignmentMode} stays in its group whatever is changed, and whoever asks`, async () => {
      const groups = ["a", "b", "c"].map((name, at) => ({
        name,
        weight: at === 0 ? 3334 : 3333,
        isControl: at === 0,
        changeset: lab.changing(["price"], at)
      }))
      const walks = fc.sample(fc.array(change, { minLength: 160, maxLength: 160 }), { numRuns: 5, seed: 5 })
      let told = 0
      let changed = 0
      for (const walk of walks) {
        const { configuration, experiment, path } = await lab.begin({ assignmentMode, groups })
        const groupOf = new Map<string, number>()
        const tell = (unit: string, groupId: number) => {
          const known = groupOf.get(unit)
          if (known !== undefined) told++
          assert.strictEqual(groupId, known ?? groupId, unit)
          groupOf.set(unit, groupId)
        }
        for (const step of walk)
          switch (step.kind) {
            case "weights": {
              const weights = experiment.groups.map(({ id }: { id: number }, at: number) => ({
                groupId: id,
                weight: step.weights[at]
              }))
              changed += Number((await lab.call("PATCH", path, { weights })).status === 200)
              break
            }
            case "rollout":
              changed += Number((await lab.call("PATCH", `${path}/rollout`, step.body)).status === 200)
              break
            case "targeting": {
              const conditions = step.isForVips ? [{ property: "properties.vip", operator: "is", value: true }] : []
              changed += Number((await lab.call("PATCH", path, { targeting: { conditions } })).status === 200)
              break
            }
            case "evaluate": {
              const [mine] = (await lab.evaluate(configuration.name, step.unit, { vip: step.vip })).experiments
              if (mine !== undefined) tell(step.unit, mine.groupId)
              break
            }
            case "bulk":
              for (const [unit, all] of Object.entries(await lab.bulk("user", players, { vip: step.vip })))
                for (const { experimentId, groupId, status } of Array.isArray(all) ? all : [])
                  if (experimentId === experiment.id && status !== "unenrolled" && groupId !== null) tell(unit, groupId)
          }
        const { items } = (await lab.call("GET", `${path}/assignments?pageSize=1000`)).body
        for (const { distinctId, groupId } of items) tell(distinctId, groupId)
        assert.isAtMost(groupOf.size, players.length)
        await lab.call("POST", `${path}/terminate`)
      }
      assert.isAbove(told, 1000)
      assert.isAbove(changed, 100)
    })
})

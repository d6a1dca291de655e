import { StandardResolutionReasons } from "@openfeature/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { decisionOf } from "../../src/openfeature/Decision.ts"
import { pathsOf, touches } from "../../src/openfeature/Flag.ts"
import { isBoolean, isNumber, isStructure, isText, resolve } from "../../src/openfeature/Resolution.ts"
import type { RunningExperiment } from "../../src/sdk/RunningExperiments.ts"

const set = (path: ReadonlyArray<string>, value: unknown) => ({ path, value, isDeleted: false })

const experiment = (more: Partial<RunningExperiment> = {}): RunningExperiment => ({
  id: 1,
  name: "prices",
  configurationId: 1,
  isTargeted: false,
  groups: [
    { id: 10, label: "control", weight: 0, changes: [] },
    { id: 11, label: "dear", weight: 10_000, changes: [set(["shop", "price"], 20)] }
  ],
  ...more
})

const evaluation = (configuration: object, groupId?: number, source = "weightedHash") => ({
  hash: "h",
  configurationId: 1,
  configuration: { ...configuration },
  experiments: groupId === undefined ? [] : [{ experimentId: 1, groupId, source }]
})

const dear = { shop: { price: 20 } }
const paths = pathsOf("shop.price")

describe("why a flag has its value", () => {
  for (const [name, told, experiments, reason, group] of [
    ["no experiment decides", evaluation(dear), [], "STATIC", null],
    ["an experiment decides elsewhere", evaluation({ open: true }), [experiment()], "DEFAULT", null],
    ["the unit is in no group", evaluation(dear), [experiment()], "DEFAULT", null],
    ["a rollout took the unit", evaluation(dear, 11), [experiment()], "SPLIT", "dear"],
    ["targeting alone decides", evaluation(dear, 11), [experiment({ isTargeted: true })], "TARGETING_MATCH", "dear"],
    ["somebody put the unit there", evaluation(dear, 11, "manual"), [experiment()], "TARGETING_MATCH", "dear"],
    ["the unit is in the control group", evaluation({ shop: { price: 5 } }, 10), [experiment()], "SPLIT", "control"],
    ["targeting holds no more", evaluation({ shop: { price: 5 } }, 11), [experiment()], "DEFAULT", null],
    ["the group is not known yet", evaluation(dear, 12), [experiment()], "DEFAULT", null]
  ] as const) {
    it(`${name}: ${reason}`, () => {
      const decision = decisionOf(told, experiments, paths)
      assert.deepStrictEqual([decision.reason, decision.group], [reason, group])
    })
  }

  it("a change of the whole decides about its parts, and the other way round", () => {
    assert.isTrue(touches(["shop"], ["shop", "price"]))
    assert.isTrue(touches(["shop", "price"], ["shop"]))
    assert.isFalse(touches(["shop", "price"], ["shop", "open"]))
  })
})

describe("the value of a flag", () => {
  it("is of the kind that was asked for, or the fallback, whatever a configuration holds", () => {
    const kinds = [
      [false, isBoolean],
      ["", isText],
      [0, isNumber],
      [{}, isStructure]
    ] as const
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.boolean(),
        (configuration, key, isStale) => {
          const facts = { evaluation: evaluation(configuration), experiments: [], isStale }
          for (const [fallback, isKind] of kinds) {
            const { value, errorCode, reason } = resolve<unknown>(facts, key, fallback, isKind)
            assert.isTrue(isKind(value))
            assert.strictEqual(errorCode !== undefined, reason === StandardResolutionReasons.ERROR)
            if (reason === StandardResolutionReasons.ERROR) assert.strictEqual(value, fallback)
          }
        }
      )
    )
  })

  it("is found at the key itself before it is looked for at a path", () => {
    const told = evaluation({ "shop.price": 1, shop: { price: 2 } })
    const facts = { evaluation: told, experiments: [], isStale: false }
    assert.strictEqual(resolve(facts, "shop.price", 0, isNumber).value, 1)
  })
})

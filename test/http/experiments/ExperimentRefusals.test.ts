import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

const group = (name: string, weight: number, more: object = {}) => ({ name, weight, ...more })

const proportion = (id: string) => ({ id, name: id, type: "proportion", marker: "Purchase" })

/** What creating is refused for: what is sent besides, and the answer. */
const refusals: ReadonlyArray<readonly [string, object, number, string]> = [
  ["without a name", { name: undefined }, 400, "VALIDATION_FAILED"],
  ["of one group", { groups: [group("a", 10_000)] }, 400, "VALIDATION_FAILED"],
  ["of weights that add up to less", { groups: [group("a", 5000), group("b", 4999)] }, 422, "EXPERIMENT_INVALID"],
  ["of two groups called the same", { groups: [group("a", 5000), group("a", 5000)] }, 422, "EXPERIMENT_INVALID"],
  [
    "of two controls",
    { groups: [group("a", 5000, { isControl: true }), group("b", 5000, { isControl: true })] },
    422,
    "EXPERIMENT_INVALID"
  ],
  ["that ends before it starts", { startsAt: hours(2), endsAt: hours(1) }, 422, "EXPERIMENT_INVALID"],
  [
    "of steps that do not rise",
    {
      rollout: {
        percent: 1,
        steps: [
          { at: hours(2), percent: 5 },
          { at: hours(1), percent: 9 }
        ]
      }
    },
    422,
    "EXPERIMENT_INVALID"
  ],
  [
    "of a step that has passed before it starts",
    { rollout: { percent: 1, steps: [{ at: hours(-1), percent: 100 }] } },
    422,
    "EXPERIMENT_INVALID"
  ],
  ["of more than everyone", { rollout: { percent: 101 } }, 400, "VALIDATION_FAILED"],
  ["on a configuration that is not there", { baseConfigurationId: 999_999 }, 422, "REFERENCE_INVALID"],
  ["for a cohort that is not there", { targeting: { cohortIds: [999_999] } }, 422, "REFERENCE_INVALID"],
  [
    "for a text greater than a number",
    { targeting: { conditions: [{ property: "properties.level", operator: "greaterThan", value: "x" }] } },
    422,
    "EXPERIMENT_INVALID"
  ],
  [
    "for what the server is to say of a unit, and does not",
    { targeting: { conditions: [{ property: "unit.level", operator: "isNot", value: 3 }] } },
    422,
    "EXPERIMENT_INVALID"
  ],
  [
    "with two metrics of one id",
    { metrics: { goals: [proportion("a")], guardrails: [proportion("a")] } },
    422,
    "EXPERIMENT_INVALID"
  ],
  [
    "with a query that is not there",
    { metrics: { goals: [{ id: "a", name: "a", type: "funnel", queryId: 999_999 }] } },
    400,
    "VALIDATION_FAILED"
  ],
  [
    "with a cohort in a metric that is not there",
    {
      metrics: {
        goals: [{ ...proportion("a"), filters: [{ source: "cohort", name: "x", operator: "isIn", value: [999_999] }] }]
      }
    },
    422,
    "REFERENCE_INVALID"
  ]
]

describe.each(stores)("refused experiments over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it.each(refusals)("%s are refused, and nothing changes", async (_, more, status, code) => {
    const configuration = await lab.configure()
    const before = (await lab.call("GET", `${lab.root}/experiments`)).text
    refused(await lab.create(configuration.id, more), status, code)
    assert.strictEqual((await lab.call("GET", `${lab.root}/experiments`)).text, before)
  })

  it("say everything that is wrong with them in themselves", async () => {
    const configuration = await lab.configure()
    const groups = [group("control", 5000), group("control", 6000)]
    const metrics = { goals: [proportion("a"), proportion("a")] }
    const targeting = { conditions: [{ property: "properties.level", operator: "greaterThan", value: "x" }] }
    const answer = await lab.create(configuration.id, {
      groups,
      metrics,
      targeting,
      startsAt: hours(2),
      endsAt: hours(1)
    })
    refused(answer, 422, "EXPERIMENT_INVALID")
    assert.deepStrictEqual(answer.body.message.split("; "), [
      "targeting.conditions[0].value: expected a number, since greaterThan compares numbers",
      "endsAt: expected an instant after the start and after now",
      "weights: add up to 11000, expected 10000 (basis points)",
      "groups: two are called control",
      "metrics: the id a is there twice"
    ])
    const few = await lab.create(configuration.id, { groups: [group("a", 1)] })
    refused(few, 400, "VALIDATION_FAILED")
    assert.match(few.body.message, /^groups: expected 2 to 8 of them; weights: add up to 1, /)
  })

  it("name every group in a filter of a metric that the other experiment has not", async () => {
    const { experiment } = await lab.begin()
    const value = [experiment.groups[0].id, 999_998, 999_999]
    const filters = [{ source: "experiment", name: String(experiment.id), operator: "isIn", value }]
    const answer = await lab.create((await lab.configure()).id, {
      metrics: { goals: [{ ...proportion("a"), filters }] }
    })
    refused(answer, 422, "REFERENCE_INVALID")
    assert.deepStrictEqual(answer.body.message.split("; "), [
      `Experiment ${experiment.id} has no group 999998`,
      `Experiment ${experiment.id} has no group 999999`
    ])
  })

  it("name the field of the rollout that is wrong", async () => {
    const configuration = await lab.configure()
    const answer = await lab.create(configuration.id, {
      endsAt: hours(3),
      rollout: { percent: 1, steps: [-1, 4, 2].map((at, index) => ({ at: hours(at), percent: 10 + index })) }
    })
    refused(answer, 422, "EXPERIMENT_INVALID")
    assert.deepStrictEqual(answer.body.message.split("; "), [
      "rollout.steps: expected instants in the future",
      "rollout.steps: expected instants that rise"
    ])
  })

  it("whose group makes a field __proto__ are refused: games would get what no configuration may have", async () => {
    const configuration = await lab.configure()
    const changeset = { operations: [{ op: "set", path: ["__proto__", "isAdmin"], value: true }] }
    const answer = await lab.create(configuration.id, {
      groups: [group("control", 5000), { ...group("polluting", 5000), changeset }]
    })
    refused(answer, 422, "EXPERIMENT_INVALID")
    assert.strictEqual(answer.body.message, "group polluting.__proto__.isAdmin: no field may have this name")
  })

  it.each([
    ["as a value", ["price"], (link: object) => link, "price"],
    ["within a value", ["price"], (link: object) => ({ list: [1, link] }), "price.list[1]"],
    ["by its path", ["price", "$link", "configurationId"], () => 1, "price"]
  ])("whose group sets a link %s are refused: players would get it unresolved", async (_, path, valueOf, place) => {
    const configuration = await lab.configure()
    const value = valueOf({ $link: { configurationId: configuration.id, path: ["price"] } })
    const changeset = { operations: [{ op: "set", path, value }] }
    const answer = await lab.create(configuration.id, {
      groups: [group("control", 5000), { ...group("linking", 5000), changeset }]
    })
    refused(answer, 422, "EXPERIMENT_INVALID")
    assert.include(answer.body.message, `group linking.${place}: a group can set no link`)
  })

  it("whose group breaks the schema of the base are refused", async () => {
    const schema = { type: "object", properties: { price: { type: "number", maximum: 15 } } }
    const configuration = await lab.configure({ schema })
    refused(await lab.create(configuration.id), 422, "CONFIGURATION_INVALID")
  })
})

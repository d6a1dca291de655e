import { assert, beforeAll, describe, it } from "@effect/vitest"
import { keysOf, refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const goals = [
  { id: "buyers", name: "Buyers", type: "proportion", marker: "Purchase", withinDays: 7 },
  { id: "crashes", name: "Crashes", type: "mean", aggregation: "count", marker: "Crash", direction: "decrease" }
]

describe.each(stores)("results over %s", (_, store) => {
  const { request } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  it("G9: name the groups, the way each metric should go, and where the experiment stands in its time", async () => {
    const endsAt = new Date(Date.now() + 10 * 86_400_000).toISOString()
    const { experiment, path } = await lab.begin({ metrics: { goals }, endsAt })
    const { status, body } = await lab.call("GET", `${path}/results`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(keysOf(body), [
      "asOf",
      "experimentId",
      "exposures",
      "groups",
      "metrics",
      "multipleExposure",
      "power",
      "schedule",
      "srm",
      "status"
    ])
    const [control, dear] = experiment.groups
    assert.deepStrictEqual(body.groups, [
      { groupId: control.id, name: "control", isControl: true, dropped: false },
      { groupId: dear.id, name: "dear", isControl: false, dropped: false }
    ])
    assert.deepStrictEqual(
      body.metrics.map(({ id, direction }: Record<string, unknown>) => [id, direction]),
      [
        ["buyers", "increase"],
        ["crashes", "decrease"]
      ]
    )
    const { startsAt, endsAt: planned, daysElapsed, daysExposed, daysLeft, ...rest } = body.schedule
    assert.deepStrictEqual([startsAt, planned, rest], [experiment.startsAt, endsAt, {}])
    assert.isAtLeast(daysElapsed, 0)
    assert.strictEqual(daysExposed, 0)
    assert.closeTo(daysElapsed + daysLeft, 10, 0.01)
    for (const metric of body.power.metrics) {
      assert.deepStrictEqual(keysOf(metric), ["daysToGo", "id", "minimumDetectableEffect", "unitsPerGroup"])
      assert.isNull(metric.daysToGo)
    }
  })

  it("have no days left after the end", async () => {
    const { path } = await lab.begin({ metrics: { goals } })
    assert.isNull((await lab.call("GET", `${path}/results`)).body.schedule.daysLeft)
    const endsAt = new Date(Date.now() + 86_400_000).toISOString()
    const planned = await lab.begin({ metrics: { goals }, endsAt })
    await lab.end(planned.path)
    const { body } = await lab.call("GET", `${planned.path}/results`)
    assert.deepStrictEqual([body.status, body.schedule.daysLeft], ["terminated", 0])
    assert.isBelow(body.schedule.daysElapsed, 1)
  })

  it("end with the experiment: what players do afterwards is not of their group", async () => {
    const { experiment, path } = await lab.begin({ metrics: { goals } })
    const [control, dear] = experiment.groups
    const now = Date.now()
    const did = (distinctId: string, eventName: string, timestamp: number, properties: object = {}) => ({
      distinctId,
      eventName,
      timestamp,
      properties
    })
    const exposed = [control, dear].map(({ id }, player) =>
      did(`after-${player}`, "$exposure", now - 2000, { experimentId: experiment.id, groupId: id })
    )
    await lab.game.send([...exposed, did("after-0", "Crash", now - 1000), did("after-1", "Crash", now - 1000)])
    const ended = Date.parse((await lab.end(path)).body.terminatedAt)
    await lab.game.send([did("after-1", "Crash", ended), did("after-1", "Purchase", ended + 1000)])
    const means = async (query: string) => {
      const { body } = await lab.call("GET", `${path}/results${query}`)
      return body.metrics.map(({ groups }: { groups: ReadonlyArray<{ mean: number }> }) =>
        groups.map(({ mean }) => mean)
      )
    }
    assert.deepStrictEqual(await means(""), [
      [0, 0],
      [1, 1]
    ])
    const { daysExposed } = (await lab.call("GET", `${path}/results`)).body.schedule
    assert.closeTo(daysExposed * 86_400_000, ended - (now - 2000), 1)
    const later = new Date(ended + 2000).toISOString()
    assert.deepStrictEqual(await means(`?to=${later}`), [
      [0, 1],
      [1, 2]
    ])
  })

  it("say nothing of a metric whose cohort was deleted, instead of that nobody reached it", async () => {
    const cohorts = `/application/${lab.studio.applicationId}/analytics/v1/cohorts`
    const unitIds = units(4, "payer-")
    const cohort = (await lab.call("POST", cohorts, { name: "Payers", kind: "static", unitIds })).body
    const filters = [{ source: "cohort", name: "Payers", operator: "isNotIn", value: [cohort.id] }]
    const others = { id: "others", name: "Others", type: "proportion", marker: "Purchase", filters }
    const { experiment, path } = await lab.begin({ metrics: { goals: [others, goals[0]] } })
    const now = Date.now()
    const played = units(8, "payer-").flatMap((distinctId, index) => {
      const properties = { experimentId: experiment.id, groupId: experiment.groups[index % 2].id }
      const bought = { distinctId, eventName: "Purchase", timestamp: now - 1000 }
      return [{ distinctId, eventName: "$exposure", timestamp: now - 2000, properties }, bought]
    })
    assert.strictEqual((await lab.game.send(played)).status, 200)
    const means = async () =>
      (await lab.call("GET", `${path}/results`)).body.metrics.map(({ groups }: any) =>
        groups.map(({ mean }: any) => mean)
      )
    assert.deepStrictEqual(await means(), [
      [0.5, 0.5],
      [1, 1]
    ])
    assert.strictEqual((await lab.call("DELETE", `${cohorts}/${cohort.id}`)).status, 204)
    assert.deepStrictEqual(await means(), [[], [1, 1]])
  })

  it.each(["is dropped", "ends with all"])(
    "tell, as alerts do, of a guardrail that fails in one group alone, until it %s",
    async (ending) => {
      const [, crashes] = goals
      const { experiment, path } = await lab.begin({ metrics: { goals: [], guardrails: [crashes] } })
      const now = Date.now()
      const played = units(240, `fails until it ${ending} `).flatMap((distinctId, index) => {
        const properties = { experimentId: experiment.id, groupId: experiment.groups[index % 2].id }
        const exposed = { distinctId, eventName: "$exposure", timestamp: now - 2000, properties }
        return index % 4 === 1 ? [exposed, { distinctId, eventName: "Crash", timestamp: now - 1000 }] : [exposed]
      })
      assert.strictEqual((await lab.game.send(played)).status, 200)
      const { body } = await lab.call("GET", `${path}/results`)
      const { relative, absolute, sequential } = body.metrics[0].comparisons[0]
      assert.deepStrictEqual([relative, absolute], [null, 0.5])
      assert.isBelow(sequential.pValue, 0.001)
      const preview = `/application/${lab.studio.applicationId}/alert-preview`
      const verdict = async (experimentId?: number) =>
        (await lab.call("POST", preview, { watch: { kind: "guardrail", experimentId } })).body.verdict
      const verdicts = async () => [await verdict(experiment.id), await verdict()]
      assert.deepStrictEqual(await verdicts(), ["fired", "fired"])
      // Whoever is in a group stays in it while the experiment is paused.
      assert.strictEqual((await lab.call("PATCH", `${path}/rollout`, { action: "pause" })).status, 200)
      assert.deepStrictEqual(await verdicts(), ["fired", "fired"])
      if (ending === "is dropped") await lab.call("PATCH", path, { dropGroupIds: [experiment.groups[1].id] })
      else await lab.end(path)
      assert.deepStrictEqual(await verdicts(), ["fine", "fine"])
    }
  )

  it("name no number of units where groups differ by rounding alone", async () => {
    const score = { id: "score", name: "Score", type: "mean", aggregation: "sum", marker: "Score", argument: "points" }
    const { experiment, path } = await lab.begin({ metrics: { goals: [score] } })
    const now = Date.now()
    // One of ten players has 0.1 points, and three of thirty: the sum of three is rounded.
    const played = units(40, "rounded-").flatMap((distinctId, index) => {
      const properties = { experimentId: experiment.id, groupId: experiment.groups[index % 4 === 0 ? 0 : 1].id }
      const points = [0, 1, 2, 3].includes(index) ? 0.1 : 0
      return [
        { distinctId, eventName: "$exposure", timestamp: now - 2000, properties },
        { distinctId, eventName: "Score", timestamp: now - 1000, properties: { points } }
      ]
    })
    assert.strictEqual((await lab.game.send(played)).status, 200)
    const { status, body } = await lab.call("GET", `${path}/results`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    const [{ absolute }] = body.metrics[0].comparisons
    assert.isTrue(absolute > 0 && absolute < 1e-15, String(absolute))
    assert.deepStrictEqual([body.power.metrics[0].unitsPerGroup, body.power.metrics[0].daysToGo], [null, null])
  })

  it("say what they can where a player has a number whose square passes the range of numbers", async () => {
    const score = { id: "score", name: "Score", type: "mean", aggregation: "sum", marker: "Score", argument: "points" }
    const { experiment, path } = await lab.begin({ metrics: { goals: [score] } })
    const now = Date.now()
    const played = units(240, "scores-").flatMap((distinctId, index) => {
      const properties = { experimentId: experiment.id, groupId: experiment.groups[index % 2].id }
      const points = index === 1 ? 1e155 : index % 7
      return [
        { distinctId, eventName: "$exposure", timestamp: now - 2000, properties },
        { distinctId, eventName: "Score", timestamp: now - 1000, properties: { points } }
      ]
    })
    assert.strictEqual((await lab.game.send(played)).status, 200)
    const [metric] = (await lab.call("GET", `${path}/results`)).body.metrics
    assert.closeTo(metric.groups[1].variance / 1e307, 100 / 12, 0.01)
    const [{ absolute, frequentist, sequential, bayesian }] = metric.comparisons
    assert.closeTo(absolute / 1e155, 1 / 120, 1e-6)
    for (const { pValue, absoluteInterval } of [frequentist, sequential]) {
      assert.isAbove(pValue, 0.3)
      assert.isBelow(absoluteInterval[0], 0)
      assert.isAbove(absoluteInterval[1], absolute)
    }
    assert.isNumber(bayesian.chanceToWin)
  })

  it("tell the change that the groups which were not dropped can show", async () => {
    const group = (name: string, weight: number) => ({ name, weight, changeset: lab.changing(["price"], name) })
    const control = { ...group("control", 4000), isControl: true, changeset: { operations: [] } }
    const groups = [control, group("dear", 4000), group("odd", 2000)]
    const { experiment, path } = await lab.begin({ metrics: { goals: [goals[0]] }, groups })
    const now = Date.now()
    // Two of 42 players are in the group that is dropped; half of all buy.
    const played = units(42, "small-").flatMap((distinctId, index) => {
      const properties = { experimentId: experiment.id, groupId: experiment.groups[index < 2 ? 2 : index % 2].id }
      const bought = { distinctId, eventName: "Purchase", timestamp: now - 1000 }
      return [
        { distinctId, eventName: "$exposure", timestamp: now - 2000, properties },
        ...(index % 4 < 2 ? [bought] : [])
      ]
    })
    assert.strictEqual((await lab.game.send(played)).status, 200)
    const smallest = async (): Promise<number> =>
      (await lab.call("GET", `${path}/results`)).body.power.metrics[0].minimumDetectableEffect
    const before = await smallest()
    const dropped = await lab.call("PATCH", path, { dropGroupIds: [experiment.groups[2].id] })
    assert.strictEqual(dropped.status, 200)
    assert.closeTo((await smallest()) / before, Math.sqrt(2 / 20), 1e-9)
  })

  it("are refused for what is not there", async () => {
    const { path } = await lab.begin({ metrics: { goals } })
    refused(await lab.call("GET", `${path}/results?metric=nothing`), 404, "METRIC_NOT_FOUND")
    refused(await lab.call("GET", `${lab.root}/experiments/987654/results`), 404, "EXPERIMENT_NOT_FOUND")
  })
})

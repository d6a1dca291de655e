import { assert, describe, it } from "@effect/vitest"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import type {
  PlannedMetric,
  ScorecardPlan,
  ExposureWindow
} from "../../../../src/domain/experiments/results/ScorecardPlan.ts"
import { unitScorecard } from "../../../../src/domain/experiments/results/UnitScorecard.ts"
import { ExperimentGroupId, ExperimentId } from "../../../../src/domain/Ids.ts"
import { marker, named } from "../../../support/analytics/Markers.ts"

const day = 86_400_000
const whole: ExposureWindow = { from: 0, to: Infinity, countsAfter: -Infinity }

const buys = (window: Partial<ExposureWindow> = {}, atLeast: number | null = 1): PlannedMetric => ({
  type: "amounts",
  amounts: [{ selector: named("buy"), filter: unfiltered, argument: null }],
  atLeast,
  window: { ...whole, ...window }
})

const spent: PlannedMetric = {
  type: "amounts",
  amounts: [{ selector: named("buy"), filter: unfiltered, argument: "price" }],
  atLeast: null,
  window: whole
}

const plan = (metric: PlannedMetric, changes: Partial<ScorecardPlan> = {}): ScorecardPlan => ({
  experimentId: ExperimentId.make(7),
  unitType: "user",
  groupIds: [1, 2].map((id) => ExperimentGroupId.make(id)),
  range: { from: -Infinity, to: 100 * day },
  multipleExposure: "exclude",
  metrics: [metric],
  priorLength: 14 * day,
  asOf: 100 * day,
  phases: [0, 10 * day],
  days: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((index) => index * day),
  ...changes
})

/** "ann: exposed1@2 buy@3" with days as times; a number after `buy:` is its price. */
const lives = (text: string): ReadonlyArray<StoredEvent> =>
  text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [unit = "", words = ""] = line.trim().split(/:\s+/)
      return words.split(/\s+/).map((word, index) => {
        const [what = "", at] = word.split("@")
        const [type = "", price] = what.split("=")
        const group = /^exposed(\d)$/.exec(type)?.[1]
        return group === undefined
          ? marker(index, unit, type, Number(at) * day, {
              arguments: price === undefined ? {} : { price: Number(price) }
            })
          : marker(index, unit, "$exposure", Number(at) * day, {
              arguments: { experimentId: "7", groupId: Number(group) }
            })
      })
    })

const sumsOf = (events: ReadonlyArray<StoredEvent>, asked: ScorecardPlan) => {
  const { days } = unitScorecard(events, asked)
  return asked.groupIds.map((_, group) => {
    const moments = days.map(({ metrics }) => metrics[0]![group]!)
    const sum = (read: (one: (typeof moments)[number]) => number) => moments.reduce((all, one) => all + read(one), 0)
    return [sum(({ n }) => n), sum(({ sums }) => sums[0]!), sum(({ sums }) => sums[1] ?? 0)]
  })
}

describe("what counts for an experiment", () => {
  it("is what a unit does at or after its first exposure", () => {
    const events = lives(`
      before: buy@1 exposed1@2
      at: exposed1@2 buy@2
      after: buy@1 exposed2@2 exposed2@5 buy@3
      never: buy@3`)
    assert.deepEqual(sumsOf(events, plan(buys())), [
      [2, 1, 1],
      [1, 1, 1]
    ])
  })

  it("is not what lies outside the window of days", () => {
    const events = lives(`
      early: exposed1@2 buy@4.9
      edge: exposed1@2 buy@5
      late: exposed1@2 buy@9`)
    assert.deepEqual(sumsOf(events, plan(buys({ to: 3 * day })))[0], [3, 1, 0])
    assert.deepEqual(sumsOf(events, plan(buys({ from: 3 * day, to: 4 * day })))[0], [3, 1, 0])
  })

  it("is what happens in one interval, where a saved question asks for so many returns in each", () => {
    const events = lives(`
      spread: exposed1@2 buy@2.5 buy@3 buy@4.2 buy@5.1
      together: exposed1@2 buy@3 buy@3.9 buy@4
      outside: exposed1@2 buy@2 buy@2.9 buy@3 buy@5 buy@5`)
    const days = { from: day, to: 3 * day }
    const [twice, most] = [2, null].map((atLeast) => ({ ...buys(days, atLeast), interval: day }))
    assert.deepEqual(sumsOf(events, plan(twice!))[0], [3, 1, 0])
    assert.deepEqual(sumsOf(events, plan(most!))[0], [3, 1 + 2 + 1, 0])
    assert.deepEqual(sumsOf(events, plan(buys(days, 2)))[0], [3, 2, 0])
  })

  it("leaves out units whose day of return is not over yet", () => {
    const events = lives(`
      over: exposed1@2 buy@3
      open: exposed1@2.5`)
    const asked = plan(buys({ from: day, to: 2 * day, countsAfter: 2 * day }), { asOf: 4 * day })
    assert.deepEqual(sumsOf(events, asked)[0], [1, 1, 0])
  })

  it("sums an argument, of markers that have a number, and the two weeks before", () => {
    const events = lives(`
      payer: buy=1@0.5 buy=4@10 exposed1@15 buy=2.5@16 buy@17 buy=0.5@20
      other: exposed1@15`)
    assert.deepEqual(sumsOf(events, plan(spent))[0], [2, 3, 4])
    const [found] = unitScorecard(events, plan(spent)).days
    assert.deepInclude(found!.metrics[0]![0], { n: 2, withPrior: 1, products: [9, 12, 16] })
  })

  it("divides the sum of one amount by that of another, unit by unit", () => {
    const ratio: PlannedMetric = {
      type: "amounts",
      amounts: [
        { selector: named("buy"), filter: unfiltered, argument: "price" },
        { selector: named("play"), filter: unfiltered, argument: null }
      ],
      atLeast: null,
      window: whole
    }
    const events = lives("payer: play@1 exposed1@2 buy=3@3 play@4 play@5")
    const [found] = unitScorecard(events, plan(ratio)).days
    assert.deepEqual(found!.metrics[0]![0], {
      n: 1,
      withPrior: 1,
      sums: [3, 2, 0, 1],
      products: [9, 6, 0, 3, 4, 0, 2, 0, 0, 1]
    })
  })

  it("is a funnel that begins after the exposure", () => {
    const funnel: PlannedMetric = {
      type: "funnel",
      funnel: {
        range: { from: 0, to: 1 },
        steps: ["see", "buy"].map((type) => ({ selector: named(type), optional: false })),
        order: "ordered",
        window: day,
        exclusions: [],
        holdConstant: [],
        filter: unfiltered,
        breakdowns: [],
        breakdownLimit: 1,
        attribution: { type: "first" },
        overTime: null
      }
    }
    const events = lives(`
      whole: exposed1@2 see@2 buy@3
      begun: see@1.9 exposed1@2 buy@2.1
      slow: exposed1@2 see@2 buy@3.1`)
    assert.deepEqual(sumsOf(events, plan(funnel))[0], [3, 1, 0])
  })
})

describe("a server as a unit", () => {
  it("did what came from it, whoever played there", () => {
    const played = (sequence: number, unitId: string, serverId: string | null) =>
      Object.assign(marker(sequence, unitId, "buy", 3 * day), { serverId })
    const events = [
      marker(1, "server-1", "$exposure", 2 * day, { arguments: { experimentId: 7, groupId: 2 } }),
      played(2, "ann", "server-1"),
      played(3, "bob", "server-1"),
      played(4, "server-1", null)
    ]
    assert.deepEqual(sumsOf(events, plan(buys({}, null), { unitType: "server" }))[1], [1, 2, 0])
    assert.deepEqual(sumsOf(events, plan(buys({}, null)))[1], [1, 1, 0])
  })
})

describe("exposure", () => {
  const mixed = lives(`
    both: exposed2@2 exposed1@3 buy@4
    one: exposed1@2 buy@4`)

  it("to two groups leaves a unit out and counts it", () => {
    const answer = unitScorecard(mixed, plan(buys()))
    assert.deepInclude(answer, { exposedUnits: 2, multiplyExposed: 1 })
    assert.deepEqual(sumsOf(mixed, plan(buys())), [
      [1, 1, 0],
      [0, 0, 0]
    ])
  })

  it("to two groups may be taken as one to the first", () => {
    const asked = plan(buys(), { multipleExposure: "first" })
    assert.deepInclude(unitScorecard(mixed, asked), { exposedUnits: 2, multiplyExposed: 1 })
    assert.deepEqual(sumsOf(mixed, asked), [
      [1, 1, 0],
      [1, 1, 0]
    ])
  })

  it("to another experiment or an unknown group is none", () => {
    const strangers = [
      marker(1, "a", "$exposure", day, { arguments: { experimentId: 8, groupId: 1 } }),
      marker(2, "b", "$exposure", day, { arguments: { experimentId: 7, groupId: 3 } }),
      marker(3, "c", "exposure", day, { arguments: { experimentId: 7, groupId: 1 } }),
      marker(4, null, "$exposure", day, { arguments: { experimentId: 7, groupId: 1 } })
    ]
    assert.deepInclude(unitScorecard(strangers, plan(buys())), { exposedUnits: 0, firstExposedAt: null, days: [] })
  })

  it("counts in the phase and on the day of the first one, and only in the range", () => {
    const events = lives(`
      early: exposed1@2 exposed1@11
      edge: exposed2@10
      late: exposed2@12.5`)
    const answer = unitScorecard(events, plan(buys()))
    assert.deepEqual(answer.phases, [
      [1, 0],
      [0, 2]
    ])
    assert.deepEqual(
      answer.days.map(({ day, exposures }) => [day, ...exposures]),
      [
        [2, 1, 0],
        [10, 0, 1],
        [12, 0, 1]
      ]
    )
    const part = unitScorecard(events, plan(buys(), { range: { from: 3 * day, to: 12 * day } }))
    assert.deepInclude(part, { exposedUnits: 1, firstExposedAt: 10 * day })
  })

  it("asked with an end, is followed by nothing from the end on", () => {
    const events = lives("a: exposed1@2 buy@5 exposed2@6")
    const asked = plan(buys(), { range: { from: -Infinity, to: 5 * day } })
    assert.deepEqual(sumsOf(events, asked)[0], [1, 0, 0])
    assert.strictEqual(unitScorecard(events, asked).multiplyExposed, 0)
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Dimension } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { retention } from "../../../../src/domain/analytics/retention/Retention.ts"
import type { Criterion } from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { marker, named } from "../../../support/analytics/Markers.ts"
import {
  day,
  origin,
  type Options,
  planOf,
  on,
  numbers,
  cells,
  plays
} from "../../../support/analytics/RetentionPlans.ts"

describe("retention", () => {
  const all = plays(`
    u 0 1 2
    v 0 2
    w 1 3 3.1
    z 5
  `)

  it("counts a unit in every row with a start, and in a cell when it came back in that period", () => {
    assert.deepEqual(cells(all, planOf(on(3))), [
      [2, 1, 2, 0],
      [2, 1, 1, 0],
      [2, 0, 0, 0]
    ])
  })

  it("by first time counts a unit in the row of its first start ever", () => {
    const old = [...all, marker(900, "v", "play", origin - 30 * day)]
    assert.deepEqual(cells(old, planOf(on(2), { startMode: "firstTime" })), [
      [1, 1, 1],
      [1, 0, 1],
      [0, 0, 0]
    ])
  })

  it("accepts a return on, before or after the column, or in its bracket", () => {
    assert.deepEqual(cells(all, planOf({ type: "onOrAfter", columns: 3 }))[1], [2, 2, 1, 0])
    assert.deepEqual(cells(all, planOf({ type: "onOrBefore", columns: 3 }))[1], [2, 1, 2, 2])
    const brackets: Criterion = {
      type: "brackets",
      brackets: [
        [1, 1],
        [2, 4]
      ]
    }
    assert.deepEqual(cells(all, planOf(brackets))[0], [2, 1, 2])
  })

  it("wants enough returns in one period, and never more than one start", () => {
    assert.deepEqual(cells(all, planOf(on(2), { minimumOccurrences: 2 })), [
      [2, 0, 0],
      [2, 0, 1],
      [2, 0, 0]
    ])
  })

  it("rolls 24 hours from each start", () => {
    const rolling = plays(`
      u 0.9 1.1 2.0
      v 0.5 1.6
    `)
    assert.deepEqual(cells(rolling, planOf(on(2))), [
      [2, 2, 1],
      [2, 1, 0],
      [1, 0, 0]
    ])
    assert.deepEqual(cells(rolling, planOf(on(2), { window: "rolling24h" })), [
      [2, 2, 0],
      [2, 0, 0],
      [1, 0, 0]
    ])
  })

  it("goes by the zone's days and by calendar months", () => {
    const berlin = plays("u 0.95 1.95")
    assert.deepEqual(cells(berlin, planOf(on(1), { zone: "Europe/Berlin", to: "2024-05-06" })).slice(0, 2), [
      [0, 0],
      [1, 1]
    ])
    const months = [marker(1, "u", "play", "2024-01-31T00:00:00Z"), marker(2, "u", "play", "2024-02-01T00:00:00Z")]
    assert.deepEqual(cells(months, planOf(on(1), { step: "month", from: "2024-01-15", to: "2024-02-15" })), [
      [1, 1],
      [1, 0]
    ])
  })

  it("counts starts up to the end of the range, which cuts the last row, and returns in whole periods", () => {
    const early = { to: "2024-05-06T12:00:00Z" }
    const started = plays(`
      u 0 1.4 2.9
      v 1.5 2.9
      w 0.9 1.6
    `)
    const whole = { ...early, to: "2024-05-07T00:00:00Z" }
    assert.deepStrictEqual(cells(started, planOf(on(1), whole)), [
      [2, 2],
      [3, 2]
    ])
    const modes = ["calendar", "rolling24h"] as const
    assert.deepStrictEqual(
      modes.map((window) => cells(started, planOf(on(1), { ...early, window }))),
      [
        [
          [2, 2],
          [1, 1]
        ],
        [
          [2, 1],
          [1, 1]
        ]
      ]
    )
    assert.deepStrictEqual(cells(started, planOf(on(1), { ...early, startMode: "firstTime" })), [
      [2, 2],
      [0, 0]
    ])
    const dated = planOf(on(1), { from: "2024-05-06", to: "2024-05-06T12:00:00Z", dateBy: "return" })
    assert.deepStrictEqual(retention(started, dated).series[0]!.rows, [{ size: 1, cells: [{ count: 2, of: 2 }] }])
  })

  it("dates a cell by the return, as a share of the cohort it came from", () => {
    const plan = planOf(on(2), { dateBy: "return", from: "2024-05-07", to: "2024-05-09" })
    const { rows } = retention(all, plan).series[0]!
    assert.deepEqual(
      rows.map((row) => row.cells.map(({ count, of }) => [count, of])),
      [
        [
          [1, 2],
          [2, 2]
        ],
        [
          [0, 2],
          [1, 2]
        ]
      ]
    )
    assert.deepEqual(
      rows.map(({ size }) => size),
      [2, 1]
    )
  })
})

describe("a breakdown of retention", () => {
  const mark = (sequence: number, unit: string, at: number, a: string, p?: string) =>
    marker(sequence, unit, "play", origin + at * day, { arguments: { a }, properties: p === undefined ? {} : { p } })
  const all = [
    mark(1, "u", 0, "x", "de"),
    mark(2, "u", 1, "y", "fr"),
    mark(3, "u", 2, "x"),
    mark(4, "v", 0, "y"),
    mark(5, "v", 1, "y")
  ]
  const groups = (dimension: Dimension, more: Options = {}) =>
    retention(all, planOf(on(2), { breakdowns: [dimension], to: "2024-05-06", ...more })).series.map(
      ({ group, rows }) => [group.isOther ? "Other" : group.values[0], numbers(rows)[0]]
    )

  it("by an argument wants the same value at start and return", () => {
    assert.deepEqual(groups({ source: "argument", name: "a" }), [
      ["x", [1, 0, 1]],
      ["y", [1, 1, 0]]
    ])
  })

  it("by a property takes the unit's latest value", () => {
    assert.deepEqual(groups({ source: "property", name: "p" }), [
      ["fr", [1, 1, 1]],
      [null, [1, 1, 0]]
    ])
  })

  it("merges what is past the limit, a unit once", () => {
    const more = [mark(6, "u", 0.5, "z"), mark(7, "u", 1.5, "z")]
    const plan = planOf(on(1), { breakdowns: [{ source: "argument", name: "a" }], breakdownLimit: 1, to: "2024-05-06" })
    const { series } = retention([...all, ...more, mark(8, "w", 0, "y")], plan)
    assert.deepEqual(
      series.map(({ group, rows }) => [group.values[0] ?? "Other", numbers(rows)[0]]),
      [
        ["y", [2, 1]],
        ["Other", [1, 1]]
      ]
    )
  })
})

describe("rolling windows", () => {
  it("C3: a return in the last column of the last row counts", () => {
    const at = (text: string) => Date.parse(text) - origin
    const all = [
      marker(1, "u", "A", origin + at("2024-03-04T20:00:00Z")),
      marker(2, "u", "B", origin + at("2024-03-06T19:00:00Z"))
    ]
    const range = { from: "2024-03-04", to: "2024-03-05", window: "rolling24h" as const }
    const plan = planOf(on(1), { ...range, start: named("A"), return: named("B") })
    assert.deepEqual(cells(all, plan), [[1, 1]])
  })
})

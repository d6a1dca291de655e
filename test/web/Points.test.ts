import { assert, describe, it } from "@effect/vitest"
import { nearestSeries } from "../../src/web/charts/Nearest.ts"
import { groupFilter, namelessBecause, numberOf, opened, unfilteredBecause } from "../../src/web/insights/Point.ts"
import { questionCodec } from "../../src/web/insights/Question.ts"
import type { ShownSeries } from "../../src/web/insights/Series.ts"

const shown = (key: string, values: ReadonlyArray<number | null>, more: Partial<ShownSeries> = {}): ShownSeries => ({
  key,
  name: key,
  color: 0,
  values,
  aggregate: 7,
  before: null,
  isHidden: false,
  metric: { id: "A", measure: "uniqueUsers" },
  breakdown: [],
  group: undefined,
  ...more
})

const frame = { width: 800, height: 100, left: 0, right: 0, top: 0, bottom: 0 }
const drawn = { series: [shown("low", [2]), shown("high", [8])], frame, ticks: [0, 10], count: 1, isStacked: true }

const asked = (address: string) => questionCodec.read(new URLSearchParams(address))

const answer = (step: "hour" | "day" | "week", buckets: ReadonlyArray<string>, to: string) => ({
  time: { from: buckets[0]!, to, step, timezone: "Europe/Berlin" },
  buckets,
  complete: buckets.map(() => true),
  series: [],
  meta: { rowsScanned: 0, elapsedMs: 0, asOf: to, sampled: false as const, cached: false }
})

describe("a point of a chart", () => {
  const heights: ReadonlyArray<readonly [kind: "line" | "area" | "bars", y: number | null, found: string]> = [
    ["line", 75, "low"],
    ["line", 25, "high"],
    ["line", null, "high"],
    ["bars", 95, "low"],
    ["bars", 60, "high"],
    ["area", 75, "high"]
  ]

  it.each(heights)("of %s at height %s is of the series %s", (kind, y, found) => {
    assert.strictEqual(nearestSeries({ ...drawn, kind }, 0, y)?.series.key, found)
  })

  it("is of none where no series has a value", () => {
    assert.isNull(nearestSeries({ ...drawn, kind: "line", series: [shown("none", [null])] }, 0, 50))
  })

  it("is opened as days of the project's zone, in narrower steps", () => {
    const days = answer("day", ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"], "2026-03-30T22:00:00.000Z")
    const point = (bucket: number | null) => ({ series: shown("A", [1, 2]), bucket })
    assert.deepStrictEqual(opened(point(0), days), {
      step: "hour",
      period: { kind: "dates", from: "2026-03-29", to: "2026-03-29" }
    })
    assert.deepStrictEqual(opened(point(1), days)?.period, { kind: "dates", from: "2026-03-30", to: "2026-03-30" })
    const week = answer("week", ["2026-03-21T23:00:00.000Z"], "2026-03-28T23:00:00.000Z")
    assert.deepStrictEqual(opened(point(0), week), {
      step: "day",
      period: { kind: "dates", from: "2026-03-22", to: "2026-03-28" }
    })
    assert.isNull(opened(point(null), days))
    assert.isNull(opened(point(0), answer("hour", ["2026-03-28T23:00:00.000Z"], "2026-03-29T00:00:00.000Z")))
  })

  it("becomes a filter of its group, unless the filters are joined by or", () => {
    const of = (group: ShownSeries["group"]) => ({ series: shown("A", [1], { group }), bucket: 0 })
    const by = asked("m=Login:uniqueUsers&by=property:platform")
    const named = { source: "property" as const, name: "platform" }
    assert.deepStrictEqual(groupFilter(of("ios"), by, true), { ...named, operator: "is", values: ["ios"] })
    assert.deepStrictEqual(groupFilter(of("ios"), by, false), { ...named, operator: "isNot", values: ["ios"] })
    assert.deepStrictEqual(groupFilter(of(null), by, true), { ...named, operator: "isNotSet", values: [] })
    assert.isNull(groupFilter(of(undefined), by, true))
    const either = asked("m=Login:uniqueUsers&by=property:platform&f=argument:level:is:1&match=any")
    assert.isNull(groupFilter(of("ios"), either, true))
    assert.deepStrictEqual(
      [unfilteredBecause(of("ios"), by), unfilteredBecause(of("ios"), either)],
      [null, "The filters are joined by “or”"]
    )
  })

  it("becomes no filter of a list, whose elements filters look at one by one", () => {
    const of = (group: string) => ({ series: shown("A", [1], { group }), bucket: 0 })
    const by = asked("m=Login:uniqueUsers&by=argument:items")
    assert.isNull(groupFilter(of('["axe","bow"]'), by, true))
    assert.isString(unfilteredBecause(of('["axe","bow"]'), by))
    assert.isNotNull(groupFilter(of("[axe"), by, true))
  })

  it("is asked over the time of its answer, the last instant included", () => {
    const told = answer("day", ["2026-03-28T23:00:00.000Z"], "2026-03-29T12:00:00.000Z")
    const time = { step: "day" as const, relative: { step: "day" as const, value: 1 } }
    const metrics = [{ id: "A", data: { type: "uniqueUsers" as const, name: "Login" } }] as const
    const number = numberOf({ series: shown("A", [1]), bucket: 0 }, told, { time, metrics })
    assert.deepStrictEqual(number, {
      queryType: "insight",
      spec: {
        time: {
          step: "day",
          timezone: "Europe/Berlin",
          from: "2026-03-28T23:00:00.000Z",
          to: "2026-03-29T12:00:00.001Z"
        },
        metrics
      },
      select: { metricId: "A", bucket: "2026-03-28T23:00:00.000Z", breakdown: [] }
    })
  })

  it("says why it has no players", () => {
    const plain = asked("m=Login:uniqueUsers")
    const smooth = asked("m=Login:uniqueUsers&mean=7")
    assert.isNull(namelessBecause({ series: shown("A", [1]), bucket: 0 }, plain))
    assert.isNull(namelessBecause({ series: shown("A", [1]), bucket: null }, smooth))
    assert.isString(namelessBecause({ series: shown("A", [1]), bucket: 0 }, smooth))
    assert.isString(namelessBecause({ series: shown("A", [1], { metric: null }), bucket: 0 }, plain))
  })
})

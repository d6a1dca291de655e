import { FastCheck as fc } from "effect"
import { metric, range, week } from "./Journeys.ts"

/** A question, and how its numbers that count players are found in its answer. */
export interface Asked {
  readonly queryType: "insight" | "funnel" | "retention" | "heatmap"
  /** The part of the path that names the type. */
  readonly path: "insights" | "funnels" | "retention" | "heatmaps"
  readonly spec: object
}

/** A number on a chart, and how to choose it. */
export interface ChartNumber {
  readonly number: number
  readonly select: object
}

type Series = ReadonlyArray<{ readonly breakdown: ReadonlyArray<object> }>

/** The merged group is called like a group of that name; where both are there it is the last. */
const breakdownOf = (series: Series, at: number): unknown => {
  const told = series.map(({ breakdown }) => JSON.stringify(breakdown))
  return told.indexOf(told[at]!) < at ? "other" : series[at]!.breakdown
}

/* oxlint-disable typescript/no-explicit-any -- answers are read as JSON */
const insightNumbers = ({ series, buckets }: any): Array<ChartNumber> => {
  const metrics: Array<string> = [...new Set<string>(series.map(({ metricId }: any) => metricId))]
  return metrics.flatMap((metricId) => {
    const own = series.filter((each: any) => each.metricId === metricId)
    return own.flatMap(({ values, aggregate }: any, at: number) => {
      const select = { metricId, breakdown: breakdownOf(own, at) }
      const points = values.map((number: number, index: number) => ({
        number,
        select: { ...select, bucket: buckets[index] }
      }))
      return [{ number: aggregate, select }, ...points]
    })
  })
}

const retentionNumbers = ({ series }: any): Array<ChartNumber> =>
  series.flatMap(({ cohorts }: any, at: number) =>
    cohorts.flatMap(({ start, size, values }: any) => {
      const select = { start, breakdown: breakdownOf(series, at) }
      return [
        { number: size, select: { ...select, interval: 0 } },
        ...values.flatMap(({ interval, count }: any) => [
          { number: count, select: { ...select, interval } },
          { number: size - count, select: { ...select, interval, outcome: "left" } }
        ])
      ]
    })
  )

const funnelNumbers = ({ series }: any): Array<ChartNumber> =>
  series.flatMap(({ steps, timeToConvert }: any, at: number) => {
    const breakdown = breakdownOf(series, at)
    const last = steps.length - 1
    return [
      ...steps.flatMap(({ count }: any, step: number) => [
        { number: count, select: { step, outcome: "converted", breakdown } },
        ...(step === 0
          ? []
          : [{ number: steps[step - 1].count - count, select: { step, outcome: "dropped", breakdown } }])
      ]),
      ...(timeToConvert?.bins ?? []).map(({ count }: any, bin: number) => ({
        number: count,
        select: { step: last, outcome: "converted", breakdown, bin }
      }))
    ]
  })

const heatmapNumbers = ({ points, statistics, bounds: { pointA, pointB } }: any): Array<ChartNumber> => [
  { number: statistics.uniqueUsers, select: {} },
  ...points.map(({ x, y, value }: any) => ({
    number: value,
    select: { area: { pointA: { x, y: pointA.y, z: y }, pointB: { x, y: pointB.y, z: y } } }
  }))
]

export const numbersIn: Readonly<Record<Asked["path"], (answer: any) => Array<ChartNumber>>> = {
  insights: insightNumbers,
  funnels: funnelNumbers,
  retention: retentionNumbers,
  heatmaps: heatmapNumbers
}
/* oxlint-enable typescript/no-explicit-any */

const name = fc.constantFrom<Array<string | ReadonlyArray<string>>>("Start", "Level", "Buy", ["Level", "Buy"])
const filters = fc.constantFrom<Array<ReadonlyArray<object>>>(
  [],
  [],
  [{ source: "argument", name: "price", operator: "greaterThan", value: 1 }],
  [{ source: "property", name: "platform", operator: "is", value: "ios" }]
)
const breakdowns = fc.constantFrom<Array<ReadonlyArray<object>>>(
  [],
  [{ source: "argument", name: "item" }],
  [
    { source: "property", name: "platform" },
    { source: "argument", name: "item" }
  ]
)
const timezone = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu")

const insight: fc.Arbitrary<Asked> = fc
  .record({
    name,
    type: fc.constantFrom("uniqueUsers", "dau", "wau", "mau", "firstTimeUsers"),
    filters,
    breakdowns,
    breakdownLimit: fc.integer({ min: 1, max: 3 }),
    cumulative: fc.boolean(),
    step: fc.constantFrom("hour", "day", "week"),
    timezone
  })
  .map(({ name: marker, type, cumulative, step, timezone: zone, ...rest }) => ({
    queryType: "insight",
    path: "insights",
    spec: {
      time: range("2026-03-02T07:00:00Z", "2026-03-07T00:00:00Z", { step, timezone: zone }),
      metrics: [metric("A", { type: "totalEvents" }, { visible: false }), metric("B", { name: marker, type })],
      options: { cumulative },
      ...rest
    }
  }))

const retention: fc.Arbitrary<Asked> = fc
  .record({
    start: fc.record({ name, filters }),
    return: fc.record({ name, filters }),
    startMode: fc.constantFrom("recurring", "firstTime"),
    criterion: fc.constantFrom("on", "onOrBefore", "onOrAfter"),
    window: fc.constantFrom("calendar", "rolling24h"),
    minimumOccurrences: fc.constantFrom(1, 2),
    breakdowns,
    breakdownLimit: fc.integer({ min: 1, max: 3 })
  })
  .map((rest) => ({
    queryType: "retention",
    path: "retention",
    spec: { time: week, interval: "day", intervals: 3, ...rest }
  }))

const funnel: fc.Arbitrary<Asked> = fc
  .record({
    order: fc.constantFrom("ordered", "strict", "unordered"),
    hours: fc.integer({ min: 1, max: 60 }),
    filters,
    breakdowns,
    breakdownLimit: fc.integer({ min: 1, max: 3 }),
    breakdownAttribution: fc.constantFrom("first", "last", "all", { step: 1 }),
    times: fc.option(fc.record({ fromStep: fc.constantFrom(0, 1), bins: fc.integer({ min: 1, max: 5 }) }))
  })
  .map(({ hours, times, ...rest }) => ({
    queryType: "funnel",
    path: "funnels",
    spec: {
      time: week,
      steps: ["Start", "Level", "Buy"].map((each) => ({ id: each, name: each })),
      conversionWindow: { step: "hour", value: hours },
      options: times === null ? {} : { display: "timeToConvert", timeToConvert: times },
      ...rest
    }
  }))

const heatmap = (id: string): fc.Arbitrary<Asked> =>
  fc
    .record({ name, filters, y: fc.option(fc.constantFrom([0, 2], [1, 1])) })
    .map(({ name: marker, filters: own, y }) => ({
      queryType: "heatmap",
      path: "heatmaps",
      spec: {
        time: week,
        metrics: [metric("A", { name: marker })],
        filters: own,
        heatmapData: y === null ? { id } : { id, y },
        options: { display: "unique" }
      }
    }))

/** Questions of every type whose numbers count players, over the markers of `journeys`. */
export const countingPlayers = (heatmapId: string): fc.Arbitrary<Asked> =>
  fc.oneof({ weight: 3, arbitrary: insight }, { weight: 2, arbitrary: retention }, funnel, heatmap(heatmapId))

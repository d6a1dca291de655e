import { Array, Either, Option } from "effect"
import { zoneNamed } from "../../../src/domain/Zone.ts"
import type { Case, Mapped } from "./PostHog.ts"
import type { FunnelCase, FunnelExpected, FunnelOverTimeCase } from "./PostHogFunnels.ts"
import type { RetentionCase } from "./PostHogRetention.ts"
import type { TrendCase, TrendSeries } from "./PostHogTrends.ts"
import { vectors } from "../Vectors.ts"

export type Differences = ReadonlyArray<string>

interface Points {
  readonly values: ReadonlyArray<number | null>
  readonly aggregate: number | null
}

/** What a store answered: starts of buckets in local time, groups by their values, the group of the rest by `Other`. */
export interface TrendAnswer {
  readonly starts: ReadonlyArray<string>
  readonly series: ReadonlyArray<{ readonly group: ReadonlyArray<unknown>; readonly points: Points }>
}

interface FunnelGroup {
  readonly group: ReadonlyArray<unknown>
  readonly steps: ReadonlyArray<{
    readonly count: number
    readonly averageSeconds: number | null
    readonly medianSeconds: number | null
  }>
}

/** Steps count from 0. The units of one group are asked for only where that can be. */
export interface FunnelAnswers {
  readonly series: ReadonlyArray<FunnelGroup>
  readonly units: (step: number, outcome: "converted" | "dropped") => Promise<ReadonlyArray<string>>
  readonly groupUnits?: (values: string, step: number) => ReadonlyArray<string>
}

interface OverTime {
  readonly entered: number
  readonly converted: number
  readonly rate: number
}

/** The funnel over time of the first so many steps. */
export type OverTimeAnswer = (steps: number) => Promise<ReadonlyArray<OverTime>>

export interface RetentionAnswers {
  readonly firstStart: string
  readonly series: ReadonlyArray<{
    readonly group: ReadonlyArray<unknown>
    readonly rows: ReadonlyArray<ReadonlyArray<number>>
  }>
}

export const localTime = (zoneName: string, instant: number | undefined): string => {
  const zone = Option.getOrThrow(zoneNamed(zoneName))
  return new Date((instant ?? 0) + zone.offsetAt(instant ?? 0)).toISOString().slice(0, 19)
}

export const texts = (values: ReadonlyArray<unknown>): string =>
  JSON.stringify(values.map((value) => String(value ?? "")))

const differs = (what: string, actual: unknown, expected: unknown): Differences => {
  if (expected === undefined || JSON.stringify(actual) === JSON.stringify(expected)) return []
  return [`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]
}

const each = <A>(
  expected: Readonly<Record<string, A>> | undefined,
  compare: (key: string, value: A) => Differences
): Differences => Object.entries(expected ?? {}).flatMap(([key, value]) => compare(key, value))

const eachAsked = async <A>(
  expected: Readonly<Record<string, A>> | undefined,
  compare: (key: string, value: A) => Promise<Differences>
): Promise<Differences> =>
  (await Promise.all(Object.entries(expected ?? {}).map(([key, value]) => compare(key, value)))).flat()

const trendSeries = (
  expected: TrendSeries,
  points: Points | undefined,
  starts: ReadonlyArray<string>,
  tolerance: number
): Differences => {
  const { values = [], aggregate = null } = points ?? {}
  const near = (what: string, actual: number | null | undefined, wanted: number | undefined): Differences =>
    Math.abs((actual ?? 0) - (wanted ?? 0)) <= tolerance ? [] : differs(what, actual, wanted)
  const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return [
    ...(expected.aggregate === undefined ? [] : near("aggregate", aggregate, expected.aggregate)),
    ...(expected.sumOfBuckets === undefined ? [] : near("sum", sum, expected.sumOfBuckets)),
    ...differs("buckets", starts, expected.buckets),
    ...each(expected.bucketAt, (i, value) => differs(`start ${i}`, starts.at(Number(i)), value)),
    ...each(expected.dataAt, (i, value) => near(`bucket ${i}`, values.at(Number(i)), value)),
    ...differs("length", values.length, expected.data?.length),
    ...(expected.data ?? []).flatMap((value, i) => near(`bucket ${i}`, values[i], value))
  ]
}

export const trendDifferences = (trend: TrendCase, { starts, series }: TrendAnswer): Differences => {
  const differences = (expected: TrendSeries, points: Points | undefined): Differences =>
    trendSeries(expected, points, starts, trend.tolerance ?? 1e-9)
  return each(trend.expected.series, (position, expected) => {
    if (trend.query.breakdown === undefined) return differences(expected, series[Number(position)]?.points)
    const { breakdownValue } = expected
    const candidates = series.filter(
      ({ group }) => breakdownValue === undefined || String(breakdownValue ?? "") === String(group[0] ?? "")
    )
    const isThere = candidates.some(({ points }) => differences(expected, points).length === 0)
    return isThere ? [] : [`no series is as expected at ${position}: ${JSON.stringify(candidates)}`]
  })
}

const stepDifferences = ({ steps }: FunnelExpected, series: FunnelGroup | undefined): Differences =>
  each(steps, (step, expected) => {
    const actual = series?.steps[Number(step)]
    return [
      ...differs(`count of ${step}`, actual?.count ?? 0, expected.count),
      ...differs(`average at ${step}`, actual?.averageSeconds ?? null, expected.avgSecondsFromPrevious),
      ...differs(`median at ${step}`, actual?.medianSeconds ?? null, expected.medianSecondsFromPrevious)
    ]
  })

const unitDifferences = async (expected: FunnelExpected, { units }: FunnelAnswers): Promise<Differences> => {
  const of = (step: string, outcome: "converted" | "dropped") => units(Number(step) - 1, outcome)
  return [
    ...(await eachAsked(expected.actorsReachingStep, async (step, ids) =>
      differs(`at ${step}`, await of(step, "converted"), ids.toSorted())
    )),
    ...(await eachAsked(expected.actorsDroppedBeforeStep, async (step, ids) =>
      differs(`dropped before ${step}`, await of(step, "dropped"), ids.toSorted())
    )),
    ...(await eachAsked(expected.actorCountReachingStep, async (step, count) =>
      differs(`number at ${step}`, (await of(step, "converted")).length, count)
    )),
    ...(await eachAsked(expected.actorCountDroppedBeforeStep, async (step, count) =>
      differs(`number dropped before ${step}`, (await of(step, "dropped")).length, count)
    ))
  ]
}

export const funnelDifferences = async (
  { expected, query }: FunnelCase,
  answers: FunnelAnswers
): Promise<Differences> => {
  const { series, groupUnits } = answers
  const breakdowns = each(expected.breakdowns, (key, own) => {
    const values = texts(JSON.parse(key))
    const found = series.find(({ group }) => texts(group) === values)
    const differences = [
      ...stepDifferences(own, found),
      ...each(own.actorsReachingStep, (step, ids) =>
        groupUnits === undefined
          ? differs(`number at ${step}`, found?.steps[Number(step) - 1]?.count ?? 0, ids.length)
          : differs(`at ${step}`, groupUnits(values, Number(step) - 1), ids.toSorted())
      )
    ]
    return differences.map((difference) => `${key}: ${difference}`)
  })
  return [
    ...(query.breakdown === undefined ? stepDifferences(expected, series[0]) : []),
    ...(await unitDifferences(expected, answers)),
    ...breakdowns
  ]
}

export const overTimeDifferences = async (
  { expected, query }: FunnelOverTimeCase,
  upTo: OverTimeAnswer
): Promise<Differences> => {
  const from = (query.fromStep ?? 0) + 1
  const to = await upTo((query.toStep ?? query.steps.length - 1) + 1)
  const entered = from === 1 ? to.map((bucket) => bucket.entered) : (await upTo(from)).map((bucket) => bucket.converted)
  return each(expected.buckets, (bucket, { reachedFrom, reachedTo, conversionRate }) => [
    ...differs(`entered in ${bucket}`, entered.at(Number(bucket)), reachedFrom),
    ...differs(`converted in ${bucket}`, to.at(Number(bucket))?.converted, reachedTo),
    ...(from === 1 ? differs(`rate of ${bucket}`, to.at(Number(bucket))?.rate, conversionRate) : [])
  ])
}

const rowDifferences = (
  expected: ReadonlyArray<ReadonlyArray<number>> | undefined,
  rows: ReadonlyArray<ReadonlyArray<number>> | undefined
): Differences =>
  (expected ?? []).flatMap((row, r) => differs(`row ${r}`, rows?.[r]?.slice(0, row.length) ?? row.map(() => 0), row))

export const retentionDifferences = (
  { expected }: RetentionCase,
  { firstStart, series }: RetentionAnswers
): Differences => [
  ...differs("first row", firstStart, expected.firstIntervalStart),
  ...rowDifferences(expected.uniqueActors, series[0]?.rows),
  ...each(expected.breakdowns, (value, rows) =>
    rowDifferences(rows, series.find(({ group }) => texts(group) === texts([value]))?.rows)
  )
]

type Comparison = readonly [id: string, differences: () => Promise<Differences>]
type LeftOut = readonly [id: string, reason: string]

/** The cases of a file that can be said in our terms, each with what differs, and the others with the reason. */
export const compare = <C extends Case<unknown, unknown>, A>(
  name: string,
  map: (one: C) => Mapped<A>,
  differences: (one: C, mapped: A) => Differences | Promise<Differences>
): readonly [ReadonlyArray<LeftOut>, ReadonlyArray<Comparison>] => {
  const file = vectors<{ readonly cases: ReadonlyArray<C> }>(name)
  return Array.partitionMap(file.cases, (one) =>
    Either.mapBoth(map(one), {
      onLeft: (reason): LeftOut => [one.id, reason],
      onRight: (mapped): Comparison => [one.id, async () => differences(one, mapped)]
    })
  )
}

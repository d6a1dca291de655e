import { Effect } from "effect"
import type { InsightPlan, Measure } from "../../../domain/analytics/insight/InsightPlan.ts"
import type { TimeSpan } from "../../../domain/analytics/time/Buckets.ts"
import { textLiterals } from "../Literals.ts"
import { isCount, type PartialsRow, partialsOf } from "./Measures.ts"
import { beginningOf } from "./Periods.ts"
import { rangeOf, type InsightSource } from "./InsightSources.ts"
import type { Telling } from "./Telling.ts"

/** A group of rows by the keys of its dimensions. */
export type GroupKeys = ReadonlyArray<string>

/** The partial results of a metric: by the JSON of a group's keys those of buckets by their beginnings, and that of all time under `Infinity`. */
export type PartialCells = Map<string, Map<number, PartialsRow>>

/** The key in every dimension of the group of all others: none of a value begins so (see Paths.ts). */
const otherKey = "o"

export const otherKeys = ({ breakdowns }: InsightPlan): GroupKeys => breakdowns.map(() => otherKey)

/** Spans of active users that one query counts. */
const spansAtOnce = 50

type Row = readonly [
  keys: GroupKeys,
  bucket: number,
  isTotal: number,
  markers: number,
  ...partials: ReadonlyArray<PartialsRow>
]
type SpansRow = readonly [keys: GroupKeys, markers: number, ...spans: ReadonlyArray<PartialsRow>]

export const namesOf = (prefix: string, { breakdowns }: InsightPlan): ReadonlyArray<string> =>
  breakdowns.map((_, index) => `${prefix}${index}`)

/** Whether a row belongs to one of the groups. */
const isAmong = (plan: InsightPlan, listed: ReadonlyArray<GroupKeys>): string => {
  const names = namesOf("k", plan)
  const [name, ...others] = names
  const [only, ...more] = listed
  if (name === undefined || only === undefined) return "false"
  if (others.length === 0) return `${name} in (${textLiterals(listed.flat())})`
  if (more.length === 0)
    return names.map((each, index) => `${each} in (${textLiterals(only.slice(index, index + 1))})`).join(" and ")
  return `(${names.join(", ")}) in (${listed.map((keys) => `(${textLiterals(keys)})`).join(", ")})`
}

/** Names for a statement over the source: `g0` and so on, the keys of the groups that are listed or of all others. */
const groupNames = (plan: InsightPlan, listed: ReadonlyArray<GroupKeys>): ReadonlyArray<string> => {
  const among = isAmong(plan, listed)
  return plan.breakdowns.map((_, index) => `if(${among}, k${index}, '${otherKey}') as g${index}`)
}

/** What a statement may name: that takes ClickHouse less time than a query around another one. */
const naming = (names: ReadonlyArray<string>): string => (names.length === 0 ? "" : `with ${names.join(", ")} `)

const keysColumn = (plan: InsightPlan): string => `[${namesOf("g", plan).join(", ")}]::Array(String)`

export const put = (cells: PartialCells, key: string, bucket: number, partials: PartialsRow): void => {
  cells.set(key, (cells.get(key) ?? new Map<number, PartialsRow>()).set(bucket, partials))
}

const portionsOf = (spans: ReadonlyArray<TimeSpan>): ReadonlyArray<ReadonlyArray<TimeSpan>> =>
  Array.from({ length: Math.ceil(spans.length / spansAtOnce) }, (_, at) =>
    spans.slice(at * spansAtOnce, (at + 1) * spansAtOnce)
  )

/** The cells of active users: those of spans by their places. */
const spanCells = (
  plan: InsightPlan,
  measure: Measure,
  spans: ReadonlyArray<TimeSpan>,
  source: string,
  listed: ReadonlyArray<GroupKeys>,
  telling: Telling
) =>
  Effect.gen(function* () {
    const cells: PartialCells = new Map()
    const by = plan.breakdowns.length === 0 ? "" : ` group by ${namesOf("g", plan).join(", ")}`
    let [first, markers] = [0, 0]
    for (const portion of portionsOf(spans)) {
      const counts = portion.map((span) => partialsOf(measure, "null", `hasUnit and ${rangeOf(span)}`))
      const rows = yield* telling.rows<SpansRow>(
        `${naming(groupNames(plan, listed))}select ${keysColumn(plan)}, count(), ${counts.join(", ")} from (${source}) where ${portion.map((span) => `(${rangeOf(span)})`).join(" or ")}${by}`
      )
      for (const [keys, count, ...partials] of rows) {
        markers += count
        for (const [index, own] of partials.entries()) put(cells, JSON.stringify(keys), first + index, own)
      }
      first += portion.length
    }
    return { cells, markers }
  })

/** The cell of so many markers, where nothing else is asked for. */
export const counted = (markers: number): PartialsRow => [markers, 0, 0, 0, ["0", [], [], []], null, null, []]

/** Two cells of measures that need the number of markers alone. */
const added = (known: PartialsRow | undefined, [markers, ...rest]: PartialsRow): PartialsRow => [
  (known?.[0] ?? 0) + markers,
  ...rest
]

/** The cells of each metric of the source, in groups of which the listed are told apart, and the number of markers that were counted. */
export const cellsOf = (
  plan: InsightPlan,
  { metrics, select }: InsightSource,
  listed: ReadonlyArray<GroupKeys>,
  telling: Telling
) =>
  Effect.gen(function* () {
    const [first] = metrics
    if (first?.measure.type === "activeUsers")
      return yield* Effect.map(
        spanCells(plan, first.measure, first.measure.spans, select, listed, telling),
        // Metrics of one source count the same markers and spans, so that all of them have these cells.
        ({ cells, markers }) => ({ cells: metrics.map(() => cells), markers })
      )
    const groups = namesOf("g", plan)
    // Numbers of markers add up; everything else of all time is counted anew.
    const isSummed = metrics.every(({ measure }) => isCount(measure))
    const both = [...groups, "bucket"].join(", ")
    const by = isSummed ? `group by ${both}` : `group by grouping sets ((${both}), (${groups.join(", ")}))`
    const rows = yield* telling.rows<Row>(
      `${naming([...groupNames(plan, listed), `${beginningOf(plan.buckets.boundaries)} as bucket`])}
        select ${keysColumn(plan)}, bucket, ${isSummed ? "0" : "grouping(bucket)"}, count(), ${metrics.map(({ measure, value }) => partialsOf(measure, value)).join(", ")}
        from (${select}) ${by}`
    )
    const cells = metrics.map((): PartialCells => new Map())
    let markers = 0
    for (const [keys, bucket, isTotal, count, ...partials] of rows) {
      // All time has a row even where there are no markers.
      if (count === 0) continue
      const key = JSON.stringify(keys)
      if (isSummed || isTotal === 1) markers += count
      for (const [index, own] of partials.entries()) {
        const known = cells[index]
        if (known === undefined) continue
        put(known, key, isTotal === 1 ? Infinity : bucket, own)
        if (isSummed) put(known, key, Infinity, added(known.get(key)?.get(Infinity), own))
      }
    }
    return { cells, markers }
  })

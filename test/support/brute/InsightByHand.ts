import { isSelected, passes, type Selection } from "./Filters.ts"
import { type Formula, resultOf } from "./Formulas.ts"
import { dayOf, type Period, periodOf, periodsOf } from "./LocalTime.ts"
import { inOrder, type Sent, shown } from "./Sent.ts"
import { type Asked, mean, measured } from "./MeasuresByHand.ts"

type Numbers = ReadonlyArray<number | null>
type Points = { readonly values: Numbers; readonly aggregate: number | null }

const days: Readonly<Record<string, number>> = { dau: 1, wau: 7, mau: 30 }

interface Stretch {
  readonly periods: ReadonlyArray<Period>
  /** Epoch ms, exclusive; in the last period or at its end. */
  readonly to: number
}

/** The markers that a metric measures, in time or out of it. */
const selectedBy = ({ all, filters, metrics }: Asked, m: number): ReadonlyArray<Sent> => {
  const { type, selection }: { type: string; selection: Selection } = metrics[m]!
  const selected = all.filter((one) => isSelected(one, selection) && passes(one, filters))
  if (type !== "firstTimeUsers") return selected
  return selected.filter(
    (one, at) =>
      one.unit !== null &&
      !selected.some(
        (other, before) => other.unit === one.unit && (other.at < one.at || (other.at === one.at && before < at))
      )
  )
}

const populations = new WeakMap<Asked, ReadonlyArray<ReadonlyArray<Sent>>>()

/** As `selectedBy`, found once for each question. */
const population = (question: Asked, m: number): ReadonlyArray<Sent> => {
  const found = populations.get(question) ?? [selectedBy(question, 0), selectedBy(question, 1)]
  populations.set(question, found)
  return found[m]!
}

/** Of the local days that end with the last day of a bucket, the markers: all of them where the bucket is whole, else up to the question's end. */
const recent = ({ time: { zone } }: Asked, own: ReadonlyArray<Sent>, count: number, end: number, to: number) => {
  const last = dayOf(zone, Math.min(end, to) - 1)
  return own.filter(({ at }) => (end <= to || at < to) && dayOf(zone, at) <= last && dayOf(zone, at) > last - count)
}

const pointsOf = (question: Asked, m: number, own: ReadonlyArray<Sent>, { periods, to }: Stretch): Points => {
  const { zone, step, weekStart } = question.time
  const metric = question.metrics[m]!
  const count = days[metric.type]
  if (count !== undefined)
    return {
      values: periods.map(({ end }) => measured(metric, recent(question, own, count, end, to))),
      aggregate: measured(metric, recent(question, own, count, Infinity, to))
    }
  const inside = own.filter(({ at }) => at >= periods[0]!.start && at < to)
  return {
    values: periods.map(({ name, end }) =>
      measured(
        metric,
        inside.filter(({ at }) => (question.cumulative ? at < end : periodOf(zone, step, weekStart, at) === name))
      )
    ),
    aggregate: measured(metric, inside)
  }
}

/** Whether a marker can count in any bucket of a metric. */
const isInReach = (question: Asked, m: number, one: Sent, { periods, to }: Stretch): boolean => {
  const count = days[question.metrics[m]!.type]
  const { at } = one
  if (count === undefined) return at < to && at >= periods[0]!.start
  if (periods.some(({ end }) => recent(question, [one], count, end, to).length > 0)) return true
  return at < to && dayOf(question.time.zone, at) > dayOf(question.time.zone, Math.min(periods[0]!.end, to) - 1) - count
}

type Group = ReadonlyArray<string | number | boolean | null>

const groupOf = ({ breakdowns }: Asked, one: Sent): Group =>
  breakdowns.map(({ source }) => shown(source === "argument" ? one.a : one.p))

const keyOf = (group: Group): string => JSON.stringify(group)

const groupsOf = (question: Asked, stretch: Stretch): ReadonlyArray<Group> => {
  const found = new Map<string, Group>()
  for (const m of [0, 1])
    for (const one of population(question, m))
      if (isInReach(question, m, one, stretch)) found.set(keyOf(groupOf(question, one)), groupOf(question, one))
  const scored = [...found.values()].map((group) => ({
    group,
    score: seriesOf(question, 0, [group], stretch).aggregate
  }))
  scored.sort((one, two) => {
    const order = (two.score ?? -Infinity) - (one.score ?? -Infinity)
    if (one.score !== two.score) return order
    return inOrder(one.group[0]!, two.group[0]!) || inOrder(one.group[1] ?? null, two.group[1] ?? null)
  })
  return scored.map(({ group }) => group)
}

/** The markers of these groups together, measured. */
const seriesOf = (question: Asked, m: number, groups: ReadonlyArray<Group>, stretch: Stretch): Points => {
  const keys = new Set(groups.map(keyOf))
  const own = population(question, m).filter((one) => keys.has(keyOf(groupOf(question, one))))
  return pointsOf(question, m, own, stretch)
}

const smooth = ({ movingAverage }: Asked, { values, aggregate }: Points): Points => ({
  aggregate,
  values:
    movingAverage === undefined
      ? values
      : values.map((_, at) =>
          mean(values.filter((value, i) => value !== null && i <= at && i > at - movingAverage).map(Number))
        )
})

const withFormula = (formula: Formula, [A, B]: readonly [Points, Points]): ReadonlyArray<Points> => [
  A,
  B,
  {
    values: A.values.map((value, at) => resultOf(formula, { A: value, B: B.values[at] ?? null })),
    aggregate: resultOf(formula, { A: A.aggregate, B: B.aggregate })
  }
]

const metricsOf = (question: Asked, groups: ReadonlyArray<Group>, stretch: Stretch): ReadonlyArray<Points> =>
  withFormula(question.formula, [seriesOf(question, 0, groups, stretch), seriesOf(question, 1, groups, stretch)]).map(
    (points) => smooth(question, points)
  )

/** As many periods before the first one. */
const before = ({ time: { zone, step, weekStart } }: Asked, { periods }: Stretch): Stretch => {
  const periodsBefore: Array<Period> = []
  let to = periods[0]!.start
  while (periodsBefore.length < periods.length) {
    periodsBefore.unshift(...periodsOf(zone, step, weekStart, to - 1, to))
    to = periodsBefore[0]!.start
  }
  return { periods: periodsBefore, to: periods[0]!.start }
}

/** The periods of the question; one that is compared ends with a period. */
export const stretchOf = ({ time: { zone, step, weekStart, from, to }, isCompared }: Asked): Stretch => {
  const periods = periodsOf(zone, step, weekStart, from, to)
  return { periods, to: isCompared ? periods.at(-1)!.end : to }
}

/** What SEMANTICS §4 says of every series, with loops over all markers: nothing here is the product's. */
export const insightByHand = (question: Asked) => {
  const { breakdowns, breakdownLimit, isCompared } = question
  const stretch = stretchOf(question)
  const previous = isCompared ? before(question, stretch) : { periods: [stretch.periods[0]!], to: stretch.to }
  const all = breakdowns.length === 0 ? [[]] : groupsOf(question, stretch)
  const past = breakdowns.length === 0 || !isCompared ? [[]] : groupsOf(question, previous)
  const top = all.slice(0, breakdownLimit)
  const isTop = (group: Group) => top.some((one) => keyOf(one) === keyOf(group))
  const rest = all.filter((group) => !isTop(group))
  const rows: Array<{ group: Group; now: ReadonlyArray<Group>; earlier: ReadonlyArray<Group> }> = top.map((group) => ({
    group,
    now: [group],
    earlier: [group]
  }))
  if (rest.length > 0)
    rows.push({ group: breakdowns.map(() => "Other"), now: rest, earlier: past.filter((group) => !isTop(group)) })
  const answers = rows.map(({ group, now, earlier }) => ({
    breakdown: breakdowns.map(({ name }, at) => ({ name, value: group[at] ?? null })),
    now: metricsOf(question, now, stretch),
    earlier: isCompared ? metricsOf(question, earlier, previous) : []
  }))
  return ["A", "B", "C"].flatMap((metricId, m) =>
    answers.map(({ breakdown, now, earlier }) => ({
      metricId,
      breakdown,
      ...now[m]!,
      ...(isCompared ? { compare: earlier[m]! } : {})
    }))
  )
}

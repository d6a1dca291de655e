import { passes } from "./Filters.ts"
import { percentileByHand } from "./MeasuresByHand.ts"
import { type Period, periodsOf } from "./LocalTime.ts"
import { inOrder } from "./Sent.ts"
import {
  type Asked,
  type Result,
  stepOf,
  isExclusion,
  knowsStarts,
  bestOf,
  isDistinct,
  type Group,
  grouped,
  isOverTime
} from "./FunnelUnitsByHand.ts"

const percent = (count: number, of: number): number => (of === 0 ? 0 : (100 * count) / of)

const stepsOf = ({ steps }: Asked, results: ReadonlyArray<Result>) => {
  const counts = steps.map((_, step) => results.filter(({ path }) => (path[step] ?? null) !== null).length)
  return steps.map((_, step) => {
    const durations = results.flatMap(({ path }) => {
      const before = path.slice(0, step).findLast((one) => one !== null)
      const one = path[step] ?? null
      return one === null || !before ? [] : [(one.at - before.at) / 1000]
    })
    let sum = 0
    for (const duration of durations) sum += duration
    const mandatory = steps.slice(0, step).findLastIndex((one) => !one.optional)
    return {
      count: counts[step]!,
      averageSeconds: durations.length === 0 ? null : sum / durations.length,
      medianSeconds: percentileByHand(durations, 50),
      conversionFromPrevious: percent(counts[step]!, counts[Math.max(0, mandatory)]!),
      conversionFromFirst: percent(counts[step]!, counts[0]!)
    }
  })
}

const overTimeOf = (question: Asked, results: ReadonlyArray<Result>, periods: ReadonlyArray<Period>) => {
  if (!question.isOverTime || !knowsStarts(question)) return []
  return periods.map(({ start, end }) => {
    const most = results.map(({ starts }) =>
      Math.max(0, ...starts.filter(({ at }) => start <= at && at < end).map(({ reached }) => reached))
    )
    const entered = most.filter((reached) => reached > 0).length
    const converted = most.filter((reached) => reached === question.steps.length).length
    const rate = Math.round(percent(converted, entered) * 100) / 100
    return { start, entered, converted, rate, complete: end + question.window <= question.time.to }
  })
}

const seriesOf = (
  question: Asked,
  group: Group | "Other",
  results: ReadonlyArray<Result>,
  periods: ReadonlyArray<Period>
) => {
  const steps = stepsOf(question, results)
  return {
    group,
    steps,
    overallConversion: percent(steps.at(-1)!.count, steps[0]!.count),
    overTime: overTimeOf(question, results, periods)
  }
}

/** What SEMANTICS §2 says of every series, with loops over all markers and chains of them: nothing here is the product's. */
export const funnelByHand = (question: Asked) => {
  const { all, time, order, filters, isBrokenDown, breakdownLimit } = question
  const periods = periodsOf(time.zone, time.step, time.weekStart, time.from, time.to)
  const seen = all
    .filter((one) => one.at >= periods[0]!.start && one.at < time.to && passes(one, filters))
    .filter((one) => order === "strict" || stepOf(question, one) >= 0 || isExclusion(question, one))
    .sort((one, two) => one.at - two.at)
  const results = ["u1", "u2", "u3"].flatMap((unit) => {
    const own = seen.filter((one) => one.unit === unit)
    return own.length === 0 ? [] : grouped(question, unit, own)
  })
  const entered = results.filter(
    ([, { reached, starts }]) => reached > 0 || (isOverTime(question) && starts.length > 0)
  )
  const inGroup = (group: Group) => entered.filter(([other]) => other === group).map(([, result]) => result)
  if (!isBrokenDown) return [seriesOf(question, null, inGroup(null), periods)]
  const sizeOf = (group: Group) => inGroup(group).filter(({ reached }) => reached > 0).length
  const groups = entered.map(([group]) => group).filter(isDistinct)
  groups.sort((one, two) => sizeOf(two) - sizeOf(one) || inOrder(one, two))
  const rest = groups.slice(breakdownLimit).flatMap(inGroup)
  const merged = rest
    .map(({ unit }) => unit)
    .filter(isDistinct)
    .map((unit) =>
      bestOf(
        rest.filter((one) => one.unit === unit),
        unit
      )
    )
  return [
    ...groups.slice(0, breakdownLimit).map((group) => seriesOf(question, group, inGroup(group), periods)),
    ...(rest.length === 0 ? [] : [seriesOf(question, "Other", merged, periods)])
  ]
}

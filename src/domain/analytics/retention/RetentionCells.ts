import type { TimeSpan } from "../time/Buckets.ts"
import type { Criterion, RetentionPlan } from "./RetentionPlan.ts"
import { dayMillis, hourMillis } from "../../Durations.ts"

/**
 * The intervals after the start, both ends included, in which a return counts for the column; the first interval is 1.
 */
export type RetentionColumn = readonly [from: number, to: number]

/** The columns of a criterion, in order. */
export const columnsOf = (criterion: Criterion): ReadonlyArray<RetentionColumn> => {
  if (criterion.type === "brackets") return criterion.brackets
  const { type, columns } = criterion
  return Array.from({ length: columns }, (_, i): RetentionColumn => {
    const interval = i + 1
    if (type === "on") return [interval, interval]
    return type === "onOrBefore" ? [1, interval] : [interval, Infinity]
  })
}

/** Length in milliseconds of an interval of the rolling window. */
export const rollingLength: Record<"hour" | "day" | "week" | "month", number> = {
  hour: hourMillis,
  day: dayMillis,
  week: 7 * dayMillis,
  month: 30 * dayMillis
}

/** The instants in which starts count: the plan's periods, as far as the range of the question goes. */
export const startRange = ({
  periods: { boundaries },
  startsIn
}: Pick<RetentionPlan, "periods" | "startsIn">): TimeSpan => ({
  from: boundaries[0]!,
  to: Math.min(boundaries[boundaries.length - 1]!, startsIn?.to ?? Infinity)
})

/** The last interval that a column of the criterion looks at; Infinity when returns count however late they come. */
export const lastInterval = (criterion: Criterion): number =>
  columnsOf(criterion).reduce((most, [, to]) => Math.max(most, to), 0)

/**
 * The instants that hold every start of the plan's periods and every return that its cells may count. In calendar periods these are the
 * periods themselves. Rolling intervals count from each start, so returns are read until the last interval of the last start has ended.
 */
export const returnRange = ({ periods, criterion, window }: RetentionPlan): TimeSpan => {
  const [from, end] = [periods.boundaries[0]!, periods.boundaries[periods.boundaries.length - 1]!]
  if (window === "calendar") return { from, to: end }
  return { from, to: end + (lastInterval(criterion) + 1) * rollingLength[periods.step] }
}

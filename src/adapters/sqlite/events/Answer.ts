import type { StoredEvent } from "../../../domain/analytics/Event.ts"
import { everything, filterTest } from "../../../domain/analytics/Filter.ts"
import { funnel, funnelUnits } from "../../../domain/analytics/Funnel.ts"
import { heatmap } from "../../../domain/analytics/Heatmap.ts"
import { insight } from "../../../domain/analytics/Insight.ts"
import { selectorTest } from "../../../domain/analytics/Selector.ts"
import { retention } from "../../../domain/analytics/Retention.ts"
import { listing } from "./Listing.ts"
import type { CountedUnits, CountedUnitsPlan, Question, UnitSummary } from "./Question.ts"

/** The questions about single markers, as opposed to the catalogue. */
export type EventQuestion = Exclude<Question, { readonly kind: "types" | "names" | "values" }>

const summary = (events: ReadonlyArray<StoredEvent>, unitId: string): UnitSummary | null => {
  const own = events.filter((event) => event.unitId === unitId)
  if (own.length === 0) return null
  const times = own.map(({ timestamp }) => timestamp)
  const [firstSeenAt, lastSeenAt] = times.reduce(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)] as const,
    [Infinity, -Infinity] as const
  )
  return { unitId, firstSeenAt, lastSeenAt, events: own.length }
}

const countedUnits = (events: ReadonlyArray<StoredEvent>, plan: CountedUnitsPlan): CountedUnits => {
  const { range, minimum, maximum, limit } = plan
  const isSelected = selectorTest(plan.selector, everything)
  const counts = new Map<string, number>()
  for (const event of events)
    if (event.unitId !== null && event.timestamp >= range.from && event.timestamp < range.to && isSelected(event))
      counts.set(event.unitId, (counts.get(event.unitId) ?? 0) + 1)
  const found = [...counts].filter(([, count]) => count >= minimum && count <= (maximum ?? Infinity))
  const unitIds = found.map(([unitId]) => unitId).sort()
  return { count: found.length, unitIds: unitIds.slice(0, limit) }
}

/** The definition of every answer: the pure functions over all markers of the environment. */
export const answerOf = (events: ReadonlyArray<StoredEvent>, question: EventQuestion) => {
  switch (question.kind) {
    case "insight":
      return insight(events, question.plan)
    case "funnel":
      return funnel(events, question.plan)
    case "funnelUnits":
      return funnelUnits(events, question.plan)
    case "retention":
      return retention(events, question.plan)
    case "heatmap":
      return heatmap(events, question.plan)
    case "listing":
      return listing(events, question.plan, filterTest(question.plan.filter))
    case "countedUnits":
      return countedUnits(events, question.plan)
    case "unit":
      return summary(events, question.plan.unitId)
  }
}

import { type StoredEvent, valueNamed } from "../markers/Event.ts"
import type { RevenuePlan, UnitRevenue } from "../question/Question.ts"
import { exactSum } from "./Sum.ts"
import { numberOf } from "../filter/Value.ts"

const amountOf = ({ type, arguments: own }: StoredEvent, { argument, purchase }: RevenuePlan): number | null => {
  const amount = numberIn(valueNamed(own, argument))
  return amount === null && type === purchase.type ? numberIn(valueNamed(own, purchase.argument)) : amount
}

const numberIn = (value: StoredEvent["arguments"][string] | undefined): number | null =>
  value === undefined || typeof value === "object" ? null : numberOf(value)

/** For each asked unit, in order, the time of its first marker ever and its revenue within its own range. */
export const revenue = (events: ReadonlyArray<StoredEvent>, plan: RevenuePlan): ReadonlyArray<UnitRevenue> => {
  const { units } = plan
  const own = new Map(units.map(({ unitId }) => [unitId, new Array<StoredEvent>()]))
  for (const event of events) if (event.unitId !== null) own.get(event.unitId)?.push(event)
  return units.map(({ unitId, from, to }) => {
    const markers = own.get(unitId) ?? []
    const paid = markers.flatMap((marker) => {
      const amount = amountOf(marker, plan)
      return amount === null || marker.timestamp < from || marker.timestamp > to ? [] : [amount]
    })
    const firstSeenAt = markers.reduce((first, { timestamp }) => Math.min(first, timestamp), Infinity)
    return { firstSeenAt: firstSeenAt === Infinity ? null : firstSeenAt, revenue: exactSum(paid) }
  })
}

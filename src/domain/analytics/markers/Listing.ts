import type { StoredEvent } from "./Event.ts"
import type { ListingAnswer, ListingPlan } from "../question/Question.ts"

const newestFirst = (a: StoredEvent, b: StoredEvent): number => b.timestamp - a.timestamp || b.sequence - a.sequence

/** One page of markers, newest first. `holds` is the plan's filter as a test. */
export const listing = (
  events: ReadonlyArray<StoredEvent>,
  plan: ListingPlan,
  holds: (event: StoredEvent) => boolean
): ListingAnswer => {
  const { after, range, types, unitId, limit } = plan
  const asOf = after?.asOf ?? events.reduce((highest, event) => Math.max(highest, event.sequence), 0)
  const found = events.filter(
    (event) =>
      event.timestamp >= range.from &&
      event.timestamp < range.to &&
      event.sequence <= asOf &&
      (after === null ||
        event.timestamp < after.timestamp ||
        (event.timestamp === after.timestamp && event.sequence < after.sequence)) &&
      (types === null || types.includes(event.type)) &&
      (unitId === null || event.unitId === unitId) &&
      holds(event)
  )
  const items = found.sort(newestFirst).slice(0, limit)
  const last = items.at(-1)
  if (found.length <= limit || last === undefined) return { items, next: null }
  return { items, next: { timestamp: last.timestamp, sequence: last.sequence, asOf } }
}

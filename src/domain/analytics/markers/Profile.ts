import { elementsOf } from "../filter/Value.ts"
import { byTime, type StoredEvent, type Value, type Values } from "./Event.ts"

/** Whether a unit has this value by its latest marker with one: an empty one is none, as in conditions on properties. */
export const isProfileValue = (value: Value | undefined): value is Value => elementsOf(value).length > 0

/** The latest value of each property of a unit, of those that are not empty; names in UTF-16 order. */
export const profile = (events: ReadonlyArray<StoredEvent>, unitId: string): Values => {
  const latest = new Map<string, Value>()
  for (const event of events.filter((each) => each.unitId === unitId).sort(byTime))
    for (const [name, value] of Object.entries(event.properties)) if (isProfileValue(value)) latest.set(name, value)
  return profileOf(latest)
}

/** Sorts property values by name in UTF-16 order. */
export const profileOf = (latest: ReadonlyMap<string, Value>): Values =>
  Object.fromEntries([...latest].sort(([a], [b]) => (a < b ? -1 : 1)))

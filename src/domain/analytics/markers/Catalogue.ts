import type { Scalar, StoredEvent, Value } from "./Event.ts"
import { groupBy } from "../filter/Grouping.ts"
import { elementsOf } from "../filter/Value.ts"
import { type DataType, dataTypes } from "../question/Question.ts"
import type { SeenName, SeenType, SeenValue, ValuesPlan } from "../question/Question.ts"
import { dayMillis } from "../../Durations.ts"

/** Distinct values kept for each argument of a type. Their counts are exact as long as there are no more. */
export const keptValues = 1000
const trimmedAt = 4000

/** Values kept in one environment, however many names it has. */
const keptInAll = 500_000

/** Characters of the longest text that is kept as a value. */
const longestValue = 256

/** Values kept for each name of an environment that has so many names: 1,000 up to 500 names, then fewer, 50 with 10,000, at least 20. */
export const keptValuesOf = (names: number): number =>
  Math.max(20, Math.min(keptValues, Math.floor(keptInAll / Math.max(1, names))))

/** The property that names the version of the game. */
export const versionProperty = "appVersion"

export type FieldSource = "argument" | "property"

export interface TypeFacts {
  firstSeenAt: number
  lastSeenAt: number
  /** Markers by UTC day (days since 1970). */
  readonly days: Map<number, number>
}

export interface NameFacts {
  readonly source: FieldSource
  readonly name: string
  readonly type: string
  readonly kinds: Record<DataType, number>
  lastSeenAt: number
  readonly values: Map<Scalar, number>
  /**
   * When each value was first seen (epoch ms), -Infinity where it is known only that it was seen before this was kept; null for names
   * other than the version of the game.
   */
  readonly firstSights: Map<Scalar, number> | null
}

/** Room for the first sights of a name's values; null where nobody asks for them. */
export const firstSightsOf = (source: FieldSource, name: string): Map<Scalar, number> | null =>
  source === "property" && name === versionProperty ? new Map() : null

/** The data type of a value. */
export const kindOf = (value: Value): DataType => {
  const kind = typeof value
  return kind === "object" ? "array" : kind === "number" ? "number" : kind === "boolean" ? "boolean" : "string"
}

/** Adds `by` to the count of a key. */
export const increase = <Key>(counts: Map<Key, number>, key: Key, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** Notes that a value was seen at an instant; only the earliest of all instants stays. */
const noteSight = ({ firstSights }: NameFacts, value: Scalar, at: number): void => {
  if (firstSights !== null && at < (firstSights.get(value) ?? Infinity)) firstSights.set(value, at)
}

/** Counts a value that was seen, first at an instant (epoch ms); a long text is no value that anybody would choose from a list. */
export const countValue = (facts: NameFacts, value: Scalar, by: number, firstAt: number): void => {
  if (typeof value === "string" && value.length > longestValue) return
  increase(facts.values, value, by)
  noteSight(facts, value, firstAt)
}

const keyOf = (source: FieldSource, name: string, type: string): string => `${source}\u0000${type}\u0000${name}`

interface Counted {
  readonly value: Scalar
  readonly text: string
  readonly count: number
}

const byCount = (a: Counted, b: Counted): number =>
  b.count - a.count || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)

/** The most frequent values, ties by text, then by type, which follows it after U+0000. Only those that may be among them are made texts, each once. */
const mostFrequent = (counts: ReadonlyMap<Scalar, number>, most: number): ReadonlyArray<Counted> => {
  const sorted = new Float64Array(counts.size)
  let at = 0
  for (const count of counts.values()) sorted[at++] = count
  const least = sorted.sort().at(-most) ?? 0
  const kept: Array<Counted> = []
  for (const [value, count] of counts)
    if (count >= least) kept.push({ value, text: `${value}\0${typeof value}`, count })
  return kept.sort(byCount).slice(0, most)
}

/** What was seen in one environment: marker types, names and values. */
export class Catalogue {
  readonly types: Map<string, TypeFacts>
  readonly names: Map<string, NameFacts>

  /** Begins with what another one knows, and shares it from then on; without it with nothing. */
  constructor(types: Catalogue["types"] = new Map(), names: Catalogue["names"] = new Map()) {
    this.types = types
    this.names = names
  }

  /** Counts a marker, and the values of its arguments and properties. */
  add(event: StoredEvent): void {
    const { type, timestamp } = event
    this.type(type, timestamp, timestamp, Math.floor(timestamp / dayMillis), 1)
    for (const name in event.arguments) this.value("argument", name, type, timestamp, event.arguments[name]!)
    for (const name in event.properties) this.value("property", name, type, timestamp, event.properties[name]!)
  }

  /** Counts `events` markers of a type on a UTC day (days since 1970), seen between two instants (epoch ms). With 0 only the instants count. */
  type(type: string, firstSeenAt: number, lastSeenAt: number, day: number, events: number): void {
    let facts = this.types.get(type)
    if (facts === undefined) this.types.set(type, (facts = { firstSeenAt, lastSeenAt, days: new Map() }))
    facts.firstSeenAt = Math.min(facts.firstSeenAt, firstSeenAt)
    facts.lastSeenAt = Math.max(facts.lastSeenAt, lastSeenAt)
    if (events > 0) increase(facts.days, day, events)
  }

  /** What is known of a name of a type, which begins empty; changing it changes the catalogue. */
  name(source: FieldSource, name: string, type: string): NameFacts {
    const key = keyOf(source, name, type)
    const known = this.names.get(key)
    if (known !== undefined) return known
    const kinds = { string: 0, number: 0, boolean: 0, array: 0 }
    const facts = {
      source,
      name,
      type,
      kinds,
      lastSeenAt: -Infinity,
      values: new Map(),
      firstSights: firstSightsOf(source, name)
    }
    this.names.set(key, facts)
    return facts
  }

  /** Adds everything that another catalogue knows, apart from types of which no day is counted. */
  merge(other: Catalogue): void {
    for (const [type, { firstSeenAt, lastSeenAt, days }] of other.types)
      for (const [day, events] of days) this.type(type, firstSeenAt, lastSeenAt, day, events)
    for (const facts of other.names.values()) this.mergeName(facts)
  }

  /** Adds what another catalogue knows of a name, and answers all that is known now. Values are not trimmed. */
  mergeName(other: NameFacts): NameFacts {
    const facts = this.name(other.source, other.name, other.type)
    facts.lastSeenAt = Math.max(facts.lastSeenAt, other.lastSeenAt)
    for (const kind of dataTypes) facts.kinds[kind] += other.kinds[kind]
    for (const [value, count] of other.values) {
      increase(facts.values, value, count)
      noteSight(facts, value, other.firstSights?.get(value) ?? -Infinity)
    }
    return facts
  }

  private value(source: FieldSource, name: string, type: string, timestamp: number, value: Value): void {
    noteValue(this.name(source, name, type), value, timestamp)
  }
}

/** Notes a value that a marker of an instant (epoch ms) has of a name. */
export const noteValue = (facts: NameFacts, value: Value, timestamp: number): void => {
  facts.kinds[kindOf(value)]++
  if (timestamp > facts.lastSeenAt) facts.lastSeenAt = timestamp
  if (typeof value === "object") for (const element of elementsOf(value)) countValue(facts, element, 1, timestamp)
  else if (value !== "") countValue(facts, value, 1, timestamp)
  if (facts.values.size > trimmedAt) trim(facts)
}

/** Removes all but the most frequent values. Versions are always given the most room: one that is forgotten would be first seen again. */
export const trim = (facts: NameFacts, most = keptValues): void => {
  const { values, firstSights } = facts
  const room = firstSights === null ? most : keptValues
  if (values.size <= room) return
  const kept = mostFrequent(values, room)
  values.clear()
  for (const { value, count } of kept) values.set(value, count)
  for (const value of firstSights?.keys() ?? []) if (!values.has(value)) firstSights?.delete(value)
}

/** The marker types of a catalogue, as of `now` (epoch ms). */
export const seenTypes = (catalogue: Catalogue, now: number): ReadonlyArray<SeenType> => {
  const since = Math.floor(now / dayMillis) - 29
  const counts = new Map<string, number>()
  for (const { source, type } of catalogue.names.values()) if (source === "argument") increase(counts, type, 1)
  return [...catalogue.types]
    .map(([name, { firstSeenAt, lastSeenAt, days }]) => ({
      name,
      firstSeenAt,
      lastSeenAt,
      count30d: [...days].reduce((sum, [day, events]) => (day >= since ? sum + events : sum), 0),
      arguments: counts.get(name) ?? 0
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The names of a catalogue, of one type or (null) of all. */
export const seenNames = (catalogue: Catalogue, source: FieldSource, type: string | null): ReadonlyArray<SeenName> => {
  const wanted = [...catalogue.names.values()].filter(
    (facts) => facts.source === source && (type === null || facts.type === type)
  )
  return [...groupBy(wanted, ({ name }) => name)]
    .map(([name, facts]) => {
      const total = (kind: DataType) => facts.reduce((sum, { kinds }) => sum + kinds[kind], 0)
      return {
        name,
        dataType: dataTypes.reduce((best, kind) => (total(kind) > total(best) ? kind : best)),
        types: facts.map((fact) => fact.type).sort(),
        lastSeenAt: Math.max(...facts.map(({ lastSeenAt }) => lastSeenAt))
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The values that the plan selects, by frequency, ties by text, then by type. */
export const seenValues = (catalogue: Catalogue, plan: ValuesPlan): ReadonlyArray<SeenValue> => {
  const search = plan.search?.toLowerCase() ?? ""
  const counts = new Map<Scalar, number>()
  for (const { source, name, type, values } of catalogue.names.values())
    if (source === plan.source && name === plan.name && (plan.type === null || plan.type === type))
      for (const [value, count] of values)
        if (String(value).toLowerCase().includes(search)) increase(counts, value, count)
  return mostFrequent(counts, plan.limit).map(({ value, count }) => ({ value, count }))
}

import { kindOf } from "../analytics/markers/Catalogue.ts"
import type { Scalar } from "../analytics/markers/Event.ts"
import type { DataType } from "../analytics/question/Question.ts"
import { elementsOf } from "../analytics/filter/Value.ts"
import type { Context } from "./Context.ts"

/** What has been observed of a context property. */
export interface ContextFacts {
  readonly name: string
  /** How often each kind of value was sent. */
  readonly kinds: Readonly<Record<DataType, number>>
  /** The most frequent values with their counts, most frequent first. Counts are exact up to 200 distinct values. */
  readonly values: ReadonlyArray<readonly [Scalar, number]>
  /** Epoch ms. */
  readonly lastSeenAt: number
}

/** The number of names kept for an environment; further names are ignored. */
export const keptNames = 1000
const keptValues = 200
const maxValueLength = 128

/** Estimated memory of a name and of a value that were seen, without their characters. */
const bytesOfName = 400
const bytesOfValue = 80

const unseen: ContextFacts["kinds"] = { string: 0, number: 0, boolean: 0, array: 0 }

interface Sighting {
  readonly kinds: Record<DataType, number>
  readonly values: Map<Scalar, number>
  lastSeenAt: number
}

const isShort = (value: Scalar): boolean => typeof value !== "string" || value.length <= maxValueLength

const byCount = (a: readonly [Scalar, number], b: readonly [Scalar, number]): number =>
  b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1)

const merged = (
  facts: ContextFacts | undefined,
  name: string,
  { kinds, values, lastSeenAt }: Sighting
): ContextFacts => {
  const counts = new Map(facts?.values)
  for (const [value, count] of values) counts.set(value, (counts.get(value) ?? 0) + count)
  const before = facts?.kinds ?? unseen
  return {
    name,
    kinds: {
      string: before.string + kinds.string,
      number: before.number + kinds.number,
      boolean: before.boolean + kinds.boolean,
      array: before.array + kinds.array
    },
    values: [...counts].sort(byCount).slice(0, keptValues),
    lastSeenAt: Math.max(facts?.lastSeenAt ?? 0, lastSeenAt)
  }
}

/** Collects context properties until they are merged into the stored facts. */
export class ContextSightings {
  private readonly seen = new Map<string, Sighting>()
  private heldBytes = 0

  /** Estimated memory. */
  get bytes(): number {
    return this.heldBytes
  }

  /** Counts the values of a context that was seen at `now` (epoch ms). Null is no value, and long texts are not counted. */
  add(context: Context, now: number): void {
    for (const name in context) {
      const value = context[name]
      if (value === null || value === undefined) continue
      const sighting = this.sightingOf(name, now)
      if (sighting === undefined) continue
      sighting.kinds[kindOf(value)]++
      sighting.lastSeenAt = Math.max(sighting.lastSeenAt, now)
      for (const element of elementsOf(value)) this.count(sighting.values, element, 1)
    }
  }

  /** Adds sightings that were gathered after these, and answers these. */
  followedBy(later: ContextSightings): this {
    for (const [name, { kinds, values, lastSeenAt }] of later.seen) {
      const sighting = this.sightingOf(name, lastSeenAt)
      if (sighting === undefined) continue
      sighting.kinds.string += kinds.string
      sighting.kinds.number += kinds.number
      sighting.kinds.boolean += kinds.boolean
      sighting.kinds.array += kinds.array
      sighting.lastSeenAt = Math.max(sighting.lastSeenAt, lastSeenAt)
      for (const [value, count] of values) this.count(sighting.values, value, count)
    }
    return this
  }

  /** Undefined when as many names as are kept have been seen without this one. */
  private sightingOf(name: string, now: number): Sighting | undefined {
    const known = this.seen.get(name)
    if (known !== undefined || this.seen.size >= keptNames) return known
    const sighting: Sighting = { kinds: { ...unseen }, values: new Map(), lastSeenAt: now }
    this.seen.set(name, sighting)
    this.heldBytes += bytesOfName + 2 * name.length
    return sighting
  }

  private count(values: Map<Scalar, number>, value: Scalar, times: number): void {
    // To look for a long text reads all of it, and none is ever kept.
    if (!isShort(value)) return
    const count = values.get(value)
    if (count !== undefined) values.set(value, count + times)
    else if (values.size < 4 * keptValues) {
      values.set(value, times)
      this.heldBytes += bytesOfValue + (typeof value === "string" ? 2 * value.length : 0)
    }
  }

  /** The stored facts that change by what was collected, in their new form. Each is computed when it is asked for. */
  *addedTo(kept: ReadonlyArray<ContextFacts>): Generator<ContextFacts> {
    const known = new Map(kept.map((facts) => [facts.name, facts]))
    let room = keptNames - known.size
    for (const [name, sighting] of this.seen) {
      const facts = known.get(name)
      if (facts !== undefined || room-- > 0) yield merged(facts, name, sighting)
    }
  }
}

/** The facts without one value, for erasure. */
export const withoutValue = (facts: ContextFacts, value: Scalar): ContextFacts => ({
  ...facts,
  values: facts.values.filter(([each]) => each !== value)
})

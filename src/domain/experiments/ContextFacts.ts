import { kindOf } from "../analytics/markers/Catalogue.ts"
import type { Scalar } from "../analytics/markers/Event.ts"
import type { DataType } from "../analytics/question/Question.ts"
import { elementsOf } from "../analytics/filter/Value.ts"
import type { Context } from "./Context.ts"

/** What games have said of a context property. */
export interface ContextFacts {
  readonly name: string
  /** How often each kind of value was sent. */
  readonly kinds: Readonly<Record<DataType, number>>
  /** The most frequent values with their counts, most frequent first; exact while there are at most 200. */
  readonly values: ReadonlyArray<readonly [Scalar, number]>
  /** Epoch milliseconds. */
  readonly lastSeenAt: number
}

/** Names kept of an environment; later ones are passed over. */
export const keptNames = 1000
const keptValues = 200
const longestValue = 128

const unseen: ContextFacts["kinds"] = { string: 0, number: 0, boolean: 0, array: 0 }

interface Sighting {
  readonly kinds: Record<DataType, number>
  readonly values: Map<Scalar, number>
  lastSeenAt: number
}

const isShort = (value: Scalar): boolean => typeof value !== "string" || value.length <= longestValue

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

/** Context properties as they come in, until they are added to what is kept. */
export class ContextSightings {
  private readonly seen = new Map<string, Sighting>()

  add(context: Context, now: number): void {
    for (const name in context) {
      const value = context[name]
      if (value === null || value === undefined) continue
      let sighting = this.seen.get(name)
      if (sighting === undefined) {
        if (this.seen.size >= keptNames) continue
        this.seen.set(name, (sighting = { kinds: { ...unseen }, values: new Map(), lastSeenAt: now }))
      }
      sighting.kinds[kindOf(value)]++
      sighting.lastSeenAt = Math.max(sighting.lastSeenAt, now)
      for (const element of elementsOf(value)) this.count(sighting.values, element)
    }
  }

  private count(values: Map<Scalar, number>, value: Scalar): void {
    const count = values.get(value)
    if (count !== undefined) values.set(value, count + 1)
    else if (values.size < 4 * keptValues && isShort(value)) values.set(value, 1)
  }

  /** The facts that change, given those that are kept. */
  addedTo(kept: ReadonlyArray<ContextFacts>): ReadonlyArray<ContextFacts> {
    const known = new Map(kept.map((facts) => [facts.name, facts]))
    const room = keptNames - known.size
    const fresh = [...this.seen.keys()].filter((name) => !known.has(name)).slice(0, Math.max(0, room))
    const wanted = new Set(fresh)
    return [...this.seen]
      .filter(([name]) => known.has(name) || wanted.has(name))
      .map(([name, sighting]) => merged(known.get(name), name, sighting))
  }
}

/** The facts without a value. */
export const withoutValue = (facts: ContextFacts, value: Scalar): ContextFacts => ({
  ...facts,
  values: facts.values.filter(([each]) => each !== value)
})

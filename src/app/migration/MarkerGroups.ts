import type { CountedGroup } from "../../adapters/clickhouse/operations/MarkerCopy.ts"
import { dayMillis } from "../../domain/Durations.ts"

const keyOf = (type: string, day: number): string => JSON.stringify([type, day])

/** Counts markers as ClickHouse does (see `CountedGroup`). */
export class MarkerGroups {
  private readonly found = new Map<string, { count: number; sequences: bigint; millis: number; units: number }>()

  add(type: string, timestamp: number, sequence: number, hasUnit: boolean): void {
    const key = keyOf(type.toWellFormed(), Math.trunc(timestamp / dayMillis))
    const known = this.found.get(key) ?? { count: 0, sequences: 0n, millis: 0, units: 0 }
    known.count++
    known.sequences += BigInt(sequence)
    known.millis += timestamp % dayMillis
    if (hasUnit) known.units++
    this.found.set(key, known)
  }

  /** The first type and day of which the other side says something else; null where both agree. */
  differenceTo(others: ReadonlyArray<CountedGroup>): string | null {
    const rest = new Map(this.found)
    for (const [type, day, count, sequences, millis, units] of others) {
      const key = keyOf(type, day)
      const own = rest.get(key)
      rest.delete(key)
      if (own === undefined) return key
      const isSame =
        own.count === count && String(own.sequences) === sequences && own.millis === millis && own.units === units
      if (!isSame) return key
    }
    const [missing] = rest.keys()
    return missing ?? null
  }
}

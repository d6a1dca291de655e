import { hourMillis } from "../../../../domain/Durations.ts"
import { firstPlace } from "../../../../domain/FirstPlace.ts"
import { ByteReader } from "../bytes/ByteReader.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import {
  readCodes,
  readDifferences,
  readIntegersAt,
  writeDifferences,
  writeIntegers
} from "../bytes/IntegerEncoding.ts"

export const hoursPerDay = 24

/** The units with markers on one UTC day: unit and a bit for each of its active hours in turn, units ascending. */
export type ActiveDay = Uint32Array

/** Collects the active hours of units: for each day (since 1970, UTC) and unit, bit h is set for hour h. */
export class ActiveHours {
  private readonly collected = new Map<number, Map<number, number>>()
  private lastDay = NaN
  private last = new Map<number, number>()

  add(unit: number, time: number): void {
    if (unit === 0) return
    const hours = Math.floor(time / hourMillis)
    const day = Math.floor(hours / hoursPerDay)
    if (day !== this.lastDay) {
      const known = this.collected.get(day)
      this.last = known ?? new Map<number, number>()
      if (known === undefined) this.collected.set(day, this.last)
      this.lastDay = day
    }
    const known = this.last.get(unit) ?? 0
    const all = known | (1 << (hours - day * hoursPerDay))
    if (all !== known) this.last.set(unit, all)
  }

  /** What was collected, by day. */
  get days(): ReadonlyMap<number, ActiveDay> {
    return new Map(Array.from(this.collected, ([day, units]) => [day, inOrder(units)]))
  }
}

const inOrder = (units: ReadonlyMap<number, number>): ActiveDay => {
  const order = new Uint32Array(units.size)
  let count = 0
  for (const unit of units.keys()) order[count++] = unit
  order.sort()
  const day = new Uint32Array(count * 2)
  for (let at = 0; at < count; at++) {
    day[at * 2] = order[at]!
    day[at * 2 + 1] = units.get(order[at]!)!
  }
  return day
}

/** The units of both, each with the hours of both. */
export const mergeDay = (known: ActiveDay, collected: ActiveDay): ActiveDay => {
  const merged = new Uint32Array(known.length + collected.length)
  let [size, from, other] = [0, 0, 0]
  while (from < known.length || other < collected.length) {
    const unit = known[from] ?? Infinity
    const another = collected[other] ?? Infinity
    let hours = 0
    if (unit <= another) {
      hours |= known[from + 1]!
      from += 2
    }
    if (another <= unit) {
      hours |= collected[other + 1]!
      other += 2
    }
    merged[size++] = Math.min(unit, another)
    merged[size++] = hours
  }
  return merged.slice(0, size)
}

export const withoutUnits = (day: ActiveDay, units: ReadonlySet<number>): ActiveDay =>
  day.filter((_, at) => !units.has(day[at - (at % 2)]!))

/** Every unit (0) or every bit set (1) of the day. */
const half = (day: ActiveDay, second: 0 | 1): Uint32Array => {
  const values = new Uint32Array(day.length / 2)
  for (let at = 0; at < values.length; at++) values[at] = day[at * 2 + second]!
  return values
}

export const encodeDay = (day: ActiveDay): Uint8Array => {
  const out = new ByteWriter()
  out.varint(day.length / 2)
  writeDifferences(out, half(day, 0))
  writeIntegers(out, half(day, 1))
  return out.finish()
}

export const decodeDay = (data: Uint8Array): ActiveDay => {
  const from = new ByteReader(data)
  const count = from.varint()
  const units = readDifferences(from, count)
  const hours = readCodes(from, count)
  const day = new Uint32Array(count * 2)
  for (let at = 0; at < count; at++) {
    day[at * 2] = units[at]!
    day[at * 2 + 1] = hours[at]!
  }
  return day
}

/** The active hours of one unit, a bit for each; 0 where it was not active. */
export const hoursOfUnit = (day: ActiveDay, unit: number): number => {
  const place = firstPlace(day.length / 2, (at) => day[at * 2]! >= unit)
  return day[place * 2] === unit ? day[place * 2 + 1]! : 0
}

/** `hoursOfUnit` of an encoded day. The hours take the most time to decode, and most units are not active on most days. */
export const decodeHoursOfUnit = (data: Uint8Array, unit: number): number => {
  const from = new ByteReader(data)
  const count = from.varint()
  const units = readDifferences(from, count)
  const place = firstPlace(count, (at) => units[at]! >= unit)
  return units[place] === unit ? readIntegersAt(from, count, Uint32Array.of(place))[0]! : 0
}

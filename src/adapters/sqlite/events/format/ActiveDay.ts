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
  readonly days = new Map<number, Map<number, number>>()
  private lastDay = NaN
  private last = new Map<number, number>()

  add(unit: number, time: number): void {
    if (unit === 0) return
    const hours = Math.floor(time / hourMillis)
    const day = Math.floor(hours / hoursPerDay)
    if (day !== this.lastDay) {
      const known = this.days.get(day)
      this.last = known ?? new Map<number, number>()
      if (known === undefined) this.days.set(day, this.last)
      this.lastDay = day
    }
    this.last.set(unit, (this.last.get(unit) ?? 0) | (1 << (hours - day * hoursPerDay)))
  }
}

/** One day's stored units united with those collected since. */
export const mergeDay = (known: ActiveDay, gathered: ReadonlyMap<number, number>): ActiveDay => {
  const all = new Map(gathered)
  for (let at = 0; at < known.length; at += 2) all.set(known[at]!, (all.get(known[at]!) ?? 0) | known[at + 1]!)
  const merged = new Uint32Array(all.size * 2)
  for (const [at, unit] of Uint32Array.from(all.keys()).sort().entries()) {
    merged[at * 2] = unit
    merged[at * 2 + 1] = all.get(unit)!
  }
  return merged
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

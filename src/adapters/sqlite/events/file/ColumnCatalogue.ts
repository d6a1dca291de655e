import {
  Catalogue,
  countValue,
  keptValues,
  kindOf,
  type NameFacts
} from "../../../../domain/analytics/markers/Catalogue.ts"
import { dayMillis } from "../../../../domain/Durations.ts"
import { elementsOf } from "../../../../domain/analytics/filter/Value.ts"
import { type Column, hasValue } from "../format/Column.ts"
import { namedByGame } from "../format/ColumnName.ts"
import type { SegmentRows } from "../format/SegmentRows.ts"

/** Integers from 0 up to here are counted in an array: most numbers of games are levels, amounts and the like. */
const countedIntegers = 1024

/**
 * Counts numbers. Once `keptValues` distinct ones are known, further distinct values are not added; known ones still
 * count.
 */
const addNumbers = (facts: NameFacts, numbers: Float64Array, times: ArrayLike<number>): void => {
  const { values } = facts
  // How often a value was seen that the catalogue knows, to be added in the end. First sights need every instant.
  const seen = new Uint32Array(facts.firstSights === null ? countedIntegers : 0)
  const isSeen = new Uint8Array(seen.length)
  let [present, last] = [0, facts.lastSeenAt]
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row]!
    if (Number.isNaN(value)) continue
    present++
    const time = times[row]!
    if (time > last) last = time
    const integer = value | 0
    const isCounted = integer === value && integer >= 0 && integer < seen.length
    if (isCounted && isSeen[integer] === 1) seen[integer]!++
    else if (values.has(value) || values.size < keptValues) {
      countValue(facts, value, 1, time)
      if (isCounted) isSeen[integer] = 1
    }
  }
  for (let integer = 0; integer < seen.length; integer++)
    if (seen[integer]! > 0) countValue(facts, integer, seen[integer]!, last)
  facts.kinds.number += present
  facts.lastSeenAt = last
}

/** A catalogue that learns from whole columns instead of single markers. */
export class ColumnCatalogue extends Catalogue {
  /** Adds rows of one type by their instants (epoch ms). Call `addColumn` for each of their columns afterwards. */
  addTimes(type: string, times: ArrayLike<number>): void {
    let [first, last, day, events] = [Infinity, -Infinity, NaN, 0]
    for (let row = 0; row < times.length; row++) {
      const time = times[row]!
      if (time < first) first = time
      if (time > last) last = time
      const own = Math.floor(time / dayMillis)
      if (own !== day) {
        if (events > 0) this.type(type, first, last, day, events)
        day = own
        events = 0
      }
      events++
    }
    if (events > 0) this.type(type, first, last, day, events)
  }

  /** Adds rows of one type. */
  addRows(type: string, rows: SegmentRows): void {
    this.addTimes(type, rows.times)
    for (const name of rows.columnNames) {
      const column = rows.column(name)
      if (column !== undefined) this.addColumn(type, name, column, rows.times)
    }
  }

  /**
   * Adds one stored column. The engine's own columns are ignored, and those without a value: a marker that was sent again, and is left out, may alone
   * have had the name.
   */
  addColumn(type: string, name: string, column: Column, times: ArrayLike<number>): void {
    const named = namedByGame(name)
    if (named === null || !hasValue(column)) return
    const facts = this.name(named.source, named.name, type)
    if (column.type === "numbers") return addNumbers(facts, column.values, times)
    const { codes, dictionary } = column
    const counts = new Uint32Array(dictionary.count + 1)
    const firsts = new Float64Array(dictionary.count + 1).fill(Infinity)
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      counts[code]!++
      if (times[row]! < firsts[code]!) firsts[code] = times[row]!
      if (code !== 0 && times[row]! > facts.lastSeenAt) facts.lastSeenAt = times[row]!
    }
    for (let index = 0; index < dictionary.count; index++) {
      const value = dictionary.value(index)
      facts.kinds[kindOf(value)] += counts[index + 1]!
      for (const element of elementsOf(value)) countValue(facts, element, counts[index + 1]!, firsts[index + 1]!)
    }
  }
}

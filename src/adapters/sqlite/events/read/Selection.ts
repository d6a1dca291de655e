import type { Range } from "../../../../domain/analytics/time/Buckets.ts"
import type { Filter } from "../../../../domain/analytics/filter/Filter.ts"
import { type Membership, refineBy, refineTypes } from "./Condition.ts"
import { sequence } from "../bytes/Sequence.ts"
import type { Slab } from "../file/Slab.ts"

/** Rows of one slab, ascending. Without `rows` it is all from `from` up to `to`, with it the places of `rows` between the two. */
export interface Selection {
  readonly slab: Slab
  readonly rows: Uint32Array | null
  readonly from: number
  readonly to: number
}

const refineAny = (rows: Uint32Array, count: number, slab: Slab, filter: Filter, membership: Membership): number => {
  const isKept = new Uint8Array(slab.rows)
  for (const condition of filter.conditions) {
    const copy = rows.slice(0, count)
    const kept = refineBy(slab, condition, membership)(copy, count)
    for (let index = 0; index < kept; index++) isKept[copy[index]!] = 1
  }
  let kept = 0
  for (let index = 0; index < count; index++) {
    const row = rows[index]!
    rows[kept] = row
    kept += isKept[row]!
  }
  return kept
}

const refineFilter = (rows: Uint32Array, count: number, slab: Slab, filter: Filter, membership: Membership): number => {
  if (filter.conditions.length === 0) return count
  if (filter.match === "any") return refineAny(rows, count, slab, filter, membership)
  return filter.conditions.reduce(
    (left, condition) => (left === 0 ? 0 : refineBy(slab, condition, membership)(rows, left)),
    count
  )
}

const isPossible = (slab: Slab, types: ReadonlySet<string> | null, { from, to }: Range): boolean =>
  slab.rows > 0 &&
  slab.firstTimestamp < to &&
  slab.lastTimestamp >= from &&
  (slab.type === null || types === null || types.has(slab.type))

/** What is selected from every slab of a question. */
export class Wanted {
  /** Null: any. */
  readonly types: ReadonlySet<string> | null
  readonly filters: ReadonlyArray<Filter>
  /** Equal for equal rows of a slab; null when that depends on more than the markers. */
  readonly key: string | null

  /** `revisionOf` tells the generations of cohorts by one number each. */
  constructor(
    types: ReadonlyArray<string> | null,
    filters: ReadonlyArray<Filter>,
    revisionOf: ((cohortId: number) => number) | null = null
  ) {
    this.types = types === null ? null : new Set(types)
    this.filters = filters.filter(({ conditions }) => conditions.length > 0)
    const conditions = this.filters.flatMap((filter) => filter.conditions)
    const cohorts = conditions.flatMap((condition) => ("cohortIds" in condition ? condition.cohortIds : []))
    const isKnown = conditions.every(
      (condition) =>
        condition.source === "argument" ||
        condition.source === "property" ||
        (revisionOf !== null && "cohortIds" in condition)
    )
    this.key = isKnown ? JSON.stringify([this.filters, cohorts.map((id) => revisionOf?.(id))]) : null
  }
}

/** Of some rows, which are overwritten, the ones that are of the types and pass the filters. */
const refine = (slab: Slab, { types, filters }: Wanted, rows: Uint32Array, membership: Membership): Uint32Array => {
  let count = rows.length
  if (slab.type === null && types !== null) count = refineTypes(slab, types)(rows, count)
  for (const filter of filters) if (count > 0) count = refineFilter(rows, count, slab, filter, membership)
  return rows.slice(0, count)
}

const placesIn = (slab: Slab, { from, to }: Range): readonly [from: number, to: number] => [
  slab.firstTimestamp >= from ? 0 : slab.rowAt(from),
  slab.lastTimestamp < to ? slab.rows : slab.rowAt(to)
]

/** The rows of a slab that are of one of the types, in the range, and pass all filters; null when there is none. */
export const select = (slab: Slab, wanted: Wanted, range: Range, membership: Membership): Selection | null => {
  const { types, filters, key } = wanted
  if (!isPossible(slab, types, range)) return null
  const [from, to] = placesIn(slab, range)
  if (from >= to) return null
  const byType = slab.type === null && types !== null
  if (!byType && filters.length === 0) return { slab, rows: null, from, to }
  const find = () => refine(slab, wanted, sequence(from, to), membership)
  const ofTypes = byType ? JSON.stringify([...types]) : ""
  const rows = key === null ? find() : slab.derived(`rows ${from} ${to} ${ofTypes} ${key}`, find)
  return rows.length === 0 ? null : { slab, rows, from: 0, to: rows.length }
}

/** The same of one unit only. */
export const selectOfUnit = (
  slab: Slab,
  unit: number,
  wanted: Wanted,
  range: Range,
  membership: Membership
): Selection | null => {
  if (!isPossible(slab, wanted.types, range)) return null
  const units = slab.units()
  const own: Array<number> = []
  for (let row = units.indexOf(unit); row >= 0; row = units.indexOf(unit, row + 1)) own.push(row)
  if (own.length === 0) return null
  const [from, to] = placesIn(slab, range)
  const inRange = Uint32Array.from(own.filter((row) => row >= from && row < to))
  const rows = refine(slab, wanted, inRange, membership)
  return rows.length === 0 ? null : { slab, rows, from: 0, to: rows.length }
}

/** Finds places in a selection; the slab is asked only for instants between its first and last. */
export class Places {
  private readonly selection: Selection
  private lastInstant = -Infinity
  private lastPlace: number

  constructor(selection: Selection) {
    this.selection = selection
    this.lastPlace = selection.from
  }

  /** The place of the first row at or after the instant. */
  at(instant: number): number {
    const { slab, rows, from, to } = this.selection
    if (instant === this.lastInstant) return this.lastPlace
    if (instant <= slab.firstTimestamp) return from
    if (instant > slab.lastTimestamp) return to
    const row = slab.rowAt(instant)
    let low = instant > this.lastInstant ? this.lastPlace : from
    let high = to
    if (rows === null) low = Math.min(Math.max(row, from), to)
    else
      while (low < high) {
        const middle = (low + high) >>> 1
        if (rows[middle]! < row) low = middle + 1
        else high = middle
      }
    this.lastInstant = instant
    this.lastPlace = low
    return low
  }
}

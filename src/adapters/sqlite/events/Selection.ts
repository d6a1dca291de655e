import type { Range } from "../../../domain/analytics/Buckets.ts"
import type { Filter } from "../../../domain/analytics/Filter.ts"
import type { Selector } from "../../../domain/analytics/Selector.ts"
import { type Membership, refineBy, refineTypes } from "./Condition.ts"
import { rowAt, type Slab } from "./Slab.ts"

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

const sequence = (from: number, to: number): Uint32Array => {
  const rows = new Uint32Array(to - from)
  for (let index = 0; index < rows.length; index++) rows[index] = from + index
  return rows
}

const isPossible = (slab: Slab, types: ReadonlySet<string> | null, { from, to }: Range): boolean =>
  slab.rows > 0 &&
  slab.firstTimestamp < to &&
  slab.lastTimestamp >= from &&
  (slab.type === null || types === null || types.has(slab.type))

/** The rows of a slab that are of one of the types (null: any), in the range, and pass all filters; null when none can be. */
export const select = (
  slab: Slab,
  types: ReadonlySet<string> | null,
  filters: ReadonlyArray<Filter>,
  range: Range,
  membership: Membership
): Selection | null => {
  if (!isPossible(slab, types, range)) return null
  const isWhole = slab.firstTimestamp >= range.from && slab.lastTimestamp < range.to
  const [from, to] = isWhole ? [0, slab.rows] : [rowAt(slab.times(), range.from), rowAt(slab.times(), range.to)]
  if (from >= to) return null
  const byType = slab.type === null && types !== null
  if (!byType && filters.every(({ conditions }) => conditions.length === 0)) return { slab, rows: null, from, to }
  const rows = sequence(from, to)
  let count = rows.length
  if (byType) count = refineTypes(slab, types)(rows, count)
  for (const filter of filters) if (count > 0) count = refineFilter(rows, count, slab, filter, membership)
  return count === 0 ? null : { slab, rows, from: 0, to: count }
}

/** Of a metric or step: the selector and the filter of the whole question. */
export const selectBy = (
  slab: Slab,
  selector: Selector,
  filter: Filter,
  range: Range,
  membership: Membership
): Selection | null => select(slab, new Set(selector.types), [selector.filter, filter], range, membership)

/** Finds places in a selection; the times of the slab are read only for instants between its first and last. */
export class Places {
  private readonly selection: Selection
  private times: Float64Array | null = null
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
    const times = (this.times ??= slab.times())
    let low = instant > this.lastInstant ? this.lastPlace : from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (times[rows === null ? middle : rows[middle]!]! < instant) low = middle + 1
      else high = middle
    }
    this.lastInstant = instant
    this.lastPlace = low
    return low
  }
}

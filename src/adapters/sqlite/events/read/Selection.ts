import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { Filter } from "../../../../domain/analytics/filter/Filter.ts"
import { isDone } from "../../../../domain/analytics/filter/Memberships.ts"
import { type Membership, refineBy, refinePlaced, refineTypes } from "./Condition.ts"
import { sequence } from "../bytes/Sequence.ts"
import type { RowBlock } from "../file/RowBlock.ts"

/** Selected rows of one block, ascending: `rows[from..to)`, or the rows `from..to` themselves when `rows` is null. */
export interface Selection {
  readonly block: RowBlock
  readonly rows: Uint32Array | null
  readonly from: number
  readonly to: number
  /** The key under which the block keeps the rows, if it does. */
  readonly key?: string
}

const refineAny = (
  rows: Uint32Array,
  count: number,
  block: RowBlock,
  filter: Filter,
  membership: Membership
): number => {
  const isKept = new Uint8Array(block.rows)
  for (const condition of filter.conditions) {
    const copy = rows.slice(0, count)
    const kept = refineBy(block, condition, membership)(copy, count)
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

const refineFilter = (
  rows: Uint32Array,
  count: number,
  block: RowBlock,
  filter: Filter,
  membership: Membership
): number => {
  if (filter.conditions.length === 0) return count
  if (filter.match === "any") return refineAny(rows, count, block, filter, membership)
  return filter.conditions.reduce(
    (left, condition) => (left === 0 ? 0 : refineBy(block, condition, membership)(rows, left)),
    count
  )
}

/** Rows that have a position (`placed`), or whose type tells what a player did (`done`); null: all. */
export type Only = "placed" | "done" | null

/** What a question selects from each block. */
export class Wanted {
  /** Null selects every type. */
  readonly types: ReadonlySet<string> | null
  readonly filters: ReadonlyArray<Filter>
  /**
   * Equal keys select equal rows of a block. Null when the selection depends on more than markers and cohort
   * generations, and so cannot be cached.
   */
  readonly key: string | null
  readonly only: Only

  /** `revisionOf` gives the current revision of a cohort's members; null when cohorts cannot be part of a key. */
  constructor(
    types: ReadonlyArray<string> | null,
    filters: ReadonlyArray<Filter>,
    revisionOf: ((cohortId: number) => number) | null = null,
    only: Only = null
  ) {
    this.only = only
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

const isPossible = (block: RowBlock, { types, only }: Wanted, { from, to }: TimeSpan): boolean =>
  block.rows > 0 &&
  block.firstTimestamp < to &&
  block.lastTimestamp >= from &&
  (block.type === null || ((types === null || types.has(block.type)) && (only !== "done" || isDone(block.type))))

/** Of `rows`, which is overwritten, those of a wanted type that pass all filters. */
const refine = (
  block: RowBlock,
  { types, filters, only }: Wanted,
  rows: Uint32Array,
  membership: Membership
): Uint32Array => {
  let count = rows.length
  if (block.type === null && types !== null) count = refineTypes(block, (type) => types.has(type))(rows, count)
  if (block.type === null && only === "done") count = refineTypes(block, isDone)(rows, count)
  // Few rows have a position: the filters then look at these alone.
  if (only === "placed") count = refinePlaced(block)(rows, count)
  for (const filter of filters) if (count > 0) count = refineFilter(rows, count, block, filter, membership)
  return rows.slice(0, count)
}

const placesIn = (block: RowBlock, { from, to }: TimeSpan): readonly [from: number, to: number] => [
  block.firstTimestamp >= from ? 0 : block.rowAt(from),
  block.lastTimestamp < to ? block.rows : block.rowAt(to)
]

const ofRows = (block: RowBlock, rows: Uint32Array): Selection | null =>
  rows.length === 0 ? null : { block, rows, from: 0, to: rows.length }

/** Selects a block's rows of the wanted types, in the range, that pass all filters; null when there are none. */
export const select = (block: RowBlock, wanted: Wanted, range: TimeSpan, membership: Membership): Selection | null => {
  const { types, filters, key, only } = wanted
  if (!isPossible(block, wanted, range)) return null
  const [from, to] = placesIn(block, range)
  if (from >= to) return null
  const byType = block.type === null && types !== null
  // In a block of one type, `isPossible` has told whether its rows were done by players.
  const isAny = only === null || (only === "done" && block.type !== null)
  if (!byType && isAny && filters.length === 0) return { block, rows: null, from, to }
  const find = () => refine(block, wanted, sequence(from, to), membership)
  const ofTypes = byType ? JSON.stringify([...types]) : ""
  if (key === null) return ofRows(block, find())
  const own = `rows ${from} ${to} ${only ?? ""}${ofTypes} ${key}`
  const selection = ofRows(block, block.derived(own, find))
  return selection === null ? null : { ...selection, key: own }
}

/** Like `select`, for the rows of one unit. */
export const selectOfUnit = (
  block: RowBlock,
  unit: number,
  wanted: Wanted,
  range: TimeSpan,
  membership: Membership
): Selection | null => {
  if (!isPossible(block, wanted, range)) return null
  const own = block.rowsOfUnit(unit)
  if (own.length === 0) return null
  const [from, to] = placesIn(block, range)
  const inRange = Uint32Array.from(own.filter((row) => row >= from && row < to))
  return ofRows(block, refine(block, wanted, inRange, membership))
}

/** Finds places in a selection by instant. It remembers the last answer, because callers ask in ascending order. */
export class Places {
  private readonly selection: Selection
  private lastInstant = -Infinity
  private lastPlace: number

  constructor(selection: Selection) {
    this.selection = selection
    this.lastPlace = selection.from
  }

  /** The place of the first selected row at or after the instant (epoch ms). */
  at(instant: number): number {
    const { block, rows, from, to } = this.selection
    if (instant === this.lastInstant) return this.lastPlace
    if (instant <= block.firstTimestamp) return from
    if (instant > block.lastTimestamp) return to
    const row = block.rowAt(instant)
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

import { type GroupValues, groupKey, other, topGroups, whole } from "../filter/Breakdown.ts"
import { ColumnBits } from "./ColumnBits.ts"
import { columnsOf } from "./RetentionCells.ts"
import type { RetentionAnswer, RetentionPlan, RetentionRow } from "./RetentionPlan.ts"
import type { UnitCells } from "./UnitRetention.ts"

/** The cells that a unit counts in, in one of its groups. */
export interface GroupCells {
  readonly group: GroupValues
  readonly cells: UnitCells
}

/** The rows of an answer, from the cohort size of each period and the number of units retained in each column. */
export const retentionRows = (
  plan: RetentionPlan,
  sizes: ArrayLike<number>,
  counts: ReadonlyArray<ArrayLike<number>>
): ReadonlyArray<RetentionRow> =>
  Array.from({ length: plan.rows }, (_, row) => {
    const period = plan.firstRow + row
    return {
      size: sizes[period] ?? 0,
      cells: columnsOf(plan.criterion).map(([interval], column) => {
        const cohort = plan.dateBy === "return" ? period - interval : period
        return { count: counts[cohort]?.[column] ?? 0, of: sizes[cohort] ?? 0 }
      })
    }
  })

/** Sizes of cohorts and numbers of retained units, of one series. */
class Counts {
  private readonly plan: RetentionPlan
  private readonly columns: ColumnBits
  private readonly sizes: Float64Array
  private readonly counts: ReadonlyArray<Float64Array>

  constructor(plan: RetentionPlan, columns: ColumnBits) {
    this.plan = plan
    this.columns = columns
    this.sizes = new Float64Array(plan.periods.boundaries.length - 1)
    const width = columnsOf(plan.criterion).length
    this.counts = Array.from(this.sizes, () => new Float64Array(width))
  }

  /** Counts a unit of the cohort, retained in the columns whose bits are set in the words from `at` on. */
  add(cohort: number, words: ArrayLike<number>, at: number): void {
    this.sizes[cohort]!++
    this.columns.count(words, at, this.counts[cohort]!)
  }

  rows(): ReadonlyArray<RetentionRow> {
    return retentionRows(this.plan, this.sizes, this.counts)
  }
}

/** A group that units were counted in. */
export interface CountedGroup {
  readonly values: GroupValues
  /** Sizes of its rows together. */
  total: number
  /** Whether any number of its rows is above 0. */
  isShown: boolean
}

/** A group of a tally, and its place among the groups. */
interface Known extends CountedGroup {
  readonly place: number
}

/** By period, whether its cohort is a row of the answer, and whether any cell of a row is a share of it. */
export const shownPeriods = ({
  periods: { boundaries },
  firstRow,
  rows,
  dateBy,
  criterion
}: RetentionPlan): { readonly isRow: ReadonlyArray<boolean>; readonly isShown: ReadonlyArray<boolean> } => {
  const periods = Array.from({ length: boundaries.length - 1 }, (_, period) => period)
  const columns = columnsOf(criterion)
  const isRow = (period: number) => period >= firstRow && period < firstRow + rows
  return {
    isRow: periods.map(isRow),
    isShown: periods.map(
      (period) => isRow(period) || (dateBy === "return" && columns.some(([interval]) => isRow(period + interval)))
    )
  }
}

/**
 * The series of an answer with a breakdown: the groups with the largest rows, then the one that merges all others with a number above 0.
 * `rowsOf` gives the rows of a shown group, and with null those of all others.
 */
export const groupedSeries = <Group extends CountedGroup>(
  groups: ReadonlyArray<Group>,
  limit: number,
  rowsOf: (shown: ReadonlyArray<Group>) => (group: Group | null) => ReadonlyArray<RetentionRow>
): RetentionAnswer => {
  const scored = groups.filter(({ isShown }) => isShown)
  const byValues = new Map(scored.map((group) => [group.values, group]))
  const shown = topGroups(
    scored.map(({ values, total }) => [values, total] as const),
    limit
  ).flatMap((values) => byValues.get(values) ?? [])
  const rows = rowsOf(shown)
  const series = shown.map((group) => ({ group: { values: group.values, isOther: false }, rows: rows(group) }))
  return { series: scored.length === shown.length ? series : [...series, { group: other, rows: rows(null) }] }
}

/** The columns of an entry before its words: number of the unit, place of the group, cohort. */
const heading = 3

/**
 * Counts units into the cells of an answer, one unit at a time. With a breakdown the cells of all units are kept, in a few bytes each,
 * because which groups are shown and which are merged is known at the end alone; a unit in several groups that are merged counts once.
 */
export class RetentionTally {
  private readonly plan: RetentionPlan
  private readonly whole: Counts | null
  private readonly columns: ColumnBits
  private readonly isRow: ReadonlyArray<boolean>
  private readonly isShown: ReadonlyArray<boolean>
  private readonly places = new Map<string, number>()
  /** The same by the very list of values, which takes less time than a key of them where groups come with the same list each time. */
  private readonly placesOfLists = new WeakMap<GroupValues, number>()
  private readonly groups: Array<Known> = []
  private entries = new Uint32Array(1024)
  private length = 0
  private units = 0

  constructor(plan: RetentionPlan) {
    this.plan = plan
    this.columns = new ColumnBits(plan.criterion)
    this.whole = plan.breakdowns.length === 0 ? new Counts(plan, this.columns) : null
    const { isRow, isShown } = shownPeriods(plan)
    this.isRow = isRow
    this.isShown = isShown
  }

  /** Adds the cells of a unit in each of its groups. Each unit is added once. */
  add(groups: ReadonlyArray<GroupCells>): void {
    this.units++
    const { words } = this.columns
    for (const { group, cells } of groups) {
      const { cohorts, retained } = cells
      for (let at = 0; at < cohorts.length; at++)
        if (this.whole === null) this.append(this.placeOf(group), cohorts[at]!, retained, at * words)
        else this.whole.add(cohorts[at]!, retained, at * words)
    }
  }

  /** The answer for the units that were added so far. */
  answer(): RetentionAnswer {
    if (this.whole !== null) return { series: [{ group: whole, rows: this.whole.rows() }] }
    return groupedSeries(this.groups, this.plan.breakdownLimit, (shown) => {
      const counts = new Map(shown.map(({ place }) => [place, new Counts(this.plan, this.columns)]))
      const rest = new Counts(this.plan, this.columns)
      this.count((place) => counts.get(place), rest)
      return (group) => (group === null ? rest : counts.get(group.place))?.rows() ?? []
    })
  }

  /** Counts all entries: those of a group that is shown in its own counts, of all others in `rest`, each unit once. */
  private count(shown: (place: number) => Counts | undefined, rest: Counts): void {
    const merged = new Map<number, Uint32Array>()
    const flush = () => {
      for (const [cohort, words] of merged) rest.add(cohort, words, 0)
      merged.clear()
    }
    const { entries } = this
    const width = heading + this.columns.words
    let last = 0
    for (let at = 0; at < this.length; at += width) {
      const [unit, place, cohort] = [entries[at]!, entries[at + 1]!, entries[at + 2]!]
      if (unit !== last) flush()
      last = unit
      const own = shown(place)
      if (own !== undefined) own.add(cohort, entries, at + heading)
      else {
        const words = merged.get(cohort)
        if (words === undefined) merged.set(cohort, entries.slice(at + heading, at + width))
        else for (let word = 0; word < words.length; word++) words[word]! |= entries[at + heading + word]!
      }
    }
    flush()
  }

  private placeOf(values: GroupValues): number {
    const same = this.placesOfLists.get(values)
    if (same !== undefined) return same
    const place = this.placeByKey(values)
    this.placesOfLists.set(values, place)
    return place
  }

  private placeByKey(values: GroupValues): number {
    const key = groupKey(values)
    const known = this.places.get(key)
    if (known !== undefined) return known
    const place = this.groups.length
    this.places.set(key, place)
    this.groups.push({ values, place, total: 0, isShown: false })
    return place
  }

  private append(place: number, cohort: number, words: ReadonlyArray<number>, from: number): void {
    const group = this.groups[place]!
    if (this.isRow[cohort] === true) group.total++
    if (this.isShown[cohort] === true) group.isShown = true
    const at = this.length
    this.length += heading + this.columns.words
    if (this.length > this.entries.length) {
      const longer = new Uint32Array(this.entries.length * 2)
      longer.set(this.entries)
      this.entries = longer
    }
    const { entries } = this
    entries[at] = this.units
    entries[at + 1] = place
    entries[at + 2] = cohort
    for (let word = 0; word < this.columns.words; word++) entries[at + heading + word] = words[from + word]!
  }
}

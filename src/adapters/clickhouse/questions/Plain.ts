import { Effect } from "effect"
import { bucketAt } from "../../../domain/analytics/time/Buckets.ts"
import type { TypeCounts, TypeCountsPlan } from "../../../domain/analytics/markers/TypeCounts.ts"
import type { CountedUnits, CountedUnitsPlan, UnitSummary } from "../../../domain/analytics/question/Question.ts"
import { beginningOf } from "./Periods.ts"
import { scopes } from "./Scope.ts"
import type { Telling } from "./Telling.ts"

/** Counts the units with so many of the selected markers. */
export const countedUnitsInSql = (plan: CountedUnitsPlan, { rows, where, conditions }: Telling) =>
  Effect.gen(function* () {
    const { minimum, maximum, limit, selector } = plan
    const filter = yield* conditions.filter(selector.filter)
    const most = maximum === null ? "" : ` and markers <= ${maximum}`
    const units = `select unit, count() as markers from marker where ${where(scopes.countedUnits(plan))} and hasUnit and ${filter} group by unit having markers >= ${minimum}${most}`
    if (limit > 0) {
      const found = yield* rows<readonly [string, number]>(units)
      const unitIds = found.map(([unit]) => unit).sort()
      const answer: CountedUnits = { count: unitIds.length, unitIds: unitIds.slice(0, limit) }
      return { answer, markers: found.reduce((sum, [, markers]) => sum + markers, 0) }
    }
    const [counted] = yield* rows<readonly [number, number]>(`select count(), sum(markers) from (${units})`)
    const answer: CountedUnits = { count: counted?.[0] ?? 0, unitIds: [] }
    return { answer, markers: counted?.[1] ?? 0 }
  })

/** Counts the markers of each type between the boundaries. */
export const typeCountsInSql = (plan: TypeCountsPlan, { rows, where }: Telling) => {
  const { boundaries } = plan
  const bucket = beginningOf(boundaries)
  return Effect.map(
    rows<readonly [type: string, begins: number, count: number]>(
      `select type, ${bucket} as begins, count() from marker where ${where(scopes.typeCounts(plan))} group by type, begins`
    ),
    (found) => {
      const counts = new Map<string, Array<number>>()
      for (const [type, begins, count] of found) {
        const own = counts.get(type) ?? Array.from({ length: boundaries.length - 1 }, () => 0)
        own[bucketAt(boundaries, begins)] = count
        counts.set(type, own)
      }
      const answer = [...counts].map(([name, own]): TypeCounts => ({ name, counts: own }))
      answer.sort((a, b) => (a.name < b.name ? -1 : 1))
      return { answer, markers: found.reduce((sum, [, , count]) => sum + count, 0) }
    }
  )
}

/** The first and last marker of a unit, and their number. */
export const unitInSql = (plan: { readonly unitId: string }, { rows, where }: Telling) =>
  Effect.map(
    rows<readonly [first: number, last: number, count: number]>(
      `select min(at), max(at), count() from marker where ${where(scopes.unit(plan))}`
    ),
    ([found]) => {
      const [firstSeenAt, lastSeenAt, events] = found ?? [0, 0, 0]
      const answer: UnitSummary | null = events === 0 ? null : { unitId: plan.unitId, firstSeenAt, lastSeenAt, events }
      return { answer, markers: events }
    }
  )

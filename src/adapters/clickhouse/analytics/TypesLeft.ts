import { Effect } from "effect"
import type { Catalogue } from "../../../domain/analytics/markers/Catalogue.ts"
import {
  type CountedDay,
  type DayLeft,
  firstLeft,
  lastLeft
} from "../../../domain/analytics/markers/CatalogueRemoval.ts"
import { groupBy } from "../../../domain/analytics/filter/Grouping.ts"
import { dayMillis } from "../../../domain/Durations.ts"
import { ClickHouse } from "../ClickHouse.ts"
import { textLiteral, textLiterals } from "../Literals.ts"

/** A day of a type that is counted, and when the type was first and last seen by what its lines say. */
type DayRow = readonly [type: string, day: number, events: number, first: number, last: number]

const dayOf = ([, day, events]: DayRow): CountedDay => ({ day, events })

type LeftRow = readonly [events: number, first: number, last: number]

/** A type whose first and last instants are to be said anew (epoch ms). */
interface Restated {
  readonly type: string
  readonly first: number
  readonly last: number
}

const valueOf = (column: string, found: ReadonlyArray<Restated>, text: (each: Restated) => string): string =>
  `${column} = multiIf(${found.map((each) => `type = ${textLiteral(each.type)}, ${text(each)}`).join(", ")}, ${column})`

/** Says anew when types were first and last seen, where markers that are gone were the first or the last. The rest is chosen by a condition. */
export const makeRestate = Effect.map(ClickHouse, ({ rows, run }) => {
  const leftOn = (environment: number, type: string, { day }: CountedDay, others: string) =>
    Effect.map(
      rows<LeftRow>(
        `select count(), min(at), max(at) from marker where environment = ${environment} and type = ${textLiteral(type)}
          and at >= ${day * dayMillis} and at < ${(day + 1) * dayMillis} and ${others}`
      ),
      ([found]): DayLeft => ({ events: found?.[0] ?? 0, first: found?.[1] ?? 0, last: found?.[2] ?? 0 })
    )

  return (environment: number, gone: Catalogue, others: string) =>
    Effect.gen(function* () {
      const types = textLiterals(gone.types.keys())
      const where = `environment = ${environment} and kind = 'type' and type in (${types})`
      const days = yield* rows<DayRow>(
        `select type, day, sum(n) as events, min(firstAt), max(lastAt) from catalogue where ${where}
          group by type, day having events > 0 order by type, day`
      )
      const restated: Array<Restated> = []
      for (const [type, own] of groupBy(days, ([name]) => name)) {
        const seen = gone.types.get(type)
        const [head, tail] = [own[0], own.at(-1)]
        if (seen === undefined || head === undefined || tail === undefined) continue
        const knownFirst = Math.min(...own.map(([, , , first]) => first))
        const knownLast = Math.max(...own.map(([, , , , last]) => last))
        const [firstDay, lastDay] = [dayOf(head), dayOf(tail)]
        const isFirst = seen.firstSeenAt <= knownFirst
        const isLast = seen.lastSeenAt >= knownLast
        if (!isFirst && !isLast) continue
        const left = yield* leftOn(environment, type, isFirst ? firstDay : lastDay, others)
        const isOther = isFirst && isLast && lastDay.day !== firstDay.day
        const atEnd = isOther ? yield* leftOn(environment, type, lastDay, others) : left
        const first = isFirst ? firstLeft(knownFirst, firstDay, left) : knownFirst
        const last = isLast ? lastLeft(knownLast, lastDay, atEnd) : knownLast
        restated.push({ type, first, last })
      }
      if (restated.length === 0) return
      const firsts = valueOf("firstAt", restated, ({ first }) => `greatest(firstAt, ${first})`)
      const lasts = valueOf("lastAt", restated, ({ last }) => `least(lastAt, ${last})`)
      yield* run(`alter table catalogue update ${firsts}, ${lasts} where ${where} settings mutations_sync = 2`)
    })
})

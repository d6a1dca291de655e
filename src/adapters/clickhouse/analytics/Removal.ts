import { Effect } from "effect"
import { dayMillis } from "../../../domain/Durations.ts"
import { keptValues } from "../../../domain/analytics/markers/Catalogue.ts"
import { namesUnit } from "../../../domain/operations/Mentions.ts"
import type { MaintenancePlan } from "../../../ports/analytics/EventStore.ts"
import { Turns } from "../../../ports/operations/Turns.ts"
import type { EventLog } from "../../postgres/analytics/EventLog.ts"
import type { MarkerKeys } from "../../postgres/analytics/MarkerKeys.ts"
import { storedValue } from "../CatalogueRows.ts"
import { ClickHouse } from "../ClickHouse.ts"
import { textLiteral, textLiterals } from "../Literals.ts"
import { inEach } from "./InEach.ts"
import { deletion, makeUncount } from "./Uncounting.ts"
import { unitPart, withoutMarkers, withoutUnit } from "../RemovedLines.ts"
import { tableNames } from "../Tables.ts"
import { type Mover, turnOf } from "./Mover.ts"
import { pastRetention } from "../questions/Where.ts"
import { counted } from "../../../domain/Counted.ts"

/** Removes markers: those past retention, those of a unit, those of environments that are gone. */
export const makeRemoval = (log: EventLog, keys: MarkerKeys, mover: Mover, dedupeDays: number) =>
  Effect.gen(function* () {
    const { rows, run } = yield* ClickHouse
    const uncount = yield* makeUncount
    const turns = yield* Turns

    /** In the environment's turn, when ClickHouse has all markers that were appended before. */
    const inTurn = <A, E, R>(environment: number, effect: Effect.Effect<A, E, R>) =>
      turns.alone(turnOf(environment), Effect.zipRight(mover.moveAll(environment), effect))

    /** Counts a removal before and after it, so that no answer computed meanwhile counts as up to date. */
    const removing = <A, E, R>(environment: number, effect: Effect.Effect<A, E, R>) =>
      Effect.zipLeft(Effect.zipRight(log.removal(environment), effect), log.removal(environment))

    const removePast = (environment: number, past: string) =>
      Effect.gen(function* () {
        const where = `environment = ${environment} and ${past}`
        const [found] = yield* rows<readonly [number]>(`select count() from marker where ${where}`)
        const count = found?.[0] ?? 0
        if (count === 0) return
        yield* removing(environment, run(deletion("marker", where)))
        yield* Effect.logInfo(`Retention deleted ${counted(count, "marker")} of environment ${environment}`)
      })

    /** Of names that have far more values than are kept, only the most frequent stay. */
    const trim = (environment: number) =>
      Effect.gen(function* () {
        const values = `environment = ${environment} and kind = 'value'`
        const names = yield* rows<readonly [source: string, name: string, type: string]>(
          `select source, name, type from catalogue where ${values} group by source, name, type
            having uniqExact(value) > ${4 * keptValues}`
        )
        for (const [source, name, type] of names) {
          const own = `${values} and source = ${textLiteral(source)} and name = ${textLiteral(name)} and type = ${textLiteral(type)}`
          const kept = yield* rows<readonly [string]>(
            `select value from catalogue where ${own} group by value order by sum(n) desc, value limit ${keptValues}`
          )
          yield* run(deletion("catalogue", `${own} and value not in (${textLiterals(kept.map(([value]) => value))})`))
        }
      })

    const retire = ({ environmentId, ...limit }: MaintenancePlan["retention"][number]) =>
      Effect.gen(function* () {
        const past = pastRetention(limit)
        if (past !== null) yield* inTurn(environmentId, removePast(environmentId, past))
        yield* inTurn(environmentId, trim(environmentId))
      })

    const maintain = ({ now, retention }: MaintenancePlan) =>
      Effect.gen(function* () {
        const retired = yield* Effect.either(inEach(retention, retire))
        yield* keys.close(Math.floor(now / dayMillis) - dedupeDays - 1)
        yield* retired
      })

    /** Removes values of the catalogue that name the unit. */
    const forget = (environment: number, unitId: string) =>
      Effect.gen(function* () {
        const where = `environment = ${environment} and kind = 'value'`
        const within = textLiteral(JSON.stringify(unitId.toWellFormed()).slice(1, -1))
        const found = yield* rows<readonly [string]>(
          `select distinct value from catalogue where ${where} and position(value, ${within}) > 0`
        )
        const values = found.flatMap(([value]) => (namesUnit(storedValue(value), unitId) ? [value] : []))
        if (values.length > 0) yield* run(deletion("catalogue", `${where} and value in (${textLiterals(values)})`))
      })

    const removeUnit = (environment: number, unitId: string, flushed: number) => {
      const unit = `environment = ${environment} and unit = ${textLiteral(unitId)}`
      return Effect.gen(function* () {
        yield* uncount(environment, unitId, flushed)
        yield* run(deletion("marker", `${unit} and hasUnit`))
        yield* run(deletion("stay", unit))
        yield* forget(environment, unitId)
      })
    }

    /**
     * Removes the unit's markers from the log first, so that none of them goes to ClickHouse any more, and then those that ClickHouse has.
     */
    const erase = (environment: number, unitId: string) =>
      turns.alone(
        turnOf(environment),
        removing(
          environment,
          Effect.gen(function* () {
            const { flushed } = yield* log.head(environment)
            yield* log.rewrite(environment, unitPart(unitId), (payload) => withoutUnit(payload, unitId))
            yield* mover.moveAll(environment)
            yield* removeUnit(environment, unitId, flushed)
          })
        )
      )

    /**
     * Removes the environment's rows of the table. A table without such rows is left alone, because removed environments are dropped again
     * every hour.
     */
    const empty = (environment: number, table: string) =>
      Effect.gen(function* () {
        const where = `environment = ${environment}`
        const [found] = yield* rows<readonly [number]>(`select count() from ${table} where ${where}`)
        if (found?.[0] !== 0) yield* run(deletion(table, where))
      })

    /**
     * Removes an environment. A block that may be on its way loses its markers, so that none of them can arrive after the others were
     * removed.
     */
    const drop = (environment: number) =>
      turns.alone(
        turnOf(environment),
        Effect.gen(function* () {
          yield* log.remove(environment, withoutMarkers)
          yield* mover.moveAll(environment)
          for (const table of tableNames) yield* empty(environment, table)
        })
      )

    return { maintain, erase, drop }
  })

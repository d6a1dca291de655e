import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Member, MembersPage, Stay } from "../../../ports/cohorts/CohortMembers.ts"
import { finishedStays, type Generations } from "../questions/Members.ts"
import { ClickHouse } from "../ClickHouse.ts"
import { textLiteral, textLiterals } from "../Literals.ts"

const absent: Stay = { isMember: false, enteredAt: null, leftAt: null }

/**
 * A text of SQL whose bytes are ordered as its UTF-16 code units are: characters outside of the basic plane, which begin with F0 to F4 in
 * UTF-8, come before U+E000 to U+FFFF, which begin with EE and EF.
 */
const inOrder = (text: string): string => String.raw`replaceAll(replaceAll(${text}, '\xEE', '\xF8'), '\xEF', '\xF9')`

const lineOf = (environment: number, cohort: number, at: number, entered: boolean) => (unit: string) =>
  JSON.stringify({ environment, cohort, unit: unit.toWellFormed(), at, entered })

/** Who entered and left cohorts, in ClickHouse. `generations` are the latest that count, or those as of an instant. */
export const makeStays = Effect.map(ClickHouse, ({ rows, run, insert }) => {
  const current = "group by unit having argMax(entered, at)"

  /** Removes what was written after the instant, of a generation that was not finished; null: all there is. */
  const removeAfter = (environment: number, cohort: number, at: number | null) => {
    const where = `environment = ${environment} and cohort = ${cohort}${at === null ? "" : ` and at > ${at}`}`
    return Effect.flatMap(rows<readonly [number]>(`select count() from stay where ${where}`), ([found]) =>
      found?.[0] === 0 ? Effect.void : run(`alter table stay delete where ${where} settings mutations_sync = 2`)
    )
  }

  const add = (
    environment: number,
    cohort: number,
    at: number,
    come: ReadonlyArray<string>,
    gone: ReadonlyArray<string>
  ) => {
    const lines = [
      ...come.map(lineOf(environment, cohort, at, true)),
      ...gone.map(lineOf(environment, cohort, at, false))
    ]
    return lines.length === 0
      ? Effect.void
      : insert("stay", [Buffer.from(lines.join("\n"))], `stay:${environment}:${cohort}:${at}:${randomUUID()}`)
  }

  const members = (environment: number, generations: Generations, { after, limit }: MembersPage) => {
    const where = finishedStays(environment, generations)
    if (where === null) return Effect.succeed([])
    const rest = after === null ? "" : `and ${inOrder("unit")} > ${inOrder(textLiteral(after))}`
    return Effect.map(
      rows<readonly [unit: string, enteredAt: number]>(
        `select unit, maxIf(at, entered) from stay where ${where} ${rest} ${current} order by ${inOrder("unit")} limit ${limit}`
      ),
      (found): ReadonlyArray<Member> => found.map(([unitId, enteredAt]) => ({ unitId, enteredAt }))
    )
  }

  const count = (environment: number, generations: Generations) => {
    const where = finishedStays(environment, generations)
    if (where === null) return Effect.succeed(0)
    return Effect.map(
      rows<readonly [number]>(`select count() from (select unit from stay where ${where} ${current})`),
      ([found]) => found?.[0] ?? 0
    )
  }

  const staysOf = (environment: number, generations: Generations, unitIds: ReadonlyArray<string>) => {
    const where = finishedStays(environment, generations)
    if (where === null || unitIds.length === 0) return Effect.succeed(unitIds.map(() => absent))
    return Effect.map(
      rows<readonly [unit: string, isMember: boolean, enteredAt: number, changedAt: number]>(
        `select unit, argMax(entered, at) as member, maxIf(at, entered), max(at) from stay
          where ${where} and unit in (${textLiterals(new Set(unitIds))}) group by unit`
      ),
      (found): ReadonlyArray<Stay> => {
        const stays = new Map(
          found.map(([unit, isMember, enteredAt, changedAt]) => [
            unit,
            { isMember, enteredAt, leftAt: isMember ? null : changedAt }
          ])
        )
        return unitIds.map((unitId) => stays.get(unitId) ?? absent)
      }
    )
  }

  const cohortsOf = (environment: number, generations: Generations, unitId: string) => {
    const where = finishedStays(environment, generations)
    if (where === null) return Effect.succeed([])
    return rows<readonly [cohort: number, enteredAt: number]>(
      `select cohort, maxIf(at, entered) from stay where ${where} and unit = ${textLiteral(unitId)}
        group by cohort having argMax(entered, at) order by cohort`
    )
  }

  return { removeAfter, add, members, count, staysOf, cohortsOf }
})

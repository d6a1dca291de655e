import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Exposure } from "../../../domain/experiments/Exposure.ts"
import { type ColumnType, forRows } from "../GivenRows.ts"
import type { StepStatement } from "../OneStep.ts"

/** One unit, at one instant. */
type UnitKey = Pick<Exposure, "environmentId" | "distinctId" | "unitType" | "at">

type Statements = (sql: string) => StepStatement

const isOfUnit = (one: UnitKey, other: UnitKey): boolean =>
  one.distinctId === other.distinctId &&
  one.at === other.at &&
  one.unitType === other.unitType &&
  one.environmentId === other.environmentId

/** Those that follow one another and are of one unit at one instant, together. */
const byUnit = (exposures: ReadonlyArray<Exposure>): ReadonlyArray<readonly [Exposure, ...Array<Exposure>]> => {
  const units: Array<[Exposure, ...Array<Exposure>]> = []
  let last: [Exposure, ...Array<Exposure>] | undefined
  for (const each of exposures)
    if (last !== undefined && isOfUnit(last[0], each)) last.push(each)
    else units.push((last = [each]))
  return units
}

/** The groups of experiments in JSON; null instead of each takes them out of such a text. */
const textOf = (exposures: ReadonlyArray<Exposure>, isKept: boolean): string => {
  const groups: Record<string, number | null> = {}
  for (const { experimentId, groupId } of exposures) groups[experimentId] = isKept ? groupId : null
  return JSON.stringify(groups)
}

const keyOf = ({ environmentId, distinctId, unitType, at }: UnitKey) => [environmentId, distinctId, unitType, at]

const insert = `insert into unmarked_units (environment_id, distinct_id, unit_type, at, exposures) values (?, ?, ?, ?, ?)
  on conflict (environment_id, distinct_id, unit_type, at) do update set exposures = json_patch(exposures, excluded.exposures)`

const ofUnit = "environment_id = ? and distinct_id = ? and unit_type = ? and at = ?"

const removeWhole = `delete from unmarked_units where ${ofUnit} and exposures = ?`

const removeSome = `update unmarked_units set exposures = json_patch(exposures, ?) where ${ofUnit}`

const removeExposure = `delete from unmarked_exposures
  where environment_id = ? and distinct_id = ? and experiment_id = ? and group_id = ? and at = ?`

/** Notes exposures with which units are enrolled, in SQLite: a row for each unit and instant. */
export const noteUnits = (statement: Statements, exposures: ReadonlyArray<Exposure>): void => {
  const inserting = statement(insert)
  for (const own of byUnit(exposures)) inserting.change([...keyOf(own[0]), textOf(own, true)])
}

/** Forgets exposures whose markers are stored, in SQLite. Where all of a unit are given as they were noted, which is the rule, that is one row. */
export const forgetMarked = (statement: Statements, marked: ReadonlyArray<Exposure>): void => {
  const removing = statement(removeWhole)
  for (const own of byUnit(marked)) {
    const key = keyOf(own[0])
    if (removing.change([...key, textOf(own, true)]) > 0) continue
    if (statement(removeSome).change([textOf(own, false), ...key]) > 0) removing.change([...key, "{}"])
    for (const { environmentId, distinctId, experimentId, groupId, at } of own)
      statement(removeExposure).change([environmentId, distinctId, experimentId, groupId, at])
  }
}

type Types = Readonly<Record<keyof Exposure, ColumnType>>

const isGiven = ["environment_id", "distinct_id", "unit_type", "at"]
  .map((column) => `unmarked_units.${column} = given.${column}`)
  .join(" and ")

/** Statements about the notes of units that both engines have. */
export const unmarkedUnits = (sql: SqlClient.SqlClient, types: Types) => {
  const [groups, columns, group] = sql.onDialectOrElse({
    pg: () => [
      "json_each_text(exposures::json) as noted (experiment, own)",
      "environment_id, experiment::bigint as experiment_id, own::bigint as group_id, unit_type, distinct_id, at",
      "(exposures::json ->> given.experiment_id::text)::bigint"
    ],
    orElse: () => [
      "json_each(exposures) as noted",
      "environment_id, cast(noted.key as integer) as experiment_id, noted.value as group_id, unit_type, distinct_id, at",
      // The driver passes numbers as floating-point ones, whose texts end with ".0".
      "exposures ->> cast(cast(given.experiment_id as integer) as text)"
    ]
  })
  const removing = forRows<Exposure>(
    sql,
    types,
    (given) => `update unmarked_units set exposures = (exposures::jsonb - given.ids)::text from (
        select environment_id, distinct_id, unit_type, at, array_agg(experiment_id::text) as ids from ${given} group by 1, 2, 3, 4
      ) as given where ${isGiven}`
  )
  return {
    /** Which of the rows of `given` are noted, for `from ... where`. */
    isNoted: `unmarked_units on ${isGiven} and ${group} = given.group_id`,
    /** The columns of exposures, for `select`. */
    all: `select ${columns} from unmarked_units, ${groups}`,
    /** Forgets exposures whose markers are stored, in PostgreSQL, where rows come of folders that were brought along alone. */
    forget: (marked: ReadonlyArray<Exposure>) =>
      Effect.flatMap(sql`select 1 from unmarked_units limit 1`, ({ length }) =>
        length === 0
          ? Effect.void
          : Effect.zipRight(removing(marked), Effect.asVoid(sql`delete from unmarked_units where exposures = '{}'`))
      )
  }
}

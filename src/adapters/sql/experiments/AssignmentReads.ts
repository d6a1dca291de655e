import { type SqlClient, SqlSchema } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Schema, String } from "effect"
import { AssignmentSource, AssignmentStatus } from "../../../domain/experiments/Assignment.ts"
import { UnitType } from "../../../domain/experiments/Experiment.ts"
import type { StoredAssignment } from "../../../domain/experiments/StoredAssignment.ts"
import { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { dialectOf } from "../Dialect.ts"
import type { OneStep } from "../OneStep.ts"
import type { RowGuard } from "../sums/RowGuard.ts"
import type { SummedRow } from "../sums/RowSum.ts"
import { assignments as summed } from "../sums/SummedTables.ts"
import { trustedRows } from "../Trusted.ts"

const Row = Schema.Struct({
  experimentId: ExperimentId,
  unitType: UnitType,
  distinctId: Schema.String,
  automaticGroupId: Schema.NullOr(ExperimentGroupId),
  overrideGroupId: Schema.NullOr(ExperimentGroupId),
  status: AssignmentStatus,
  source: AssignmentSource,
  version: Schema.Number,
  assignedAt: Schema.Number,
  firstExposedAt: Schema.NullOr(Schema.Number)
})

const TotalRow = Schema.Struct({ groupId: ExperimentGroupId, status: AssignmentStatus, count: Schema.Number })
const CountRow = Schema.Struct({ experimentId: ExperimentId, count: Schema.Number })

const One = Schema.Struct({ environmentId: EnvironmentId, experimentId: ExperimentId, distinctId: Schema.String })
const Filter = Schema.Struct({
  experimentId: ExperimentId,
  search: Schema.NullOr(Schema.String),
  source: Schema.NullOr(AssignmentSource),
  status: Schema.NullOr(AssignmentStatus),
  groupId: Schema.NullOr(ExperimentGroupId)
})
const Page = Schema.Struct({ ...Filter.fields, offset: Schema.Number, limit: Schema.Number })

type Rows = Effect.Effect<ReadonlyArray<SummedRow>, SqlError>

/** The types of an assignment's columns. */
export const typesOfAssignment = {
  experimentId: "bigint",
  unitType: "text",
  distinctId: "text",
  automaticGroupId: "bigint",
  overrideGroupId: "bigint",
  status: "text",
  source: "text",
  version: "bigint",
  assignedAt: "bigint",
  firstExposedAt: "bigint"
} as const

const escaped = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`)

/** Numbers of units for which there are statements of a few lengths alone, so that those that are prepared are found again. */
const mostPadded = 1024

/** The same units, the last one as often as needed to make their number a power of two. */
const padded = (distinctIds: ReadonlyArray<string>): ReadonlyArray<string> => {
  const count = distinctIds.length
  const last = distinctIds[count - 1]
  if (last === undefined || count > mostPadded) return distinctIds
  return [...distinctIds, ...Array.from({ length: 2 ** Math.ceil(Math.log2(count)) - count }, () => last)]
}

/** Without what is stored beside it. */
const assignmentOf = (row: StoredAssignment): StoredAssignment => ({
  experimentId: row.experimentId,
  unitType: row.unitType,
  distinctId: row.distinctId,
  automaticGroupId: row.automaticGroupId,
  overrideGroupId: row.overrideGroupId,
  status: row.status,
  source: row.source,
  version: row.version,
  assignedAt: row.assignedAt,
  firstExposedAt: row.firstExposedAt
})

/** The reads of assignments; those that may be long by `long`. */
export const assignmentReads = (
  sql: SqlClient.SqlClient,
  long: SqlClient.SqlClient,
  { demand, columnsOf }: RowGuard["Type"],
  step: OneStep["Type"]
) => {
  // Both ignore the case of ASCII letters alone.
  const like = dialectOf(sql).named("like", "ilike")
  const own = Object.keys(typesOfAssignment).map(String.camelToSnake)
  const stored = [...own, "environment_id", "group_id", ...columnsOf(summed)]
  const all = sql.literal(stored.join(", "))
  const aliased = stored.map((name) => `${name} as "${String.snakeToCamel(name)}"`).join(", ")
  const ofUnitsText = (environment: string, units: string, type: string) => `select ${aliased} from assignments
    where environment_id = ${environment} and distinct_id ${units} and unit_type = ${type} order by distinct_id, experiment_id`
  type OfUnits = (environmentId: number, unitType: string, distinctIds: ReadonlyArray<string>) => Rows
  /** Every unit that a game asks about for the first time is read, so SQLite does it in one step. */
  const ofUnits = (): OfUnits => {
    if (step === null) {
      const text = ofUnitsText("$1", "= any($2)", "$3")
      return (environmentId, unitType, distinctIds) =>
        sql.unsafe<SummedRow>(text, [environmentId, distinctIds, unitType]).withoutTransform
    }
    const texts = new Map<number, string>()
    const textFor = (count: number): string => {
      const known = texts.get(count)
      if (known !== undefined) return known
      const text = ofUnitsText("?", `in (${Array.from({ length: count }, () => "?").join(", ")})`, "?")
      if (count <= mostPadded) texts.set(count, text)
      return text
    }
    return (environmentId, unitType, distinctIds) => {
      const given = padded(distinctIds)
      return step.read((statement) =>
        trustedRows<SummedRow>(statement(textFor(given.length)).all([environmentId, ...given, unitType]))
      )
    }
  }
  const unitRows = ofUnits()
  const ofGroup = ({ experimentId, status, groupId }: typeof Filter.Encoded) => [
    sql`experiment_id = ${experimentId}`,
    ...(status === null ? [] : [sql`status = ${status}`]),
    ...(groupId === null ? [] : [sql`group_id = ${groupId}`])
  ]
  const matching = (filter: typeof Filter.Encoded) =>
    sql.and([
      ...ofGroup(filter),
      ...(filter.search === null ? [] : [sql`distinct_id ${like} ${`%${escaped(filter.search)}%`} escape '\\'`]),
      ...(filter.source === null ? [] : [sql`source = ${filter.source}`])
    ])
  return {
    ofUnits: (environmentId: EnvironmentId, unitType: UnitType, distinctIds: ReadonlyArray<string>) =>
      Effect.flatMap(unitRows(environmentId, unitType, distinctIds), (rows) =>
        rows.length === 0
          ? Effect.succeed([])
          : Effect.map(demand(summed, Effect.succeed(rows)), (sound) =>
              trustedRows<StoredAssignment>(sound).map(assignmentOf)
            )
      ),
    find: SqlSchema.findOne({
      Request: One,
      Result: Row,
      execute: ({ environmentId, experimentId, distinctId }) =>
        demand(
          summed,
          sql`select ${all} from assignments where environment_id = ${environmentId}
            and experiment_id = ${experimentId} and distinct_id = ${distinctId}`
        )
    }),
    page: SqlSchema.findAll({
      Request: Page,
      Result: Row,
      execute: ({ offset, limit, ...filter }) =>
        demand(
          summed,
          long`select ${all} from assignments where ${matching(filter)}
            order by assigned_at desc, distinct_id limit ${limit} offset ${offset}`
        )
    }),
    total: SqlSchema.single({
      Request: Filter,
      Result: Schema.Struct({ count: Schema.Number }),
      execute: (filter) =>
        filter.search === null && filter.source === null
          ? sql`select coalesce(sum(count), 0) as count from assignment_totals where ${sql.and(ofGroup(filter))}`
          : long`select count(*) as count from assignments where ${matching(filter)}`
    }),
    totals: SqlSchema.findAll({
      Request: ExperimentId,
      Result: TotalRow,
      execute: (id) => sql`select group_id, status, count from assignment_totals
        where experiment_id = ${id} and count > 0 order by group_id, status`
    }),
    counts: SqlSchema.findAll({
      Request: EnvironmentId,
      Result: CountRow,
      execute: (id) => sql`select experiment_id, sum(count) as count from assignment_totals
        where environment_id = ${id} group by experiment_id having sum(count) > 0 order by experiment_id`
    })
  }
}

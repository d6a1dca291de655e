import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { AssignmentSource, AssignmentStatus } from "../../../domain/experiments/Assignment.ts"
import { UnitType } from "../../../domain/experiments/Experiment.ts"
import { groupIn, type StoredAssignment } from "../../../domain/experiments/StoredAssignment.ts"
import { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { AssignmentRepo } from "../../../ports/experiments/AssignmentRepo.ts"
import { LongReads } from "../LongReads.ts"
import { inPortions, rowsAtOnce } from "../Portions.ts"
import { RowGuard } from "../sums/RowGuard.ts"
import { sumOf, type SummedRow } from "../sums/RowSum.ts"
import { assignments as summed } from "../sums/SummedTables.ts"
import { trustedRows } from "../Trusted.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"

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

const One = Schema.Struct({ experimentId: ExperimentId, distinctId: Schema.String })
const Filter = Schema.Struct({
  experimentId: ExperimentId,
  search: Schema.NullOr(Schema.String),
  source: Schema.NullOr(AssignmentSource),
  status: Schema.NullOr(AssignmentStatus),
  groupId: Schema.NullOr(ExperimentGroupId)
})
const Page = Schema.Struct({ ...Filter.fields, offset: Schema.Number, limit: Schema.Number })

const columns = `experiment_id, unit_type, distinct_id, automatic_group_id, override_group_id, status, source, version,
  assigned_at, first_exposed_at`

/** What is stored of an assignment beside itself. */
const added = "environment_id, group_id, row_sum"

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const aliased = `${columns}, ${added}`
  .split(/,\s+/)
  .map((name) => `${name} as "${camel(name)}"`)
  .join(", ")

const ofUnitsStatement = (count: number): string =>
  `select ${aliased} from assignments where environment_id = ? and distinct_id in (${Array.from({ length: count }, () => "?").join(", ")})
    and unit_type = ? order by distinct_id, experiment_id`

const escaped = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`)

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

const reads = (sql: SqlClient.SqlClient, long: SqlClient.SqlClient, { demand }: RowGuard["Type"]) => {
  const all = sql.literal(`${columns}, ${added}`)
  const ofGroup = ({ experimentId, status, groupId }: typeof Filter.Encoded) => [
    sql`experiment_id = ${experimentId}`,
    ...(status === null ? [] : [sql`status = ${status}`]),
    ...(groupId === null ? [] : [sql`group_id = ${groupId}`])
  ]
  const matching = (filter: typeof Filter.Encoded) =>
    sql.and([
      ...ofGroup(filter),
      ...(filter.search === null ? [] : [sql`distinct_id like ${`%${escaped(filter.search)}%`} escape '\\'`]),
      ...(filter.source === null ? [] : [sql`source = ${filter.source}`])
    ])
  return {
    ofUnits: (environmentId: EnvironmentId, unitType: UnitType, distinctIds: ReadonlyArray<string>) =>
      Effect.map(
        demand(
          summed,
          sql.unsafe<SummedRow>(ofUnitsStatement(distinctIds.length), [environmentId, ...distinctIds, unitType])
            .withoutTransform
        ),
        (rows) => trustedRows<StoredAssignment>(rows).map(assignmentOf)
      ),
    find: SqlSchema.findOne({
      Request: One,
      Result: Row,
      execute: ({ experimentId, distinctId }) =>
        demand(
          summed,
          sql`select ${all} from assignments where experiment_id = ${experimentId} and distinct_id = ${distinctId}`
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

const rowsOf = (environmentId: EnvironmentId, assignments: ReadonlyArray<StoredAssignment>) =>
  assignments.flatMap((assignment) => {
    const groupId = groupIn(assignment)
    if (groupId === null) return []
    return [{ groupId, ...assignment, rowSum: sumOf(summed, { environmentId, groupId, ...assignment }) }]
  })

/** The number of rows that one statement writes. Between statements the server handles other requests. */
const rowsPerStatement = 500

const chunked = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / rowsPerStatement) }, (_, index) =>
    items.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement)
  )

const keyOf = ({ experimentId, distinctId }: Pick<StoredAssignment, "experimentId" | "distinctId">): string =>
  `${experimentId} ${distinctId}`

const writtenColumns = ["group_id", "row_sum", ...columns.split(/,\s+/)]

/** Passes all rows of a statement as one JSON text, which SQLite unpacks. */
const insertStatement = `insert into assignments (environment_id, ${writtenColumns.join(", ")})
  select ?, ${writtenColumns.map((name) => `value ->> '${camel(name)}'`).join(", ")} from json_each(?) where true`

export const AssignmentRepoSql = Layer.effect(
  AssignmentRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, LongReads, RowGuard]), ([sql, long, guard]) => {
    const read = reads(sql, long, guard)
    const insert = (environmentId: EnvironmentId, assignments: ReadonlyArray<StoredAssignment>, conflict: string) =>
      sql.withTransaction(
        Effect.forEach(
          chunked(rowsOf(environmentId, assignments)),
          (rows, place) =>
            Effect.zipRight(
              place === 0 ? Effect.void : nextTurn,
              sql.unsafe(`${insertStatement} ${conflict}`, [environmentId, JSON.stringify(rows)])
            ),
          { discard: true }
        )
      )
    const enrol = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      assignments: ReadonlyArray<StoredAssignment>
    ) {
      yield* insert(environmentId, assignments, "on conflict do nothing")
      const kept = new Map<string, StoredAssignment>()
      for (const unitType of new Set(assignments.map((each) => each.unitType))) {
        const distinctIds = [...new Set(assignments.map(({ distinctId }) => distinctId))]
        for (const each of yield* read.ofUnits(environmentId, unitType, distinctIds)) kept.set(keyOf(each), each)
      }
      return assignments.flatMap((each) => {
        const found = kept.get(keyOf(each))
        return found === undefined ? [] : [found]
      })
    })
    const replace = `on conflict do update set group_id = excluded.group_id, automatic_group_id = excluded.automatic_group_id,
      override_group_id = excluded.override_group_id, status = excluded.status, source = excluded.source,
      version = excluded.version, assigned_at = excluded.assigned_at, first_exposed_at = excluded.first_exposed_at,
      row_sum = excluded.row_sum`
    return AssignmentRepo.of({
      ofUnits: Effect.fn("AssignmentRepo.ofUnits")((environmentId, unitType, distinctIds) =>
        Effect.orDie(read.ofUnits(environmentId, unitType, distinctIds))
      ),
      find: Effect.fn("AssignmentRepo.find")((experimentId, distinctId) =>
        Effect.orDie(read.find({ experimentId, distinctId }))
      ),
      enrol: Effect.fn("AssignmentRepo.enrol")((environmentId, assignments) =>
        Effect.orDie(sql.withTransaction(enrol(environmentId, assignments)))
      ),
      put: Effect.fn("AssignmentRepo.put")((environmentId, assignments) =>
        Effect.orDie(insert(environmentId, assignments, replace))
      ),
      remove: Effect.fn("AssignmentRepo.remove")((experimentId, distinctId) =>
        Effect.asVoid(
          Effect.orDie(
            sql`delete from assignments where experiment_id = ${experimentId} and distinct_id = ${distinctId}`
          )
        )
      ),
      page: Effect.fn("AssignmentRepo.page")((experimentId, filter, offset, limit) =>
        Effect.all({
          items: read.page({ experimentId, ...filter, offset, limit }),
          total: Effect.map(read.total({ experimentId, ...filter }), ({ count }) => count)
        }).pipe(Effect.orDie)
      ),
      totals: Effect.fn("AssignmentRepo.totals")((experimentId) => Effect.orDie(read.totals(experimentId))),
      counts: Effect.fn("AssignmentRepo.counts")((environmentId) => Effect.orDie(read.counts(environmentId))),
      eraseUnit: Effect.fn("AssignmentRepo.eraseUnit")((environmentId, distinctId) =>
        Effect.orDie(
          inPortions(
            rowsAtOnce,
            Effect.map(
              sql`delete from assignments where (experiment_id, distinct_id) in (
                select experiment_id, distinct_id from assignments
                where environment_id = ${environmentId} and distinct_id = ${distinctId} limit ${rowsAtOnce}
              ) returning 1`,
              ({ length }) => length
            )
          )
        )
      )
    })
  })
)

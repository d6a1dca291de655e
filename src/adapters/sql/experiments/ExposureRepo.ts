import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { UnitType } from "../../../domain/experiments/Experiment.ts"
import type { Exposure } from "../../../domain/experiments/Exposure.ts"
import { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { givenRows } from "../JsonRows.ts"
import { ExposureRepo } from "../../../ports/experiments/ExposureRepo.ts"

const Row = Schema.Struct({
  environmentId: EnvironmentId,
  experimentId: ExperimentId,
  groupId: ExperimentGroupId,
  unitType: UnitType,
  distinctId: Schema.String,
  at: Schema.Number
})

const types = {
  environmentId: "bigint",
  experimentId: "bigint",
  groupId: "bigint",
  unitType: "text",
  distinctId: "text",
  at: "bigint"
} as const

const keyOf = ({ experimentId, groupId, at, distinctId }: Exposure): string =>
  `${experimentId} ${groupId} ${at} ${distinctId}`

const statements = (sql: SqlClient.SqlClient) => {
  const given = (exposures: ReadonlyArray<Exposure>) => givenRows(sql, types, exposures)
  const columns = sql.literal("environment_id, experiment_id, group_id, unit_type, distinct_id, at")
  // The checksum of a row in SQLite is that of what never changes, and this instant.
  const sum = sql.onDialectOrElse({ pg: () => sql``, orElse: () => sql`, row_sum = row_sum + given.at` })
  const isGiven = (table: string) => {
    const own = sql(table)
    return sql`${own}.experiment_id = given.experiment_id and ${own}.distinct_id = given.distinct_id
      and ${own}.group_id = given.group_id`
  }
  return {
    /** Those in environments that were removed are left out. */
    record: (exposures: ReadonlyArray<Exposure>) =>
      sql`update assignments set first_exposed_at = given.at ${sum} from ${given(exposures)}
        where ${isGiven("assignments")} and assignments.environment_id = given.environment_id
          and first_exposed_at is null and assignments.environment_id in (select id from environments)
        returning assignments.environment_id, assignments.experiment_id, assignments.group_id, assignments.unit_type,
          assignments.distinct_id, assignments.first_exposed_at as at`,
    note: (exposures: ReadonlyArray<Exposure>) =>
      sql`insert into unmarked_exposures (${columns}) select ${columns} from ${given(exposures)} where true
        on conflict (experiment_id, distinct_id, group_id) do update
          set environment_id = excluded.environment_id, unit_type = excluded.unit_type, at = excluded.at`,
    forget: (exposures: ReadonlyArray<Exposure>) =>
      sql`delete from unmarked_exposures where (experiment_id, distinct_id, group_id, at) in
        (select experiment_id, distinct_id, group_id, at from ${given(exposures)})`,
    find: (exposures: ReadonlyArray<Exposure>) =>
      sql`select unmarked_exposures.* from ${given(exposures)} join unmarked_exposures
        on ${isGiven("unmarked_exposures")} and unmarked_exposures.at = given.at`,
    unmarked: (before: number, limit: number) =>
      sql`select ${columns} from unmarked_exposures
        where at < ${before} order by at, experiment_id, distinct_id limit ${limit}`
  }
}

export const ExposureRepoSql = Layer.effect(
  ExposureRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const statement = statements(sql)
    const decode = Schema.decodeUnknown(Schema.Array(Row))

    const keysOf = (rows: ReturnType<typeof statement.find>) =>
      Effect.map(Effect.flatMap(rows, decode), (found) => new Set(found.map(keyOf)))

    /** Where all of them are noted already, as by enrolments, which is the rule, nothing is written. Answers in the order of the batch. */
    const record = Effect.fnUntraced(function* (exposures: ReadonlyArray<Exposure>, marked: ReadonlyArray<Exposure>) {
      if (marked.length > 0) yield* statement.forget(marked)
      if (exposures.length === 0) return []
      const noted = yield* keysOf(statement.find(exposures))
      if (noted.size === exposures.length) return exposures
      const others = exposures.filter((each) => !noted.has(keyOf(each)))
      const first = yield* Effect.flatMap(statement.record(others), decode)
      if (first.length > 0) yield* statement.note(first)
      const recorded = new Set(first.map(keyOf))
      return exposures.filter((each) => noted.has(keyOf(each)) || recorded.has(keyOf(each)))
    })

    return ExposureRepo.of({
      record: (exposures, marked) => Effect.orDie(sql.withTransaction(record(exposures, marked))),
      note: (exposures) => Effect.asVoid(Effect.orDie(statement.note(exposures))),
      unmarked: (before, limit) => Effect.orDie(Effect.flatMap(statement.unmarked(before, limit), decode)),
      eraseUnit: (environmentId, distinctId) =>
        Effect.asVoid(
          Effect.orDie(
            sql`delete from unmarked_exposures where environment_id = ${environmentId} and distinct_id = ${distinctId}`
          )
        )
    })
  })
)

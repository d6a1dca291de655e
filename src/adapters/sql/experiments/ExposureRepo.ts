import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { UnitType } from "../../../domain/experiments/Experiment.ts"
import type { Exposure } from "../../../domain/experiments/Exposure.ts"
import { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { ExposureRepo } from "../../../ports/experiments/ExposureRepo.ts"

const Row = Schema.Struct({
  environmentId: EnvironmentId,
  experimentId: ExperimentId,
  groupId: ExperimentGroupId,
  unitType: UnitType,
  distinctId: Schema.String,
  at: Schema.Number
})

const Batch = Schema.parseJson(Schema.Array(Row))

/** Exposures are passed as one JSON text, which SQLite unpacks. Those in environments that were removed are left out. */
const recordStatement = `update assignments
  set first_exposed_at = value ->> 'at', row_sum = row_sum + (value ->> 'at') from json_each(?)
  where experiment_id = value ->> 'experimentId' and distinct_id = value ->> 'distinctId'
    and group_id = value ->> 'groupId' and environment_id = value ->> 'environmentId'
    and first_exposed_at is null and environment_id in (select id from environments)
  returning environment_id, experiment_id, group_id, unit_type, distinct_id, first_exposed_at as at`

const noteStatement = `insert or replace into unmarked_exposures
    (experiment_id, distinct_id, group_id, environment_id, unit_type, at)
  select value ->> 'experimentId', value ->> 'distinctId', value ->> 'groupId', value ->> 'environmentId',
    value ->> 'unitType', value ->> 'at' from json_each(?)`

const unmarkedStatement = `select environment_id, experiment_id, group_id, unit_type, distinct_id, at
  from json_each(?) join unmarked_exposures on experiment_id = value ->> 'experimentId'
    and distinct_id = value ->> 'distinctId' and group_id = value ->> 'groupId' and at = value ->> 'at'`

const forgetStatement = `delete from unmarked_exposures where (experiment_id, distinct_id, group_id) in
  (select value ->> 'experimentId', value ->> 'distinctId', value ->> 'groupId' from json_each(?))`

const keyOf = ({ experimentId, groupId, at, distinctId }: Exposure): string =>
  `${experimentId} ${groupId} ${at} ${distinctId}`

export const ExposureRepoSql = Layer.effect(
  ExposureRepo,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const over = (statement: string) =>
      SqlSchema.findAll({ Request: Batch, Result: Row, execute: (batch) => sql.unsafe(statement, [batch]) })
    const recorded = over(recordStatement)
    const recordedOf = over(unmarkedStatement)
    const unmarked = SqlSchema.findAll({
      Request: Schema.Struct({ before: Schema.Number, limit: Schema.Number }),
      Result: Row,
      execute: ({ before, limit }) => sql`select * from unmarked_exposures
        where at < ${before} order by at, experiment_id, distinct_id limit ${limit}`
    })

    const write = (statement: string, exposures: ReadonlyArray<Exposure>) =>
      exposures.length === 0 ? Effect.void : sql.unsafe(statement, [JSON.stringify(exposures)])

    /** Where all of them are first ones, which is the rule, nothing is left to be looked for. Answers in the order of the batch. */
    const record = Effect.fnUntraced(function* (exposures: ReadonlyArray<Exposure>, marked: ReadonlyArray<Exposure>) {
      yield* write(forgetStatement, marked)
      if (exposures.length === 0) return []
      const first = yield* recorded(exposures)
      yield* write(noteStatement, first)
      if (first.length === exposures.length) return exposures
      const found = new Set((yield* recordedOf(exposures)).map(keyOf))
      return exposures.filter((each) => found.has(keyOf(each)))
    })

    return ExposureRepo.of({
      record: Effect.fn("ExposureRepo.record")((exposures, marked) =>
        Effect.orDie(sql.withTransaction(record(exposures, marked)))
      ),
      unmarked: Effect.fn("ExposureRepo.unmarked")((before, limit) => Effect.orDie(unmarked({ before, limit }))),
      eraseUnit: Effect.fn("ExposureRepo.eraseUnit")((environmentId, distinctId) =>
        Effect.asVoid(
          Effect.orDie(
            sql`delete from unmarked_exposures where environment_id = ${environmentId} and distinct_id = ${distinctId}`
          )
        )
      )
    })
  })
)

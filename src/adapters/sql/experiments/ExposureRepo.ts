import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { UnitType } from "../../../domain/experiments/Experiment.ts"
import type { Exposure } from "../../../domain/experiments/Exposure.ts"
import { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { ExposureRepo } from "../../../ports/experiments/ExposureRepo.ts"
import { forRows } from "../GivenRows.ts"
import { OneStep } from "../OneStep.ts"
import { trustedRows } from "../Trusted.ts"
import { forgetMarked, unmarkedUnits } from "./UnmarkedUnits.ts"

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

type ExposureKey = Pick<Exposure, "experimentId" | "groupId" | "at" | "distinctId">

const keyOf = ({ experimentId, groupId, at, distinctId }: ExposureKey): string =>
  `${experimentId} ${groupId} ${at} ${distinctId}`

const statements = (sql: SqlClient.SqlClient) => {
  const columns = "environment_id, experiment_id, group_id, unit_type, distinct_id, at"
  // The checksum of a row in SQLite is that of what never changes, and this instant.
  const sum = sql.onDialectOrElse({ pg: () => "", orElse: () => ", row_sum = row_sum + given.at" })
  const key = "environment_id, distinct_id, experiment_id, group_id"
  const conflicting = sql.onDialectOrElse({ pg: () => "experiment_id, distinct_id, group_id", orElse: () => key })
  const isGiven = (table: string) =>
    ["environment_id", "distinct_id", "experiment_id", "group_id"]
      .map((column) => `${table}.${column} = given.${column}`)
      .join(" and ")
  const each = (text: (given: string) => string) => forRows<Exposure>(sql, types, text)
  const units = unmarkedUnits(sql, types)
  const found = `select given.experiment_id as "experimentId", given.group_id as "groupId", given.at as "at",
    given.distinct_id as "distinctId" from given`
  return {
    /** Those in environments that were removed are left out. */
    record: each(
      (given) => `update assignments set first_exposed_at = given.at ${sum} from ${given}
        where ${isGiven("assignments")} and first_exposed_at is null and assignments.environment_id in (select id from environments)
        returning assignments.environment_id as "environmentId", assignments.experiment_id as "experimentId",
          assignments.group_id as "groupId", assignments.unit_type as "unitType", assignments.distinct_id as "distinctId",
          assignments.first_exposed_at as "at"`
    ),
    note: each(
      (given) => `insert into unmarked_exposures (${columns}) select ${columns} from ${given} where true
        on conflict (${conflicting}) do update set unit_type = excluded.unit_type, at = excluded.at`
    ),
    forget: each((given) => `delete from unmarked_exposures where (${key}, at) in (select ${key}, at from ${given})`),
    find: each(
      (given) => `with given as (select * from ${given})
        ${found} join unmarked_exposures on ${isGiven("unmarked_exposures")} and unmarked_exposures.at = given.at
        union all ${found} join ${units.isNoted}`
    ),
    forgetUnits: units.forget,
    unmarked: (before: number, limit: number) =>
      sql`select ${sql.literal(columns)} from unmarked_exposures where at < ${before}
        union all ${sql.literal(units.all)} where at < ${before}
        order by at, experiment_id, distinct_id limit ${limit}`
  }
}

export const ExposureRepoSql = Layer.effect(
  ExposureRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, OneStep]), ([sql, step]) => {
    const statement = statements(sql)
    const decode = Schema.decodeUnknown(Schema.Array(Row))

    /** SQLite forgets what is marked a row at a time in one step, for half of what one statement costs. */
    const forget = (marked: ReadonlyArray<Exposure>) =>
      step === null
        ? sql.withTransaction(Effect.zipRight(statement.forget(marked), statement.forgetUnits(marked)))
        : step.transact((statements) => forgetMarked(statements, marked))

    /** Where all of them are noted already, as by enrolments, which is the rule, nothing is written. Answers in the order of the batch. */
    const record = Effect.fnUntraced(function* (exposures: ReadonlyArray<Exposure>, marked: ReadonlyArray<Exposure>) {
      if (marked.length > 0) yield* forget(marked)
      if (exposures.length === 0) return []
      const noted = new Set(trustedRows<ExposureKey>(yield* statement.find(exposures)).map(keyOf))
      if (noted.size === exposures.length) return exposures
      const others = exposures.filter((each) => !noted.has(keyOf(each)))
      const first = trustedRows<Exposure>(yield* statement.record(others))
      if (first.length > 0) yield* statement.note(first)
      const recorded = new Set(first.map(keyOf))
      return exposures.filter((each) => noted.has(keyOf(each)) || recorded.has(keyOf(each)))
    })

    const stillNoted = (exposures: ReadonlyArray<Exposure>) =>
      Effect.map(statement.find(exposures), (found) => {
        const noted = new Set(trustedRows<ExposureKey>(found).map(keyOf))
        return exposures.filter((each) => noted.has(keyOf(each)))
      })

    /** SQLite has one process that erases units, and that leaves out their exposures itself. */
    const noted = sql.onDialectOrElse({
      pg: () => stillNoted,
      orElse: () => (exposures: ReadonlyArray<Exposure>) => Effect.succeed(exposures)
    })

    return ExposureRepo.of({
      record: (exposures, marked) =>
        Effect.orDie(
          exposures.length === 0 ? Effect.as(forget(marked), []) : sql.withTransaction(record(exposures, marked))
        ),
      note: (exposures) => Effect.asVoid(Effect.orDie(statement.note(exposures))),
      noted: (exposures) => Effect.orDie(noted(exposures)),
      unmarked: (before, limit) => Effect.orDie(Effect.flatMap(statement.unmarked(before, limit), decode)),
      eraseUnit: (environmentId, distinctId) =>
        Effect.forEach(
          ["unmarked_exposures", "unmarked_units"],
          (table) =>
            sql`delete from ${sql(table)} where environment_id = ${environmentId} and distinct_id = ${distinctId}`,
          { discard: true }
        ).pipe(Effect.orDie)
    })
  })
)

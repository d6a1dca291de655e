import { SqlClient, SqlSchema } from "@effect/sql"
import type { Statement } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { isOpen, type StoredExperiment } from "../../../domain/experiments/StoredExperiment.ts"
import { EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { ExperimentRepo } from "../../../ports/experiments/ExperimentRepo.ts"
import { rowsInTurns } from "../RowsInTurns.ts"
import { trustedRows } from "../Trusted.ts"
import { RowGuard } from "../sums/RowGuard.ts"
import { experiments as summed } from "../sums/SummedTables.ts"
import { ExperimentRow } from "./ExperimentRows.ts"
import { isInEnvironment, openRevisions } from "./OpenRevisions.ts"
import { sizeOf } from "../SizeOf.ts"

const experimentOf = ({ status: _, isOpen: __, record, ...columns }: typeof ExperimentRow.Type): StoredExperiment => ({
  ...columns,
  ...record
})

const rowOf = (experiment: StoredExperiment): typeof ExperimentRow.Type => {
  const { id, applicationId, environmentId, revision, baseConfigurationId, ...record } = experiment
  const columns = { id, applicationId, environmentId, revision, baseConfigurationId }
  return { ...columns, status: record.progress.status, isOpen: isOpen(experiment), record }
}

const lastNumber = Schema.Struct({ last: Schema.Int })

export const ExperimentRepoSql = Layer.effect(
  ExperimentRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, RowGuard]), ([sql, { demand, sound, sumsOf }]) => {
    const withSums = (row: typeof ExperimentRow.Encoded) => ({ ...row, ...sumsOf(summed, row) })
    const insert = SqlSchema.void({
      Request: ExperimentRow,
      execute: (row) => sql`insert into experiments ${sql.insert(withSums(row))}`
    })
    const update = SqlSchema.findOne({
      Request: ExperimentRow,
      Result: ExperimentRow,
      execute: (row) => sql`update experiments
        set ${sql.update(withSums({ ...row, revision: row.revision + 1 }), ["id"])}
        where id = ${row.id} and revision = ${row.revision} returning *`
    })
    const reserve = SqlSchema.single({
      Request: Schema.Struct({ kind: Schema.Literal("experiment", "group"), count: Schema.Int }),
      Result: lastNumber,
      execute: ({ kind, count }) =>
        sql`update experiment_numbers set last = last + ${count} where kind = ${kind} returning last`
    })
    const selected = (where: Statement.Fragment) =>
      sql`select * from experiments where ${where} and ${sql.literal(isInEnvironment)} order by id`
    const findWhere = (where: Statement.Fragment) =>
      SqlSchema.findOne({
        Request: Schema.Void,
        Result: ExperimentRow,
        execute: () => demand(summed, selected(where))
      })(undefined).pipe(Effect.map(Option.map(experimentOf)), Effect.orDie)
    const listOf = (check: typeof demand) => {
      const read = rowsInTurns(ExperimentRow, (rows) => check(summed, rows))
      return (where: Statement.Fragment) => Effect.map(read(selected(where)), (rows) => rows.map(experimentOf))
    }
    const listWhere = listOf(demand)
    // A damaged one keeps none of the others from beginning and ending.
    const listSound = listOf(sound)
    const openEnvironments = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ environmentId: EnvironmentId }),
      execute: () => sql`select distinct environment_id from experiments
        where is_open = 1 and ${sql.literal(isInEnvironment)} order by environment_id`
    })
    const openSize = sizeOf(
      EnvironmentId,
      (id) => sql`select count(*) as count, coalesce(sum(length(record)), 0) as characters
        from experiments where environment_id = ${id} and is_open = 1 and ${sql.literal(isInEnvironment)}`
    )
    // Bytes are known without reading what is counted.
    const size = sizeOf(
      EnvironmentId,
      (id) => sql`select count(*) as count, coalesce(sum(octet_length(record)), 0) as characters
        from experiments where environment_id = ${id} and ${sql.literal(isInEnvironment)}`
    )
    const revisions = openRevisions(sql.onDialectOrElse({ pg: () => "$1", orElse: () => "?" }))
    const groupIds = (groups: number) =>
      Effect.map(reserve({ kind: "group", count: groups }), ({ last }) =>
        Array.from({ length: groups }, (_, ordinal) => ExperimentGroupId.make(last - groups + 1 + ordinal))
      )
    return ExperimentRepo.of({
      newIds: Effect.fnUntraced(
        function* (groups: number) {
          const { last: id } = yield* reserve({ kind: "experiment", count: 1 })
          return { id: ExperimentId.make(id), groupIds: yield* groupIds(groups) }
        },
        sql.withTransaction,
        Effect.orDie
      ),
      newGroupIds: (groups) => Effect.orDie(groupIds(groups)),
      insert: (experiment) => Effect.as(Effect.orDie(insert(rowOf(experiment))), experiment),
      update: (experiment) => Effect.map(Effect.orDie(update(rowOf(experiment))), Option.map(experimentOf)),
      find: (environmentId, id) => findWhere(sql`id = ${id} and environment_id = ${environmentId}`),
      list: (environmentId) => listWhere(sql`environment_id = ${environmentId}`),
      open: (environmentId) => listWhere(sql`environment_id = ${environmentId} and is_open = 1`),
      openSize,
      size,
      revisions: (environmentId) =>
        Effect.map(
          Effect.orDie(sql.unsafe(revisions, [environmentId]).withoutTransform),
          (rows) =>
            new Map(
              trustedRows<Pick<StoredExperiment, "id" | "revision">>(rows).map(({ id, revision }) => [id, revision])
            )
        ),
      everyOpen: Effect.fnUntraced(function* <A>(look: (experiment: StoredExperiment) => A) {
        const looked: Array<A> = []
        for (const { environmentId } of yield* Effect.orDie(openEnvironments(undefined)))
          for (const each of yield* listSound(sql`environment_id = ${environmentId} and is_open = 1`))
            looked.push(look(each))
        return looked
      })
    })
  })
)

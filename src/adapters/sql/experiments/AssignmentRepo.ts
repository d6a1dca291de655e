import { SqlClient } from "@effect/sql"
import { Array as Arr, Effect, Layer, String } from "effect"
import { groupIn, type StoredAssignment } from "../../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { AssignmentRepo } from "../../../ports/experiments/AssignmentRepo.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { forRows } from "../GivenRows.ts"
import { LongReads } from "../LongReads.ts"
import { OneStep } from "../OneStep.ts"
import { inPortions, rowsAtOnce } from "../Portions.ts"
import { RowGuard } from "../sums/RowGuard.ts"
import { assignments as summed } from "../sums/SummedTables.ts"
import { trustedRows } from "../Trusted.ts"
import { assignmentReads, typesOfAssignment } from "./AssignmentReads.ts"
import { countedInserts } from "./AssignmentTotals.ts"

/** The row of an assignment, with its checksum, if the engine keeps any. */
const rowsOf = (
  { sumOf }: RowGuard["Type"],
  environmentId: EnvironmentId,
  assignments: ReadonlyArray<StoredAssignment>
) =>
  assignments.flatMap((assignment) => {
    const groupId = groupIn(assignment)
    if (groupId === null) return []
    const row = { environmentId, groupId, ...assignment }
    return [Object.assign(row, sumOf(summed, row))]
  })

/** The number of rows that are written at a time. In between the server handles other requests. */
const rowsPerTurn = 500

type AssignmentKey = Pick<StoredAssignment, "experimentId" | "distinctId">

const keyOf = ({ experimentId, distinctId }: AssignmentKey): string => `${experimentId} ${distinctId}`

/** The key of a row: SQLite keeps rows in its order, those of a unit together. An experiment has one environment, so both say the same. */
const keyIn = (sql: SqlClient.SqlClient): ReadonlyArray<string> =>
  sql.onDialectOrElse({
    pg: () => ["experiment_id", "distinct_id"],
    orElse: () => ["environment_id", "distinct_id", "experiment_id"]
  })

type Written = ReturnType<typeof rowsOf>[number]

/** The writes of rows. Each answers the keys of the rows that it returns. */
const insertsOf = (sql: SqlClient.SqlClient, guard: RowGuard["Type"]) => {
  const sums = guard.columnsOf(summed).map(() => ["rowSum", "bigint"] as const)
  const types = {
    environmentId: "bigint",
    groupId: "bigint",
    ...typesOfAssignment,
    ...Object.fromEntries(sums)
  } as const
  const names = Object.keys(types).map(String.camelToSnake)
  const key = keyIn(sql)
  const fixed = new Set([...key, "unit_type", "environment_id"])
  const columns = names.join(", ")
  const insert = (conflict: string) =>
    forRows<Written>(
      sql,
      types,
      (given) => `insert into assignments (${columns}) select ${columns} from ${given} where true
        on conflict (${key.join(", ")}) ${conflict}`
    )
  const others = names.filter((name) => !fixed.has(name))
  const counted = countedInserts(sql)
  const insertNew = insert(`do nothing returning experiment_id as "experimentId", distinct_id as "distinctId",
    environment_id as "environmentId", group_id as "groupId", status`)
  const unlessThere = (rows: ReadonlyArray<Written>) => counted(insertNew(rows))
  const overwrite = insert(`do update set ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`)
  /** In SQLite those that are new are counted, as triggers count those that move. */
  const overwriting = sql.onDialectOrElse({
    pg: () => overwrite,
    orElse: () => (rows: ReadonlyArray<Written>) =>
      sql.withTransaction(
        Effect.flatMap(unlessThere(rows), (keys) => {
          const isNew = new Set(trustedRows<AssignmentKey>(keys).map(keyOf))
          return overwrite(rows.filter((each) => !isNew.has(keyOf(each))))
        })
      )
  })
  return { unlessThere, overwriting }
}

export const AssignmentRepoSql = Layer.effect(
  AssignmentRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, LongReads, RowGuard, OneStep]), ([sql, long, guard, step]) => {
    const read = assignmentReads(sql, long, guard, step)
    const { unlessThere, overwriting } = insertsOf(sql, guard)
    /** Answers the keys that the statement told of. */
    const insert = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      assignments: ReadonlyArray<StoredAssignment>,
      statement: typeof unlessThere
    ) {
      const insertSome = (some: ReadonlyArray<StoredAssignment>) =>
        Effect.map(statement(rowsOf(guard, environmentId, some)), (keys) => trustedRows<AssignmentKey>(keys))
      if (assignments.length <= rowsPerTurn) return yield* insertSome(assignments)
      const told: Array<AssignmentKey> = []
      const insertAll = Effect.forEach(
        Arr.chunksOf(assignments, rowsPerTurn),
        (some, place) =>
          Effect.flatMap(place === 0 ? Effect.void : nextTurn, () => insertSome(some)).pipe(
            Effect.map((keys) => void told.push(...keys))
          ),
        { discard: true }
      )
      yield* sql.withTransaction(insertAll)
      return told
    })
    /** Where all of them are new, which is the rule, there is nothing to be read. */
    const enrol = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      assignments: ReadonlyArray<StoredAssignment>
    ) {
      const stored = yield* insert(environmentId, assignments, unlessThere)
      if (stored.length === assignments.length) return assignments
      const isStored = new Set(stored.map(keyOf))
      const kept = new Map<string, StoredAssignment>()
      for (const unitType of new Set(assignments.map((each) => each.unitType))) {
        const distinctIds = [...new Set(assignments.map(({ distinctId }) => distinctId))]
        for (const each of yield* read.ofUnits(environmentId, unitType, distinctIds)) kept.set(keyOf(each), each)
      }
      return assignments.flatMap((each) => {
        const found = kept.get(keyOf(each))
        // The first of several of one unit is the one that is stored.
        if (isStored.delete(keyOf(each))) return [each]
        return found === undefined ? [] : [found]
      })
    })
    /** The last of each unit, since a statement may overwrite a row once. */
    const lastOf = (assignments: ReadonlyArray<StoredAssignment>) => [
      ...new Map(assignments.map((each) => [keyOf(each), each])).values()
    ]
    return AssignmentRepo.of({
      ofUnits: (environmentId, unitType, distinctIds) =>
        Effect.orDie(read.ofUnits(environmentId, unitType, distinctIds)),
      find: (environmentId, experimentId, distinctId) =>
        Effect.orDie(read.find({ environmentId, experimentId, distinctId })),
      enrol: (environmentId, assignments) => Effect.orDie(enrol(environmentId, assignments)),
      put: (environmentId, assignments) =>
        Effect.asVoid(Effect.orDie(insert(environmentId, lastOf(assignments), overwriting))),
      remove: (environmentId, experimentId, distinctId) =>
        Effect.asVoid(
          Effect.orDie(
            sql`delete from assignments where environment_id = ${environmentId}
              and experiment_id = ${experimentId} and distinct_id = ${distinctId}`
          )
        ),
      page: (experimentId, filter, offset, limit) =>
        Effect.all({
          items: read.page({ experimentId, ...filter, offset, limit }),
          total: Effect.map(read.total({ experimentId, ...filter }), ({ count }) => count)
        }).pipe(Effect.orDie),
      totals: (experimentId) => Effect.orDie(read.totals(experimentId)),
      counts: (environmentId) => Effect.orDie(read.counts(environmentId)),
      eraseUnit: (environmentId, distinctId) =>
        Effect.orDie(
          inPortions(
            rowsAtOnce,
            Effect.map(
              sql`delete from assignments where (environment_id, distinct_id, experiment_id) in (
                select environment_id, distinct_id, experiment_id from assignments
                where environment_id = ${environmentId} and distinct_id = ${distinctId} limit ${rowsAtOnce}
              ) returning 1`,
              ({ length }) => length
            )
          )
        )
    })
  })
)

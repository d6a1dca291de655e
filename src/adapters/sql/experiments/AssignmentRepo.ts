import { SqlClient } from "@effect/sql"
import { Effect, Layer, String } from "effect"
import { groupIn, type StoredAssignment } from "../../../domain/experiments/StoredAssignment.ts"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { AssignmentRepo } from "../../../ports/experiments/AssignmentRepo.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { givenRows } from "../JsonRows.ts"
import { LongReads } from "../LongReads.ts"
import { inPortions, rowsAtOnce } from "../Portions.ts"
import { RowGuard } from "../sums/RowGuard.ts"
import type { SummedRow } from "../sums/RowSum.ts"
import { assignments as summed } from "../sums/SummedTables.ts"
import { trustedRows } from "../Trusted.ts"
import { assignmentReads, typesOfAssignment } from "./AssignmentReads.ts"

const rowsOf = (
  { sumOf }: RowGuard["Type"],
  environmentId: EnvironmentId,
  assignments: ReadonlyArray<StoredAssignment>
) =>
  assignments.flatMap((assignment) => {
    const groupId = groupIn(assignment)
    if (groupId === null) return []
    return [{ groupId, ...assignment, ...sumOf(summed, { environmentId, groupId, ...assignment }) }]
  })

/** The number of rows that one statement writes. Between statements the server handles other requests. */
const rowsPerStatement = 500

const chunked = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / rowsPerStatement) }, (_, index) =>
    items.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement)
  )

type AssignmentKey = Pick<StoredAssignment, "experimentId" | "distinctId">

const keyOf = ({ experimentId, distinctId }: AssignmentKey): string => `${experimentId} ${distinctId}`

const key = ["experiment_id", "distinct_id"]

type Written = ReturnType<typeof rowsOf>[number]

/** Statements that take all rows as one JSON text, after the environment. Their texts are made once: enrolments are frequent. */
const insertsOf = (sql: SqlClient.SqlClient, guard: RowGuard["Type"]) => {
  const sums = guard.columnsOf(summed).map(() => ["rowSum", "bigint"] as const)
  const types = { ...typesOfAssignment, groupId: "bigint", ...Object.fromEntries(sums) } as const
  const names = Object.keys(types).map(String.camelToSnake)
  const columns = sql.literal(names.join(", "))
  const insert = (conflict: string) => {
    const [text] = sql`insert into assignments (environment_id, ${columns})
      select cast(${0} as bigint), ${columns} from ${givenRows<Written>(sql, types, [])} where true
      on conflict (${sql.literal(key.join(", "))}) ${sql.literal(conflict)}`.compile()
    return text
  }
  const others = names.filter((name) => !key.includes(name) && name !== "unit_type")
  return {
    unlessThere: `${insert("do nothing")} returning experiment_id as "experimentId", distinct_id as "distinctId"`,
    overwriting: insert(`do update set ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`)
  }
}

export const AssignmentRepoSql = Layer.effect(
  AssignmentRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, LongReads, RowGuard]), ([sql, long, guard]) => {
    const read = assignmentReads(sql, long, guard)
    const { unlessThere, overwriting } = insertsOf(sql, guard)
    const insertRows = (environmentId: EnvironmentId, rows: ReadonlyArray<Written>, statement: string) =>
      Effect.map(
        sql.unsafe<SummedRow>(statement, [environmentId, JSON.stringify(rows)]).withoutTransform,
        trustedRows<AssignmentKey>
      )
    /** Answers the keys that the statement told of. A single statement is a transaction by itself. */
    const insert = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      assignments: ReadonlyArray<StoredAssignment>,
      statement: string
    ) {
      const rows = rowsOf(guard, environmentId, assignments)
      if (rows.length <= rowsPerStatement) return yield* insertRows(environmentId, rows, statement)
      const told: Array<AssignmentKey> = []
      const insertAll = Effect.forEach(
        chunked(rows),
        (some, place) =>
          Effect.zipRight(place === 0 ? Effect.void : nextTurn, insertRows(environmentId, some, statement)).pipe(
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
      find: (experimentId, distinctId) => Effect.orDie(read.find({ experimentId, distinctId })),
      enrol: (environmentId, assignments) => Effect.orDie(enrol(environmentId, assignments)),
      put: (environmentId, assignments) =>
        Effect.asVoid(Effect.orDie(insert(environmentId, lastOf(assignments), overwriting))),
      remove: (experimentId, distinctId) =>
        Effect.asVoid(
          Effect.orDie(
            sql`delete from assignments where experiment_id = ${experimentId} and distinct_id = ${distinctId}`
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
              sql`delete from assignments where (experiment_id, distinct_id) in (
                select experiment_id, distinct_id from assignments
                where environment_id = ${environmentId} and distinct_id = ${distinctId} limit ${rowsAtOnce}
              ) returning 1`,
              ({ length }) => length
            )
          )
        )
    })
  })
)

import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import type { AssignmentStatus } from "../../../domain/experiments/Assignment.ts"
import { forRows } from "../GivenRows.ts"
import type { StepStatement } from "../OneStep.ts"
import type { SummedRow } from "../sums/RowSum.ts"
import { trustedRows } from "../Trusted.ts"

/** What a row of `assignments` is counted by. */
export interface CountedRow {
  readonly experimentId: number
  readonly environmentId: number
  readonly groupId: number
  readonly status: AssignmentStatus
}

type Rows = Effect.Effect<ReadonlyArray<SummedRow>, SqlError>

interface Total extends CountedRow {
  readonly count: number
}

const types = {
  experimentId: "bigint",
  environmentId: "bigint",
  groupId: "bigint",
  status: "text",
  count: "bigint"
} as const

const adding = (
  rows: string
) => `insert into assignment_totals (experiment_id, environment_id, group_id, status, count) ${rows}
  on conflict (experiment_id, group_id, status) do update set count = count + excluded.count`

const addOne = adding("values (?, ?, ?, ?, ?)")

/** How many of these rows are of each experiment, group and status. */
const totalsOf = (rows: Iterable<CountedRow>): ReadonlyArray<Total> => {
  const totals = new Map<number, Array<{ -readonly [Key in keyof Total]: Total[Key] }>>()
  for (const { experimentId, environmentId, groupId, status } of rows) {
    const own = totals.get(experimentId)
    const known = own?.find((each) => each.groupId === groupId && each.status === status)
    if (known !== undefined) known.count++
    else {
      const first = { experimentId, environmentId, groupId, status, count: 1 }
      if (own === undefined) totals.set(experimentId, [first])
      else own.push(first)
    }
  }
  return [...totals.values()].flat()
}

/** Counts rows that this step of SQLite has inserted. */
export const countInserted = (statement: (sql: string) => StepStatement, rows: Iterable<CountedRow>): void => {
  const add = statement(addOne)
  for (const { experimentId, environmentId, groupId, status, count } of totalsOf(rows))
    add.change([experimentId, environmentId, groupId, status, count])
}

/**
 * Inserts rows of `assignments`, which the statement has to return as they are counted, and counts them in the same transaction. SQLite has no
 * trigger for that, since one would run for each row; PostgreSQL has one for each statement.
 */
export const countedInserts = (sql: SqlClient.SqlClient) => {
  const columns = "experiment_id, environment_id, group_id, status, count"
  const add = forRows<Total>(sql, types, (given) => adding(`select ${columns} from ${given} where true`))
  return sql.onDialectOrElse({
    pg: () => (inserted: Rows) => inserted,
    orElse: () => (inserted: Rows) =>
      sql.withTransaction(Effect.tap(inserted, (rows) => add(totalsOf(trustedRows<CountedRow>(rows)))))
  })
}

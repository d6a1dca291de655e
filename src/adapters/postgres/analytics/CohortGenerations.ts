import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** The instant (epoch ms) of the latest generation of a cohort's members, and of one that was begun after it and not finished. */
export interface CohortHead {
  readonly at: number | null
  readonly pending: number | null
}

const never: CohortHead = { at: null, pending: null }

/** Which generation of a cohort's members counts: it changes for all readers at once. */
export const makeCohortGenerations = Effect.map(SqlClient.SqlClient, (sql) => {
  const head = (environment: number, cohort: number) =>
    Effect.map(
      sql<CohortHead>`
        select at, pending from cohort_generation where environment = ${environment} and cohort = ${cohort}`,
      ([found]) => found ?? never
    )

  const begin = (environment: number, cohort: number, at: number) =>
    sql`insert into cohort_generation (environment, cohort, pending) values (${environment}, ${cohort}, ${at})
      on conflict (environment, cohort) do update set pending = excluded.pending`

  const changed = (environment: number) =>
    sql`insert into event_head (environment, generations) values (${environment}, 1)
      on conflict (environment) do update set generations = event_head.generations + 1`

  /** From now on the generation counts. */
  const finish = (environment: number, cohort: number, at: number, isChange: boolean) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`insert into cohort_generation (environment, cohort, at) values (${environment}, ${cohort}, ${at})
          on conflict (environment, cohort) do update set at = excluded.at, pending = null`
        if (isChange) yield* changed(environment)
      })
    )

  const remove = (environment: number, cohort: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const found = yield* sql`
          delete from cohort_generation where environment = ${environment} and cohort = ${cohort} returning cohort`
        if (found.length > 0) yield* changed(environment)
      })
    )

  return { head, begin, finish, remove }
})

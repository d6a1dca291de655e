import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * What a unit was exposed to as it was enrolled and has no marker yet, in one row for all of its experiments: an object in JSON, by the id of
 * each experiment that of its group. `unmarked_exposures` keeps what is exposed later, which is rare.
 */
export const unmarkedUnits = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table unmarked_units (
    environment_id integer not null references environments (id) on delete cascade,
    distinct_id text not null,
    unit_type text not null,
    at integer not null,
    exposures text not null,
    primary key (environment_id, distinct_id, unit_type, at)
  ) strict, without rowid`
)

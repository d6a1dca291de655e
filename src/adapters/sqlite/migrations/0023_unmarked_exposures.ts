import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** First exposures whose markers may not be stored yet; hardly ever more than one batch of them. */
export const unmarkedExposures = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table unmarked_exposures (
    experiment_id integer not null,
    distinct_id text not null,
    group_id integer not null,
    environment_id integer not null references environments (id) on delete cascade,
    unit_type text not null,
    at integer not null,
    primary key (experiment_id, distinct_id, group_id)
  ) strict, without rowid`
)

import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Catalogue } from "../../../domain/analytics/markers/Catalogue.ts"
import { makeMarkerKeys } from "./MarkerKeys.ts"

/** The names of a catalogue as rows of `marker_name`, as JSON. */
const nameRows = ({ types, names }: Catalogue): ReadonlyArray<string> => [
  ...[...types.keys()].map((type) => JSON.stringify([type, "", ""])),
  ...[...names.values()].map(({ type, source, name }) => JSON.stringify([type, source, name]))
]

const namesAtOnce = 2000

/** Writes what PostgreSQL knows of markers that ClickHouse has got from elsewhere. Everything may be repeated. */
export const makeEventsArrived = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open } = yield* makeMarkerKeys

  /** Ids by which duplicates are known, received on a UTC day (days since 1970). */
  const saveIds = (environment: number, day: number, ids: ReadonlyArray<string>) =>
    Effect.zipRight(
      open(day),
      sql`insert into marker_key (day, environment, id)
        select ${day}::bigint, ${environment}::bigint, unnest(${`{${ids.join(",")}}`}::uuid[]) on conflict do nothing`
    )

  const saveNames = (environment: number, catalogue: Catalogue) =>
    Effect.gen(function* () {
      const rows = nameRows(catalogue)
      for (let at = 0; at < rows.length; at += namesAtOnce)
        yield* sql`insert into marker_name (environment, type, source, name)
          select ${environment}::bigint, (row -> 0)::text, row ->> 1, (row -> 2)::text
          from json_array_elements(${`[${rows.slice(at, at + namesAtOnce).join(",")}]`}::json) as given(row)
          on conflict do nothing`
    })

  /** The environment's numbering goes on after its highest sequence. Where numbers are missing, markers were removed. */
  const saveHead = (environment: number, highest: number, count: number, generations: number) =>
    sql`insert into event_head ${sql.insert({
      environment,
      highest,
      flushed: highest,
      removals: count === highest ? 0 : 1,
      generations
    })} on conflict (environment) do update set highest = excluded.highest, flushed = excluded.flushed,
      removals = excluded.removals, generations = excluded.generations`

  const saveGeneration = (environment: number, cohort: number, at: number) =>
    sql`insert into cohort_generation ${sql.insert({ environment, cohort, at })}
      on conflict (environment, cohort) do update set at = excluded.at`

  return { saveIds, saveNames, saveHead, saveGeneration }
})

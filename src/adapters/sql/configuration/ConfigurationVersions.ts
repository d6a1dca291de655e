import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Instant } from "../Rows.ts"
import { ConfigurationId, EnvironmentId } from "../../../domain/Ids.ts"
import { RowGuard } from "../sums/RowGuard.ts"
import { configurationVersions as summed } from "../sums/SummedTables.ts"
import { NamedVersionRow, VersionRow, VersionSummaryRow } from "./ConfigurationRows.ts"

const Page = Schema.Struct({ id: ConfigurationId, before: Schema.NullOr(Schema.Int), limit: Schema.Int })
const Place = Schema.Struct({ id: ConfigurationId, version: Schema.Int })

const Within = Schema.Struct({
  environmentId: EnvironmentId,
  from: Instant,
  to: Instant,
  place: Schema.Struct({ at: Instant, id: Schema.Int, version: Schema.Int }),
  limit: Schema.Int
})

/** The statements of the table `configuration_versions`. Those of removed configurations are hidden until they are deleted. */
export const configurationVersions = Effect.map(
  Effect.all([SqlClient.SqlClient, RowGuard]),
  ([sql, { demand, sumsOf }]) => {
    const isPresent = sql`configuration_id in (select id from configurations)`
    const insert = SqlSchema.void({
      Request: VersionRow,
      execute: (row) => sql`insert into configuration_versions ${sql.insert({ ...row, ...sumsOf(summed, row) })}`
    })
    const list = SqlSchema.findAll({
      Request: Page,
      Result: VersionSummaryRow,
      execute: ({ id, before, limit }) =>
        sql`select configuration_id, version, hash, reason, created_at, created_by from configuration_versions
        where configuration_id = ${id} and ${isPresent} and ${before === null ? sql`true` : sql`version < ${before}`}
        order by version desc limit ${limit}`
    })
    const find = SqlSchema.findOne({
      Request: Place,
      Result: VersionRow,
      execute: ({ id, version }) =>
        demand(
          summed,
          sql`select * from configuration_versions
          where configuration_id = ${id} and version = ${version} and ${isPresent}`
        )
    })
    /** Reads an index that has all these columns: in the table they lie behind the documents. */
    const within = SqlSchema.findAll({
      Request: Within,
      Result: NamedVersionRow,
      execute: ({ environmentId, from, to, place, limit }) =>
        sql`select v.configuration_id, v.version, v.hash, v.reason, v.created_at, v.created_by, c.name
        from configurations c join configuration_versions v on v.configuration_id = c.id
        where c.environment_id = ${environmentId} and v.created_at >= ${from} and v.created_at < ${to}
          and (v.created_at, v.configuration_id, v.version) < (${place.at}, ${place.id}, ${place.version})
        order by v.created_at desc, v.configuration_id desc, v.version desc limit ${limit}`
    })
    return { insert, list, find, within }
  }
)

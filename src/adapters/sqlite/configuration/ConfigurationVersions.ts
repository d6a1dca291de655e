import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ConfigurationId } from "../../../domain/Ids.ts"
import { VersionRow, VersionSummaryRow } from "./ConfigurationRows.ts"

const Page = Schema.Struct({ id: ConfigurationId, before: Schema.NullOr(Schema.Int), limit: Schema.Int })
const Place = Schema.Struct({ id: ConfigurationId, version: Schema.Int })

/** The statements of the table `configuration_versions`. */
export const configurationVersions = Effect.map(SqlClient.SqlClient, (sql) => {
  const insert = SqlSchema.void({
    Request: VersionRow,
    execute: (row) => sql`insert into configuration_versions ${sql.insert(row)}`
  })
  const list = SqlSchema.findAll({
    Request: Page,
    Result: VersionSummaryRow,
    execute: ({ id, before, limit }) =>
      sql`select configuration_id, version, hash, reason, created_at, created_by from configuration_versions
        where configuration_id = ${id} and ${before === null ? sql`true` : sql`version < ${before}`}
        order by version desc limit ${limit}`
  })
  const find = SqlSchema.findOne({
    Request: Place,
    Result: VersionRow,
    execute: ({ id, version }) =>
      sql`select * from configuration_versions where configuration_id = ${id} and version = ${version}`
  })
  return { insert, list, find }
})

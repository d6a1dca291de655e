import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "../../domain/Ids.ts"

/** The beginning of an order that puts rows of these organizations behind all others, of a table whose rows have an `application_id`. */
export const servedLast = (sql: SqlClient.SqlClient, served: ReadonlyArray<OrganizationId>) =>
  served.length === 0
    ? sql``
    : sql`case when application_id in (
        select id from applications where ${sql.in("organization_id", served)}
      ) then 1 else 0 end,`

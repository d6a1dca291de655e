import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"

/** A column whose rows go with the row of another table that it names. */
export interface Reference {
  readonly child: string
  readonly column: string
  readonly parent: string
  /** The columns that name a row of the child, in SQL. */
  readonly key: string
  /** Whether others refer to rows of the child in turn. */
  readonly isParent: boolean
}

const Columns = Schema.Array(
  Schema.Struct({ child: Schema.String, column: Schema.String, parent: Schema.String, key: Schema.String })
)

const asKeys = (sql: SqlClient.SqlClient) =>
  sql`select tables.name as child, keys."from" as "column", keys."table" as parent, (
      select group_concat(own.name, ', ') from pragma_table_info(tables.name) as own where own.pk > 0
    ) as key
    from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
    where tables.type = 'table' and keys.on_delete = 'CASCADE' order by 1, 2`

const inComments = (sql: SqlClient.SqlClient) =>
  sql`select tables.relname::text as child, columns.attname::text as "column",
      substr(comments.description, length('goes with ') + 1) as parent, (
        select string_agg(own.attname::text, ', ' order by own.attnum) from pg_index keys
        join pg_attribute own on own.attrelid = keys.indrelid and own.attnum = any (keys.indkey)
        where keys.indrelid = tables.oid and keys.indisprimary
      ) as key
    from pg_description comments
    join pg_class tables on tables.oid = comments.objoid and comments.classoid = 'pg_class'::regclass
    join pg_attribute columns on columns.attrelid = tables.oid and columns.attnum = comments.objsubid
    where comments.description like 'goes with %' and tables.relnamespace = current_schema()::regnamespace
    order by 1, 2`

/** What goes with projects and environments, or with what goes with them, as the tables declare it: new tables need no entry here. */
export const references = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const declared = sql.onDialectOrElse({ pg: () => inComments(sql), orElse: () => asKeys(sql) })
  const all = yield* Effect.flatMap(declared, Schema.decodeUnknown(Columns))
  const reached = new Set(["applications", "environments"])
  for (let before = 0; before < reached.size;) {
    before = reached.size
    for (const { child, parent } of all) if (reached.has(parent)) reached.add(child)
  }
  const parents = new Set(all.map(({ parent }) => parent))
  return all
    .filter(({ parent }) => reached.has(parent))
    .map((each): Reference => ({ ...each, isParent: parents.has(each.child) }))
})

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

/** What goes with projects and environments, or with what goes with them, as the tables declare it: new tables need no entry here. */
export const references = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = yield* Effect.flatMap(
    sql`select tables.name as child, keys."from" as "column", keys."table" as parent, (
        select group_concat(own.name, ', ') from pragma_table_info(tables.name) as own where own.pk > 0
      ) as key
      from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as keys
      where tables.type = 'table' and keys.on_delete = 'CASCADE' order by 1, 2`,
    Schema.decodeUnknown(Columns)
  )
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

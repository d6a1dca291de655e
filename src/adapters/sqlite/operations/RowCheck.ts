import Database from "better-sqlite3"
import { Effect } from "effect"
import { isSound, type SummedRow, type SummedTable } from "../../sql/sums/RowSum.ts"
import * as summed from "../../sql/sums/SummedTables.ts"
import { bad, type Finding, good } from "../../../domain/operations/Finding.ts"

/** Damaged rows of one table that are named. */
const mostNamed = 10

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const columnsOf = (database: Database.Database, table: string): ReadonlyArray<string> =>
  database.prepare<[string], string>("select name from pragma_table_info(?)").pluck().all(table)

/** The rows of a table that are not as they were written; none where an older version wrote the file, without checksums. */
const damagedIn = (database: Database.Database, table: SummedTable): ReadonlyArray<string> => {
  const columns = columnsOf(database, table.name)
  if (!columns.includes("row_sum")) return []
  const select = columns.map((name) => `"${name}" as "${camel(name)}"`).join(", ")
  const found: Array<string> = []
  let count = 0
  for (const row of database.prepare<[], SummedRow>(`select ${select} from ${table.name}`).iterate()) {
    if (isSound(table, row)) continue
    if (count++ < mostNamed) found.push(table.key.map((name) => String(row[name])).join(" "))
  }
  if (count === 0) return []
  const names = `${found.join(", ")}${count > mostNamed ? ` and ${count - mostNamed} more` : ""}`
  return [
    `metadata.sqlite: ${count} rows of ${table.name} (${table.key.join(", ")} ${names}) are not as they were written`
  ]
}

/** Rows of the metadata that differ from their checksums, in plain words; `deep` also compares those of players, who may be many. */
export const damagedRows = (file: string, deep: boolean) =>
  Effect.try(() => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    const tables = Object.values(summed).filter((table) => deep || table !== summed.assignments)
    const problems = tables.flatMap((table) => damagedIn(database, table))
    database.close()
    return problems
  })

/** Compares rows of the metadata with their checksums. */
export const checkRows = (file: string, deep: boolean): Effect.Effect<ReadonlyArray<Finding>> =>
  damagedRows(file, deep).pipe(
    Effect.map((problems) =>
      problems.length > 0
        ? problems.map((each) => bad(`${each}, and what needs them is refused: put back both files of one backup`))
        : [
            good(
              `Every row of keys, roles, configurations and experiments${deep ? " and every assignment" : ""} is as it was written`
            )
          ]
    ),
    Effect.orElseSucceed(() => [bad("The rows of metadata.sqlite cannot be read")])
  )

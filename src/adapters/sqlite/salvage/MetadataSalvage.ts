import Database from "better-sqlite3"
import { DamagedDatabase, schemaOf } from "./DamagedDatabase.ts"
import { type CopiedTable, copyTable } from "./TableCopy.ts"

const pageSize = 4096

/** What every file has of its own. */
const own = new Set(["page_token", "effect_sql_migrations"])

interface Trigger {
  readonly name: string
  readonly sql: string
}

export interface SalvagedMetadata {
  readonly tables: ReadonlyArray<CopiedTable>
  readonly notes: ReadonlyArray<string>
  /** The highest sequence of each environment that the metadata have noted. */
  readonly sequences: ReadonlyMap<number, number>
}

/** The metadata cannot be salvaged. The message is for the operator. */
export class Unsalvageable extends Error {
  override readonly name = "Unsalvageable"
}

const tablesIn = (database: Database.Database): ReadonlyArray<string> =>
  database.prepare<[], string>("select name from sqlite_schema where type = 'table' order by name").pluck().all()

/** Counters of ids never go back, whatever rows are left. */
const keepCounters = (damaged: DamagedDatabase, database: Database.Database): void => {
  const put = database.prepare<[string, number]>("insert into sqlite_sequence (name, seq) values (?, ?)")
  const raise = database.prepare<[number, string]>("update sqlite_sequence set seq = max(seq, ?) where name = ?")
  const known = new Set(tablesIn(database))
  for (const { values } of damaged.entries("sqlite_sequence", () => undefined)) {
    const [name, last] = values
    if (typeof name !== "string" || !known.has(name) || (typeof last !== "number" && typeof last !== "bigint")) continue
    if (raise.run(Number(last), name).changes === 0) put.run(name, Number(last))
  }
}

interface Orphan {
  readonly table: string
  readonly rowid: number | null
  readonly parent: string
}

/** Removes rows whose own record is gone, and rows that refer to these, until every reference leads somewhere. */
const removeOrphans = (database: Database.Database): ReadonlyMap<string, number> => {
  const removed = new Map<string, number>()
  const orphans = database.prepare<[], Orphan>("pragma foreign_key_check")
  for (let found = orphans.all(); found.length > 0; found = orphans.all()) {
    for (const table of new Set(found.map((orphan) => orphan.table))) {
      const rowids = new Set(
        found.flatMap((orphan) => (orphan.table === table && orphan.rowid !== null ? [orphan.rowid] : []))
      )
      const count = rowids.size > 0 ? removeRows(database, table, rowids) : removeUnreferring(database, table)
      removed.set(table, (removed.get(table) ?? 0) + count)
    }
  }
  return removed
}

const removeRows = (database: Database.Database, table: string, rowids: ReadonlySet<number>): number => {
  const remove = database.prepare<[number]>(`delete from "${table}" where rowid = ?`)
  database.transaction(() => {
    for (const rowid of rowids) remove.run(rowid)
  })()
  return rowids.size
}

interface Reference {
  readonly id: number
  readonly parent: string
  readonly child: string
  readonly target: string | null
}

/** The same in a table without rowids, whose rows the check does not name. */
const removeUnreferring = (database: Database.Database, table: string): number => {
  const references = database
    .prepare<[string], Reference>(
      `select id, "table" as parent, "from" as child, "to" as target from pragma_foreign_key_list(?)`
    )
    .all(table)
  let count = 0
  for (const id of new Set(references.map((reference) => reference.id))) {
    const parts = references.filter((reference) => reference.id === id)
    const keys = parts.map(({ parent, child, target }) => {
      const key = database.prepare<[string], string>("select name from pragma_table_info(?) where pk = 1").pluck()
      return `p."${target ?? key.get(parent) ?? "rowid"}" = "${table}"."${child}"`
    })
    const isSet = parts.map(({ child }) => `"${child}" is not null`)
    count +=
      database
        .exec(
          `delete from "${table}" where ${isSet.join(" and ")} and not exists (select 1 from "${parts[0]?.parent}" p where ${keys.join(" and ")})`
        )
        .prepare<[], number>("select changes()")
        .pluck()
        .get() ?? 0
  }
  return count
}

/**
 * Fills a new, migrated metadata file with every row of a damaged one that can be read. The damaged file is not changed.
 */
export const salvageMetadata = (from: string, to: string): SalvagedMetadata => {
  const database = new Database(to, { fileMustExist: true })
  database.pragma("foreign_keys = off")
  database.pragma("synchronous = full")
  const damaged = new DamagedDatabase({ file: from, pageSize, hasMap: false, expected: schemaOf(database) })
  try {
    const names = tablesIn(database).filter((name) => !own.has(name))
    const unknown = names.filter((name) => !damaged.names.has(name))
    if (!damaged.names.has("environments") || !damaged.names.has("organizations"))
      throw new Unsalvageable(
        `${from} cannot be salvaged: its list of tables is lost, or it was written by another version of gamekeeper. ` +
          "Put metadata.sqlite of a backup into a copy of the folder, without metadata.sqlite-wal and metadata.sqlite-sums, and repair that"
      )
    const triggers = database.prepare<[], Trigger>("select name, sql from sqlite_schema where type = 'trigger'").all()
    for (const { name } of triggers) database.exec(`drop trigger "${name}"`)
    for (const name of names) if (name !== "sqlite_sequence") database.exec(`delete from "${name}"`)
    const tables = names.filter((name) => name !== "sqlite_sequence").map((name) => copyTable(damaged, database, name))
    keepCounters(damaged, database)
    // Without losses, what refers to nothing is of a removal that is under way, and goes on after the start.
    const isWhole = tables.every(({ lostPages, lostRows }) => lostPages + lostRows === 0)
    const orphans = isWhole && unknown.length === 0 ? new Map<string, number>() : removeOrphans(database)
    for (const { sql } of triggers) database.exec(sql)
    const sequences = database
      .prepare<[], { id: number; last: number }>("select environment_id as id, sequence as last from noted_sequences")
      .all()
    return {
      tables: tables.map((table) => ({
        ...table,
        rows: table.rows - (orphans.get(table.name) ?? 0),
        lostRows: table.lostRows + (orphans.get(table.name) ?? 0)
      })),
      notes: [
        ...(damaged.source.hasSums
          ? []
          : ["metadata.sqlite has no checksums of its pages: what was changed without a trace is kept as it is"]),
        ...(damaged.source.logDamage === null
          ? []
          : [
              `The log of metadata.sqlite is damaged (${damaged.source.logDamage}): what was changed after that is lost`
            ]),
        ...unknown
          .filter((name) => name !== "sqlite_sequence")
          .map((name) => `metadata.sqlite: where ${name} was is not known, and it is empty now`)
      ],
      sequences: new Map(sequences.map(({ id, last }) => [id, last]))
    }
  } finally {
    damaged.close()
    database.pragma("wal_checkpoint(truncate)")
    database.close()
  }
}

import Database from "better-sqlite3"
import { newestMigration } from "../MetadataDb.ts"
import { DamagedDatabase, schemaOf } from "./DamagedDatabase.ts"
import { type CopiedTable, copyTable } from "./TableCopy.ts"

const pageSize = 4096

/** What every file has of its own, and what is counted anew from other tables: nothing of these is copied, nor lost. */
const notCopied = new Set(["page_token", "effect_sql_migrations", "assignment_totals"])

interface Trigger {
  readonly name: string
  readonly sql: string
}

export interface SalvagedMetadata {
  readonly tables: ReadonlyArray<CopiedTable>
  readonly notes: ReadonlyArray<string>
  /** Whether the damaged file had the checksums of its pages. */
  readonly hasSums: boolean
  /** The highest sequence of each environment that the metadata have noted. */
  readonly sequences: ReadonlyMap<number, number>
}

/** The metadata cannot be salvaged. The message is for the operator. */
export class Unsalvageable extends Error {
  override readonly name = "Unsalvageable"
}

const tablesIn = (database: Database.Database): ReadonlyArray<string> =>
  database.prepare<[], string>("select name from sqlite_schema where type = 'table' order by name").pluck().all()

/** Counters of ids never go back, whatever rows are left. Answers how many pages of them cannot be read. */
const keepCounters = (damaged: DamagedDatabase, database: Database.Database): number => {
  let lost = 0
  const put = database.prepare<[string, number]>("insert into sqlite_sequence (name, seq) values (?, ?)")
  const raise = database.prepare<[number, string]>("update sqlite_sequence set seq = max(seq, ?) where name = ?")
  const known = new Set(tablesIn(database))
  for (const { values } of damaged.entries("sqlite_sequence", () => lost++)) {
    const [name, last] = values
    if (typeof name !== "string" || !known.has(name) || (typeof last !== "number" && typeof last !== "bigint")) continue
    if (raise.run(Number(last), name).changes === 0) put.run(name, Number(last))
  }
  return lost
}

/** Every kind of number keeps its counter, without which none could be given any more: at least the highest that is left. */
const keepNumbers = `
insert or ignore into experiment_numbers (kind, last) values ('experiment', 0), ('group', 0);
update experiment_numbers set last = max(last,
  coalesce((select max(id) from experiments), 0), coalesce((select max(experiment_id) from assignments), 0))
  where kind = 'experiment';
update experiment_numbers set last = max(last,
  coalesce((select max(own.value ->> 'id') from experiments,
    json_each(iif(json_valid(record), record, '{}'), '$.groups') own), 0),
  coalesce((select max(group_id) from assignments), 0))
  where kind = 'group';
`

/** Totals are those of the assignments that are left. */
const countAssignments = `
insert into assignment_totals (experiment_id, environment_id, group_id, status, count)
  select experiment_id, max(environment_id), group_id, status, count(*) from assignments group by 1, 3, 4;
`

/** A log of changes without its end takes no further entry: it goes on after the last that is left. */
const keepChains = `
insert into audit_chains (organization_id, last, last_hash, first, anchor)
  select ends.organization_id, newest.number, newest.hash, oldest.number, oldest.previous
  from (select organization_id, min(number) as first, max(number) as last from audit_entries group by 1) as ends
    join audit_entries as newest on newest.organization_id = ends.organization_id and newest.number = ends.last
    join audit_entries as oldest on oldest.organization_id = ends.organization_id and oldest.number = ends.first
  where true
  on conflict do nothing;
`

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

/** Organizations that nobody owns any more; these rows may well be on one page, and what they hold is lost to people without it. */
const unowned = `
select id, name from organizations where not exists (
  select 1 from grants join roles on roles.id = role_id join memberships on memberships.id = membership_id
  where grants.organization_id = organizations.id and application_id is null and builtin = 'Owner'
) order by id`

const unownedIn = (database: Database.Database): ReadonlyArray<string> =>
  database
    .prepare<[], { id: number; name: string }>(unowned)
    .all()
    .map(
      ({ id, name }) =>
        `Nobody owns organization ${id} (${name}) any more, and so nobody gets at what it holds, unless you make somebody its owner: gamekeeper make-owner --organization ${id} --email ADDRESS`
    )

/** The newest migration of the file; null where a part of the list cannot be read. */
const migrationIn = (damaged: DamagedDatabase): number | null => {
  let [newest, isWhole] = [0, true]
  for (const { rowid } of damaged.entries("effect_sql_migrations", () => (isWhole = false)))
    newest = Math.max(newest, Number(rowid ?? 0))
  return isWhole ? newest : null
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
    const migration = migrationIn(damaged)
    if (migration !== null && migration !== newestMigration)
      throw new Unsalvageable(
        `${from} has schema ${migration}, and only schema ${newestMigration} can be repaired: use the version of gamekeeper that wrote it`
      )
    const names = tablesIn(database).filter((name) => !notCopied.has(name))
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
    const lostCounters = keepCounters(damaged, database)
    // Without losses, what refers to nothing is of a removal that is under way, and goes on after the start.
    const isWhole = tables.every(({ lostPages, lostRows }) => lostPages + lostRows === 0)
    const orphans = isWhole && unknown.length === 0 ? new Map<string, number>() : removeOrphans(database)
    for (const sql of [keepNumbers, countAssignments, keepChains, ...triggers.map((trigger) => trigger.sql)])
      database.exec(sql)
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
        ...(damaged.source.logDamage === null
          ? []
          : [
              `The log of metadata.sqlite is damaged (${damaged.source.logDamage}): what was changed after that is lost`
            ]),
        ...(lostCounters === 0
          ? []
          : [
              "metadata.sqlite: how far ids were given is lost: they go on after the highest that is left in either file"
            ]),
        ...(isWhole ? [] : unownedIn(database)),
        ...unknown
          .filter((name) => name !== "sqlite_sequence")
          .map((name) => `metadata.sqlite: where ${name} was is not known, and it is empty now`)
      ],
      hasSums: damaged.source.hasSums,
      sequences: new Map(sequences.map(({ id, last }) => [id, last]))
    }
  } finally {
    damaged.close()
    database.pragma("wal_checkpoint(truncate)")
    database.close()
  }
}

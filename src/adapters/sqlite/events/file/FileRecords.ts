import { randomUUID } from "node:crypto"
import type { PairIds } from "../../../../domain/operations/FilePair.ts"
import type { Db } from "./Db.ts"

/** What the event file keeps of its partner, so that whichever of the two is newer can repair the other. */
export interface PartnerNote {
  /** Grows by one with each note; the partner has the same one first. */
  readonly round: number
  /** Epoch milliseconds. */
  readonly notedAt: number
  /** The highest ids that the partner has given, by name. */
  readonly counters: ReadonlyArray<readonly [name: string, id: number]>
}

/** That a unit's data of up to `erasedAt` (epoch milliseconds) were erased. The id itself is not stored. */
export interface ErasureRecord {
  readonly fingerprint: string
  readonly erasedAt: number
}

const tables = `
create table if not exists file_pair (
  own text not null,
  partner text
) strict;
create table if not exists partner_note (
  name text primary key,
  value integer not null
) strict, without rowid;
create table if not exists erasure (
  environment_id integer not null,
  fingerprint text not null,
  erased_at integer not null,
  primary key (environment_id, fingerprint)
) strict, without rowid;
`

/**
 * Makes the tables of this page where they are missing. No format depends on them: a build that does not know them leaves them alone.
 */
export const addRecordTables = (db: Db): void => {
  db.exec(tables)
}

const counterPrefix = "counter:"

/** Writes and reads what ties the event file to the metadata's file. */
export class FileRecords {
  private readonly db: Db
  private readonly putNote
  private readonly putErasure

  constructor(db: Db) {
    this.db = db
    this.putNote = db.prepare<[string, number]>("insert or replace into partner_note (name, value) values (?, ?)")
    this.putErasure = db.prepare<[number, string, number]>(
      `insert into erasure (environment_id, fingerprint, erased_at) values (?, ?, ?)
       on conflict do update set erased_at = max(erased_at, excluded.erased_at)`
    )
  }

  /** Records `partner` as this file's partner, and answers this file's own id. A file without an id gets one. */
  join(partner: string): string {
    const known = this.ids()
    if (known?.partner === partner) return known.own
    const own = known?.own ?? randomUUID()
    this.db.transaction(() => {
      this.db.prepare("delete from file_pair").run()
      this.db.prepare<[string, string]>("insert into file_pair (own, partner) values (?, ?)").run(own, partner)
    })()
    return own
  }

  note({ round, notedAt, counters }: PartnerNote): void {
    this.db.transaction(() => {
      this.putNote.run("round", round)
      this.putNote.run("noted_at", notedAt)
      for (const [name, id] of counters) this.putNote.run(counterPrefix + name, id)
    })()
  }

  noted(): PartnerNote {
    const rows = this.db
      .prepare<[], { name: string; value: number }>("select name, value from partner_note order by name")
      .all()
    const valueOf = (wanted: string) => rows.find(({ name }) => name === wanted)?.value ?? 0
    const counters = rows
      .filter(({ name }) => name.startsWith(counterPrefix))
      .map(({ name, value }) => [name.slice(counterPrefix.length), value] as const)
    return { round: valueOf("round"), notedAt: valueOf("noted_at"), counters }
  }

  /** Records erasures in one transaction: sixty that come together would wait for the disk sixty times. */
  erased(erasures: ReadonlyArray<ErasureRecord & { readonly environmentId: number }>): void {
    this.db.transaction(() => {
      for (const { environmentId, fingerprint, erasedAt } of erasures)
        this.putErasure.run(environmentId, fingerprint, erasedAt)
    })()
  }

  erasures(): ReadonlyArray<ErasureRecord & { readonly environmentId: number }> {
    return this.db
      .prepare<[], ErasureRecord & { environmentId: number }>(
        `select environment_id as environmentId, fingerprint, erased_at as erasedAt from erasure
         order by environment_id, fingerprint`
      )
      .all()
  }

  private ids(): PairIds | undefined {
    return this.db.prepare<[], PairIds>("select own, partner from file_pair").get()
  }
}

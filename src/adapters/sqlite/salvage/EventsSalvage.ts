import { goneFrom, isWhole, type Loss } from "../../../domain/operations/Salvage.ts"
import type { Db } from "../events/file/Db.ts"
import { formatVersion, openForWriting } from "../events/file/EventsDb.ts"
import { Writer } from "../events/write/Writer.ts"
import { rebuildCatalogue, sealedByDay } from "./CatalogueSalvage.ts"
import { DamagedDatabase, schemaOf } from "./DamagedDatabase.ts"
import { fillDictionaries } from "./DictionarySalvage.ts"
import { fillReceipts, rebuildRuns } from "./MarkerIdSalvage.ts"
import { recountMembers } from "./MemberSalvage.ts"
import { SegmentSalvage } from "./SegmentSalvage.ts"
import { type CopiedTable, copyTable } from "./TableCopy.ts"
import { insertCut, keepWholeParts } from "./TailSalvage.ts"

const pageSize = 8192

/** What the new file makes for itself. */
const own = new Set(["page_token", "activity", "sqlite_sequence"])

/** Tables whose losses are told in other words: by markers, names and marker ids. */
const toldOtherwise = new Set(["segment_column", "unit", "session", "key_page", "environment"])

/** Tables that are made anew; only what they knew of markers that retention has removed cannot be. */
const rebuilt = new Set(["seen_type", "seen_day", "seen_name"])

const options = { dedupeDays: 7, ownSegmentRows: 1000, sealAt: 65_536 }

/** A file of a format that this version does not salvage. */
export class OtherFormat extends Error {
  override readonly name = "OtherFormat"
}

export interface SalvagedEvents {
  readonly environments: ReadonlyArray<{ readonly environmentId: number; readonly markers: number }>
  readonly losses: ReadonlyArray<Loss>
  readonly tables: ReadonlyArray<CopiedTable>
  readonly notes: ReadonlyArray<string>
  /** Whether the damaged file had the checksums of its pages. */
  readonly hasSums: boolean
}

interface EnvironmentRow {
  readonly id: number
  readonly next: number
  readonly completeFrom: number | null
}

const environmentsIn = (db: Db): ReadonlyArray<EnvironmentRow> =>
  db
    .prepare<[], EnvironmentRow>(
      "select id, next_sequence as next, complete_from as completeFrom from environment order by id"
    )
    .all()

/** Notes every environment that segments, receipts or marker ids know, and the first sequence that is not sealed. */
const completeEnvironments = `
insert into environment (id, next_sequence)
  select environment_id, max(last) + 1 from (
    select environment_id, max(last_sequence) as last from segment group by 1
    union all select environment_id, max(last_sequence) from receipt group by 1
    union all select environment_id, max(last_sequence) from key_run group by 1) as known
  where true group by environment_id
  on conflict do update set next_sequence = max(next_sequence, excluded.next_sequence)`

const rowsIn = (db: Db, environmentId: number): number =>
  Number(
    db
      .prepare<[number], number>("select coalesce(sum(rows), 0) from segment where environment_id = ?")
      .pluck()
      .get(environmentId)
  )

const copyAll = (damaged: DamagedDatabase, db: Db): ReadonlyArray<CopiedTable> =>
  db
    .prepare<[], string>("select name from sqlite_schema where type = 'table' order by name")
    .pluck()
    .all()
    .filter((name) => !own.has(name))
    .map((name) =>
      copyTable(damaged, db, name, ({ rowid, values }) => {
        const [, , data] = values
        if (name === "tail" && rowid !== null && data instanceof Uint8Array) insertCut(db, Number(rowid), data)
      })
    )

/** Seals the whole tail. */
const sealAll = (db: Db): void => {
  const writer = new Writer(db, options)
  for (let isSealed = true; isSealed;) {
    const sealing = writer.seal()
    let step = sealing.next()
    while (step.done !== true) step = sealing.next()
    isSealed = step.value
  }
}

/**
 * Makes a new event file of what can be read of a damaged one. `noted` is the highest sequence of each environment that the metadata know
 * of. The damaged file is not changed.
 */
export const salvageEvents = (from: string, to: string, noted: ReadonlyMap<number, number>): SalvagedEvents => {
  const db = openForWriting(to)
  const damaged = new DamagedDatabase({ file: from, pageSize, hasMap: true, expected: schemaOf(db) })
  try {
    const format = damaged.userVersion
    if (format !== null && format !== formatVersion)
      throw new OtherFormat(
        `${from} has format ${format}, and only format ${formatVersion} can be repaired: use the version of gamekeeper that wrote it`
      )
    const notes: Array<string> = []
    if (damaged.source.logDamage !== null)
      notes.push(
        `The log of events.sqlite is damaged (${damaged.source.logDamage}): what was written after that is lost`
      )
    const tables = copyAll(damaged, db)
    db.exec(completeEnvironments)
    const note = db.prepare<[number]>("insert or ignore into environment (id, next_sequence) values (?, 1)")
    for (const [id, sequence] of noted) if (sequence > 0) note.run(id)
    const known = environmentsIn(db)
    const before = new Map(known.map(({ id }) => [id, sealedByDay(db, id)]))
    const segments = new SegmentSalvage(db).run()
    const lostIds = rebuildRuns(db)
    if (lostIds > 0) notes.push(`${lostIds} marker ids are lost: if these markers are sent again, they count again`)
    notes.push(...recountMembers(db))
    const names = fillDictionaries(db)
    for (const [id, count] of names.units)
      notes.push(
        `The ids of ${count} players of environment ${id} are lost: their markers stay, under the names "lost unit" and a number`
      )
    for (const [id, count] of names.sessions) notes.push(`The ids of ${count} sessions of environment ${id} are lost`)
    rebuildCatalogue(db)
    const unsealed = new Map(known.map(({ id, next }) => [id, next]))
    const inTail = keepWholeParts(db, (id) => unsealed.get(id) ?? 1)
    const sealed = new Map(known.map(({ id }) => [id, [sealedByDay(db, id), rowsIn(db, id)] as const]))
    sealAll(db)
    const erased = new Set(db.prepare<[], number>("select distinct environment_id from erasure").pluck().all())
    const losses = segments.losses.filter(({ parts }) => parts.length > 0)
    const environments: Array<{ environmentId: number; markers: number }> = []
    const lastOf = db.prepare<[number, number]>(
      "update environment set next_sequence = max(next_sequence, ?) where id = ?"
    )
    const areWhole = (...names: ReadonlyArray<string>) =>
      tables.every((table) => !names.includes(table.name) || isWhole(table))
    const isDoubtful = !areWhole("segment", "tail", "environment")
    const areRemovalsKnown = areWhole("environment", "erasure")
    for (const { id, next, completeFrom } of environmentsIn(db)) {
      const highest = Math.max(noted.get(id) ?? 0, inTail.get(id) ?? 0, next - 1)
      const kept = rowsIn(db, id)
      const isThinned = completeFrom !== null || erased.has(id) || !areRemovalsKnown
      const [after, keptSealed] = sealed.get(id) ?? [new Map(), 0]
      const own = segments.losses.filter(({ environmentId, parts }) => environmentId === id && parts.length === 0)
      const counted = {
        environmentId: id,
        highest,
        unsealed: unsealed.get(id) ?? 1,
        before: before.get(id) ?? new Map(),
        after,
        kept,
        keptSealed,
        isThinned
      }
      const isLacking = isDoubtful || own.length > 0 || !isThinned || (noted.get(id) ?? 0) > next - 1
      if (isLacking) losses.push(...goneFrom(counted, own))
      environments.push({ environmentId: id, markers: kept })
      lastOf.run(highest + 1, id)
      const unreceived = fillReceipts(db, id, highest + 1)
      if (unreceived > 0 && !areWhole("receipt"))
        notes.push(`When ${unreceived} markers of environment ${id} were received is not known any more`)
    }
    const hasRetired = known.some(({ completeFrom }) => completeFrom !== null)
    const told = tables.filter(({ name }) => !toldOtherwise.has(name) && (hasRetired || !rebuilt.has(name)))
    return { environments, losses, tables: told, notes, hasSums: damaged.source.hasSums }
  } finally {
    damaged.close()
    db.pragma("wal_checkpoint(truncate)")
    db.close()
  }
}

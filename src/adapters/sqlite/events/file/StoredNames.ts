import type { Db } from "./Db.ts"
import { keyBytes, pagesPerRun } from "../format/KeyRun.ts"
import { readMarkerId, readName, storedName } from "../bytes/MarkerId.ts"
import { Receipts } from "./Receipts.ts"
import { StoredUnits } from "./StoredUnits.ts"
import type { Names } from "./StoredSegments.ts"

/** Resolves what sealed rows refer to by number: unit and session names, times of receipt, marker ids. */
export class StoredNames {
  readonly units: StoredUnits
  private readonly unitName
  private readonly sessionName
  private readonly unitId
  private readonly sessionId
  private readonly lastUnit
  private readonly lastSession
  private readonly runs
  private readonly pages
  private readonly receipts: Receipts

  constructor(db: Db) {
    this.units = new StoredUnits(db)
    this.unitName = db.prepare<[number, number], { name: string | Uint8Array }>(
      "select name from unit where environment_id = ? and id = ?"
    )
    this.sessionName = db.prepare<[number, number], { name: string | Uint8Array }>(
      "select name from session where environment_id = ? and id = ?"
    )
    this.unitId = db.prepare<[number, string | Uint8Array], { id: number }>(
      "select id from unit where environment_id = ? and name = ?"
    )
    this.sessionId = db.prepare<[number, string | Uint8Array], { id: number }>(
      "select id from session where environment_id = ? and name = ?"
    )
    this.lastUnit = db.prepare<[number], { id: number | null }>(
      "select max(id) as id from unit where environment_id = ?"
    )
    this.lastSession = db.prepare<[number], { id: number | null }>(
      "select max(id) as id from session where environment_id = ?"
    )
    this.runs = db.prepare<[number, number], { id: number }>(
      "select id from key_run where environment_id = ? and ? between first_sequence and last_sequence"
    )
    this.pages = db.prepare<[number, number], { data: Uint8Array }>(
      "select data from key_page where id between ? and ?"
    )
    this.receipts = new Receipts(db)
  }

  unit(environmentId: number, id: number): string | null {
    const found = id === 0 ? undefined : this.unitName.get(environmentId, id)
    return found === undefined ? null : readName(found.name)
  }

  session(environmentId: number, id: number): string | null {
    const found = id === 0 ? undefined : this.sessionName.get(environmentId, id)
    return found === undefined ? null : readName(found.name)
  }

  /** Undefined when the unit has no sealed marker. */
  idOfUnit(environmentId: number, name: string): number | undefined {
    return this.unitId.get(environmentId, storedName(name))?.id
  }

  idOfSession(environmentId: number, name: string): number | undefined {
    return this.sessionId.get(environmentId, storedName(name))?.id
  }

  /** The highest number assigned to a unit; 0 when there is none. */
  highestUnit(environmentId: number): number {
    return this.lastUnit.get(environmentId)?.id ?? 0
  }

  highestSession(environmentId: number): number {
    return this.lastSession.get(environmentId)?.id ?? 0
  }

  /** Prepares lookups for rows of an environment. `sequences` must list every sequence that will be asked for. */
  of(environmentId: number, sequences: ReadonlyArray<number>): Names {
    const markerIds = this.markerIds(environmentId, sequences)
    const instants = new Map<number, number>()
    for (const sequence of sequences.toSorted((a, b) => a - b))
      instants.set(sequence, this.receipts.receivedAt(environmentId, sequence))
    return {
      unit: (id) => this.unit(environmentId, id),
      session: (id) => this.session(environmentId, id),
      receivedAt: (sequence) => instants.get(sequence) ?? 0,
      markerId: (sequence) => markerIds.get(sequence) ?? null
    }
  }

  private markerIds(environmentId: number, sequences: ReadonlyArray<number>): ReadonlyMap<number, string> {
    const found = new Map<number, string>()
    const wanted = new Map<number, Map<number, number>>()
    for (const sequence of sequences)
      for (const { id } of this.runs.all(environmentId, sequence)) {
        const own = wanted.get(id) ?? new Map<number, number>()
        wanted.set(id, own.set(sequence % 2 ** 32, sequence))
      }
    const isWanted = new Uint8Array(65_536)
    for (const sequence of sequences) isWanted[sequence % 65_536] = 1
    for (const [run, own] of wanted)
      for (const { data } of this.pages.iterate(run * pagesPerRun, (run + 1) * pagesPerRun - 1)) {
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
        for (let at = 0; at < data.length; at += keyBytes) {
          if (isWanted[view.getUint16(at + 18)] === 0) continue
          const sequence = own.get(view.getUint32(at + 16))
          if (sequence !== undefined) found.set(sequence, readMarkerId(data, at))
        }
      }
    return found
  }
}

import type { ColumnCache } from "./ColumnCache.ts"
import type { Db } from "./Db.ts"
import { readName, storedName } from "../bytes/MarkerId.ts"
import { Receipts } from "./ids/Receipts.ts"
import { StoredMarkerIds } from "./ids/StoredMarkerIds.ts"
import { StoredUnits } from "./StoredUnits.ts"
import type { Names } from "./StoredSegments.ts"

/** Looks each number up once: rows that are shown together are mostly of few units and sessions. */
const lookedUpOnce = (find: (id: number) => string | null) => {
  const known = new Map<number, string | null>()
  return (id: number): string | null => {
    const name = known.get(id)
    if (name !== undefined) return name
    const found = find(id)
    known.set(id, found)
    return found
  }
}

/** Resolves what sealed rows refer to by number: unit and session names, times of receipt, marker ids. */
export class StoredNames {
  readonly units: StoredUnits
  private readonly unitName
  private readonly sessionName
  private readonly unitId
  private readonly sessionId
  private readonly lastUnit
  private readonly lastSession
  private readonly markerIds: StoredMarkerIds
  private readonly receipts: Receipts

  /** Tables of marker ids are kept in the cache, if there is one. */
  constructor(db: Db, cache: ColumnCache | null = null) {
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
    this.markerIds = new StoredMarkerIds(db, cache)
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
    const markerIds = this.markerIds.of(environmentId, sequences)
    const instants = new Map<number, number>()
    for (const sequence of sequences.toSorted((a, b) => a - b))
      instants.set(sequence, this.receipts.receivedAt(environmentId, sequence))
    return {
      unit: lookedUpOnce((id) => this.unit(environmentId, id)),
      session: lookedUpOnce((id) => this.session(environmentId, id)),
      receivedAt: (sequence) => instants.get(sequence) ?? 0,
      markerId: (sequence) => markerIds.get(sequence) ?? null
    }
  }
}

import type { Db } from "./Db.ts"
import { textIn } from "../bytes/ByteReader.ts"
import { storedName } from "../bytes/MarkerId.ts"
import { textHash, TextTable } from "../bytes/TextTable.ts"

const cachedNames = 200_000
const encoder = new TextEncoder()

/** Names as bytes, so that none has to be decoded to be found, and the number that each has. */
interface Known {
  readonly names: TextTable
  readonly ids: Array<number>
}

/** The numbers that names have got, which are not stored yet. */
export type NewNumbers = ReadonlyArray<readonly [environmentId: number, id: number, name: string]>

/**
 * Assigns dense numbers from 1 to the units or sessions of each environment. New numbers are in memory only until
 * `save`.
 */
export class Dictionary {
  private readonly db: Db
  private readonly find
  private readonly highest
  private readonly insert
  private readonly overwrite
  private readonly known = new Map<number, Known>()
  private readonly next = new Map<number, number>()
  private unsaved: Array<NewNumbers[number]> = []

  constructor(db: Db, table: "unit" | "session") {
    this.db = db
    this.find = db.prepare<[number, string | Uint8Array], { id: number }>(
      `select id from ${table} where environment_id = ? and name = ?`
    )
    this.highest = db.prepare<[number], { id: number | null }>(
      `select max(id) as id from ${table} where environment_id = ?`
    )
    this.insert = db.prepare<[number, number, string | Uint8Array]>(
      `insert into ${table} (environment_id, id, name) values (?, ?, ?)`
    )
    this.overwrite = db.prepare<[number, number]>(
      `update ${table} set name = char(0) || id where environment_id = ? and id = ?`
    )
  }

  /** Overwrites erased names. Their rows stay, so that the numbers are not assigned again. */
  forget(environmentId: number, ids: ReadonlyArray<number>): void {
    this.db.transaction(() => {
      for (const id of ids) this.overwrite.run(environmentId, id)
    })()
    this.settle(false)
  }

  idOf(environmentId: number, name: string): number {
    const bytes = encoder.encode(name)
    return this.idIn(environmentId, bytes, 0, bytes.length)
  }

  /** The number of a name that is given as bytes in UTF-8. */
  idIn(environmentId: number, bytes: Uint8Array, start: number, end: number): number {
    let known = this.known.get(environmentId)
    if (known === undefined) this.known.set(environmentId, (known = { names: new TextTable(), ids: [] }))
    const place = known.names.numberOf(bytes, start, end, textHash(bytes, start, end))
    const cached = known.ids[place]
    if (cached !== undefined) return cached
    const name = textIn(bytes, start, end)
    const id = this.find.get(environmentId, storedName(name))?.id ?? this.assign(environmentId, name)
    known.ids[place] = id
    return id
  }

  /** The numbers that were assigned since they were settled. */
  get assigned(): NewNumbers {
    return this.unsaved
  }

  /** Writes new numbers. Call it inside the transaction whose rows refer to them. */
  save(numbers: NewNumbers = this.unsaved): void {
    for (const [environmentId, id, name] of numbers) this.insert.run(environmentId, id, storedName(name))
  }

  /** Call it after the transaction: keeps the new numbers if it committed, forgets them if it was rolled back. */
  settle(isCommitted: boolean): void {
    this.unsaved = []
    const size = [...this.known.values()].reduce((sum, { names }) => sum + names.count, 0)
    if (isCommitted && size < cachedNames) return
    this.known.clear()
    this.next.clear()
  }

  private assign(environmentId: number, name: string): number {
    const id = this.next.get(environmentId) ?? (this.highest.get(environmentId)?.id ?? 0) + 1
    this.next.set(environmentId, id + 1)
    this.unsaved.push([environmentId, id, name])
    return id
  }
}

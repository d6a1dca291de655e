import type { Db } from "./Db.ts"
import { storedName } from "../bytes/MarkerId.ts"

const cachedNames = 200_000

/** Dense numbers from 1 for the units or sessions of each environment. New numbers are kept back until `save`. */
export class Dictionary {
  private readonly find
  private readonly highest
  private readonly insert
  private readonly known = new Map<number, Map<string, number>>()
  private readonly next = new Map<number, number>()
  private fresh: Array<readonly [environmentId: number, id: number, name: string]> = []

  constructor(db: Db, table: "unit" | "session") {
    this.find = db.prepare<[number, string | Uint8Array], { id: number }>(
      `select id from ${table} where environment_id = ? and name = ?`
    )
    this.highest = db.prepare<[number], { id: number | null }>(
      `select max(id) as id from ${table} where environment_id = ?`
    )
    this.insert = db.prepare<[number, number, string | Uint8Array]>(
      `insert into ${table} (environment_id, id, name) values (?, ?, ?)`
    )
  }

  idOf(environmentId: number, name: string): number {
    let known = this.known.get(environmentId)
    if (known === undefined) this.known.set(environmentId, (known = new Map()))
    const cached = known.get(name)
    if (cached !== undefined) return cached
    const id = this.find.get(environmentId, storedName(name))?.id ?? this.assign(environmentId, name)
    known.set(name, id)
    return id
  }

  /** Writes the new numbers; call it inside the transaction that uses them. */
  save(): void {
    for (const [environmentId, id, name] of this.fresh) this.insert.run(environmentId, id, storedName(name))
  }

  /** After the transaction: keeps or forgets the new numbers. */
  settle(isCommitted: boolean): void {
    this.fresh = []
    const size = [...this.known.values()].reduce((sum, names) => sum + names.size, 0)
    if (isCommitted && size < cachedNames) return
    this.known.clear()
    this.next.clear()
  }

  private assign(environmentId: number, name: string): number {
    const id = this.next.get(environmentId) ?? (this.highest.get(environmentId)?.id ?? 0) + 1
    this.next.set(environmentId, id + 1)
    this.fresh.push([environmentId, id, name])
    return id
  }
}

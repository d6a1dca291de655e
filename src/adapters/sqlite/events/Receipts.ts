import { ByteReader } from "./ByteReader.ts"
import { ByteWriter } from "./ByteWriter.ts"
import type { Db } from "./EventsDb.ts"
import { readDifferences, writeDifferences } from "./Packed.ts"

/** One request: the events from `firstSequence` up to the next receipt's came at `receivedAt`. */
export interface Receipt {
  readonly firstSequence: number
  readonly receivedAt: number
}

/** When sealed events were received: runs of sequences, since all events of a request share the instant. */
export class Receipts {
  private readonly insert
  private readonly find

  constructor(db: Db) {
    this.insert = db.prepare<[number, number, number, Uint8Array]>(
      "insert into receipt (environment_id, first_sequence, last_sequence, data) values (?, ?, ?, ?)"
    )
    this.find = db.prepare<[number, number], { data: Uint8Array }>(
      `select data from receipt where environment_id = ? and first_sequence <= ?
       order by first_sequence desc limit 1`
    )
  }

  /** Receipts in order of sequence; inside the transaction that seals them. */
  save(environmentId: number, receipts: ReadonlyArray<Receipt>, lastSequence: number): void {
    const [first] = receipts
    if (first === undefined) return
    const out = new ByteWriter()
    out.varint(receipts.length)
    const columns = [receipts.map(({ firstSequence }) => firstSequence), receipts.map(({ receivedAt }) => receivedAt)]
    for (const column of columns) writeDifferences(out, column)
    this.insert.run(environmentId, first.firstSequence, lastSequence, out.finish())
  }

  receivedAt(environmentId: number, sequence: number): number {
    const row = this.find.get(environmentId, sequence)
    if (row === undefined) return 0
    const from = new ByteReader(row.data)
    const count = from.varint()
    const sequences = readDifferences(from, count)
    const instants = readDifferences(from, count)
    let at = 0
    while (at + 1 < count && sequences[at + 1]! <= sequence) at++
    return instants[at]!
  }
}

import { ByteReader } from "../../bytes/ByteReader.ts"
import { ByteWriter } from "../../bytes/ByteWriter.ts"
import type { Db } from "../Db.ts"
import { readDifferences, writeDifferences } from "../../bytes/IntegerEncoding.ts"

/** One request: its events, from `firstSequence` up to the next receipt's, were received at `receivedAt` (epoch ms). */
export interface Receipt {
  readonly firstSequence: number
  readonly receivedAt: number
}

interface Decoded {
  readonly environmentId: number
  readonly first: number
  readonly sequences: ArrayLike<number>
  readonly instants: ArrayLike<number>
}

/** When sealed events were received. One entry a request is enough, because all its events share the instant. */
export class Receipts {
  private readonly insert
  private readonly find
  private readonly data
  private latest: Decoded = { environmentId: 0, first: 0, sequences: [], instants: [] }

  constructor(db: Db) {
    // Builds of the formats 1 to 3 also kept requests in which every marker was known. Such a request has the first
    // sequence of the next one, whose receipt then takes its place.
    this.insert = db.prepare<[number, number, number, Uint8Array]>(
      "insert or replace into receipt (environment_id, first_sequence, last_sequence, data) values (?, ?, ?, ?)"
    )
    this.data = db.prepare<[number, number], { data: Uint8Array }>(
      "select data from receipt where environment_id = ? and first_sequence = ?"
    )
    this.find = db.prepare<[number, number], { first_sequence: number }>(
      `select first_sequence from receipt where environment_id = ? and first_sequence <= ?
       order by first_sequence desc limit 1`
    )
  }

  /** Stores receipts, which must ascend by sequence. Call it inside the transaction that seals their events. */
  save(environmentId: number, receipts: ReadonlyArray<Receipt>, lastSequence: number): void {
    const [first] = receipts
    if (first === undefined) return
    const out = new ByteWriter()
    out.varint(receipts.length)
    const columns = [receipts.map(({ firstSequence }) => firstSequence), receipts.map(({ receivedAt }) => receivedAt)]
    for (const column of columns) writeDifferences(out, column)
    this.insert.run(environmentId, first.firstSequence, lastSequence, out.finish())
  }

  /** Epoch ms at which the event was received; 0 if that is unknown. */
  receivedAt(environmentId: number, sequence: number): number {
    const row = this.find.get(environmentId, sequence)
    if (row === undefined) return 0
    if (this.latest.environmentId !== environmentId || this.latest.first !== row.first_sequence)
      this.latest = this.decode(environmentId, row.first_sequence)
    const { sequences, instants } = this.latest
    let low = 0
    let high = sequences.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sequences[middle]! <= sequence) low = middle + 1
      else high = middle
    }
    return instants[low - 1] ?? 0
  }

  private decode(environmentId: number, first: number): Decoded {
    const from = new ByteReader(this.data.get(environmentId, first)?.data ?? new Uint8Array(1))
    const count = from.varint()
    if (count === 0) return { environmentId, first, sequences: [], instants: [] }
    return { environmentId, first, sequences: readDifferences(from, count), instants: readDifferences(from, count) }
  }
}

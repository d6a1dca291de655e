import type { EventFacts } from "../../../../domain/operations/Reconciliation.ts"
import { readFrameHeader } from "../format/FrameDecoder.ts"
import { readName } from "../bytes/MarkerId.ts"
import { decodeTailBatch } from "../format/TailBatch.ts"
import type { Db } from "./Db.ts"
import { FileRecords } from "./FileRecords.ts"
import { Receipts } from "./ids/Receipts.ts"

interface Held {
  highestSequence: number
  newestReceipt: number
}

/** What the file holds, for the comparison with the metadata at the start. Reads the tail, and of the rest only what names environments. */
export const eventFacts = (db: Db): EventFacts => {
  const environments = new Map<number, Held>()
  const heldOf = (id: number): Held => {
    const held = environments.get(id) ?? { highestSequence: 0, newestReceipt: 0 }
    environments.set(id, held)
    return held
  }
  const receipts = new Receipts(db)
  for (const { id, next } of db
    .prepare<[], { id: number; next: number }>("select id, next_sequence as next from environment")
    .all()) {
    const held = heldOf(id)
    held.highestSequence = next - 1
    held.newestReceipt = receipts.receivedAt(id, next - 1)
  }
  for (const { data } of db.prepare<[], { data: Uint8Array }>("select data from tail order by id").iterate())
    for (const { environmentId, firstSequence, skipped, frame } of decodeTailBatch(data)) {
      const { count, receivedAt } = readFrameHeader(frame)
      const held = heldOf(environmentId)
      held.highestSequence = Math.max(held.highestSequence, firstSequence + count - skipped.length - 1)
      held.newestReceipt = Math.max(held.newestReceipt, receivedAt)
    }
  const cohorts = db
    .prepare<[], EventFacts["cohorts"][number]>(
      "select cohort_id as id, environment_id as environmentId, member_count as memberCount from cohort"
    )
    .all()
  for (const { environmentId } of cohorts) heldOf(environmentId)
  const records = new FileRecords(db)
  const { round, notedAt, counters } = records.noted()
  return { round, notedAt, counters: new Map(counters), erasures: records.erasures(), environments, cohorts }
}

/** The ids of an environment's units that fit, by number ascending. */
export const unitsWhere = (db: Db, environmentId: number, fits: (name: string) => boolean): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const name of db
    .prepare<[number], string | Uint8Array>("select name from unit where environment_id = ? order by id")
    .pluck()
    .iterate(environmentId)) {
    const id = readName(name)
    if (fits(id)) found.push(id)
  }
  return found
}

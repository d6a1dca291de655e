import { Cancelled, Control } from "./Control.ts"
import type { Db } from "./EventsDb.ts"
import { listing } from "./Listing.ts"
import type { ReaderMessage, ReaderReply } from "./Protocol.ts"
import type { Question } from "./Question.ts"
import { StoredTail } from "./StoredTail.ts"

type Ask = Extract<ReaderMessage, { readonly type: "ask" }>

/** Answers questions one at a time, each from one snapshot of the file. */
export class Reader {
  private readonly db: Db
  private readonly tail: StoredTail

  constructor(db: Db) {
    this.db = db
    this.tail = new StoredTail(db)
  }

  reply({ id, environmentId, question, control }: Ask): ReaderReply<unknown> {
    const started = performance.now()
    const scan = new Control(control)
    try {
      const { answer, highestSequence } = this.db.transaction(() => this.answer(environmentId, question, scan))()
      const meta = { rowsScanned: scan.rowsScanned, elapsedMs: performance.now() - started, highestSequence }
      return { type: "answer", id, answer, meta }
    } catch (cause) {
      if (cause instanceof Cancelled) return { type: "cancelled", id }
      return { type: "failed", id, message: String(cause) }
    }
  }

  private answer(environmentId: number, question: Question, scan: Control) {
    this.tail.refresh()
    const events = this.tail.events(environmentId)
    scan.expect(events.length)
    scan.advance(events.length)
    const highestSequence = events.at(-1)?.sequence ?? 0
    if (question.kind === "listing") return { answer: listing(events, question.plan, () => true), highestSequence }
    throw new Error(`Not answered yet: ${question.kind}`)
  }

  close(): void {
    this.db.close()
  }
}

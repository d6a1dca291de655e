import type { StoredEvent } from "../../../domain/analytics/Event.ts"
import { answerOf } from "../../../domain/analytics/Answer.ts"
import { type Catalogue, seenNames, seenTypes, seenValues } from "../../../domain/analytics/Catalogue.ts"
import { Cancelled, Control } from "./Control.ts"
import type { Db } from "./EventsDb.ts"
import type { ReaderMessage, ReaderReply } from "./Protocol.ts"
import type { Question } from "../../../domain/analytics/Question.ts"
import { StoredCatalogue } from "./StoredCatalogue.ts"
import { StoredTail } from "./StoredTail.ts"

type Ask = Extract<ReaderMessage, { readonly type: "ask" }>

/** Answers questions one at a time, each from one snapshot of the file. */
export class Reader {
  private readonly db: Db
  private readonly tail: StoredTail
  private readonly catalogue: StoredCatalogue

  constructor(db: Db) {
    this.db = db
    this.tail = new StoredTail(db)
    this.catalogue = new StoredCatalogue(db)
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
    switch (question.kind) {
      case "types":
        return { answer: seenTypes(this.catalogueOf(environmentId, events), question.plan.now), highestSequence }
      case "names": {
        const { source, type } = question.plan
        return { answer: seenNames(this.catalogueOf(environmentId, events), source, type), highestSequence }
      }
      case "values":
        return { answer: seenValues(this.catalogueOf(environmentId, events), question.plan), highestSequence }
      default:
        return { answer: answerOf(events, question), highestSequence }
    }
  }

  private catalogueOf(environmentId: number, tail: ReadonlyArray<StoredEvent>): Catalogue {
    const catalogue = this.catalogue.read(environmentId)
    for (const event of tail) catalogue.add(event)
    return catalogue
  }

  close(): void {
    this.db.close()
  }
}

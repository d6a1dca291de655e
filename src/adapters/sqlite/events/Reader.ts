import type { StoredEvent } from "../../../domain/analytics/Event.ts"
import { answerOf } from "./Answer.ts"
import { type Catalogue, seenNames, seenTypes, seenValues } from "./Catalogue.ts"
import { Cancelled, Control } from "./Control.ts"
import type { Db } from "./EventsDb.ts"
import type { ReaderMessage, ReaderReply } from "./Protocol.ts"
import type { Question } from "./Question.ts"
import { SegmentDecoder } from "./SegmentDecoder.ts"
import { Segments } from "./Segments.ts"
import { StoredCatalogue } from "./StoredCatalogue.ts"
import { StoredNames } from "./StoredNames.ts"
import { eventsOf } from "./StoredSegments.ts"
import { StoredTail } from "./StoredTail.ts"

type Ask = Extract<ReaderMessage, { readonly type: "ask" }>

/** Answers questions one at a time, each from one snapshot of the file. */
export class Reader {
  private readonly db: Db
  private readonly tail: StoredTail
  private readonly catalogue: StoredCatalogue
  private readonly segments: Segments
  private readonly decoder: SegmentDecoder
  private readonly names: StoredNames

  constructor(db: Db) {
    this.db = db
    this.tail = new StoredTail(db)
    this.catalogue = new StoredCatalogue(db)
    this.segments = new Segments(db)
    this.decoder = new SegmentDecoder(this.segments)
    this.names = new StoredNames(db)
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
    const tail = this.tail.events(environmentId)
    const events = [...this.sealed(environmentId), ...tail]
    scan.expect(events.length)
    scan.advance(events.length)
    const highestSequence = events.reduce((highest, { sequence }) => Math.max(highest, sequence), 0)
    switch (question.kind) {
      case "types":
        return { answer: seenTypes(this.catalogueOf(environmentId, tail), question.plan.now), highestSequence }
      case "names": {
        const { source, type } = question.plan
        return { answer: seenNames(this.catalogueOf(environmentId, tail), source, type), highestSequence }
      }
      case "values":
        return { answer: seenValues(this.catalogueOf(environmentId, tail), question.plan), highestSequence }
      default:
        return { answer: answerOf(events, question), highestSequence }
    }
  }

  private sealed(environmentId: number): ReadonlyArray<StoredEvent> {
    return this.segments
      .newerThan(0)
      .filter((segment) => segment.environmentId === environmentId)
      .flatMap((segment) => {
        const sequences = [...this.decoder.sequences(segment)]
        return eventsOf(this.decoder, segment, sequences.keys(), this.names.of(environmentId, sequences))
      })
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

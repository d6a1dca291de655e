import { Effect, Layer } from "effect"
import { answerOf } from "../../domain/analytics/Answer.ts"
import type { Event, StoredEvent } from "../../domain/analytics/Event.ts"
import type { QuestionKind, QuestionOf } from "../../domain/analytics/Question.ts"
import { EventStore } from "../../ports/EventStore.ts"

const day = 86_400_000

interface Shelf {
  readonly events: Array<StoredEvent>
  /** The day of receipt of every marker id. */
  readonly seen: Map<string, number>
}

const put = ({ events, seen }: Shelf, dedupeDays: number, receivedAt: number, event: Event): boolean => {
  const today = Math.floor(receivedAt / day)
  const known = seen.get(event.markerId)
  if (known !== undefined && known >= today - dedupeDays) return false
  seen.set(event.markerId, today)
  events.push({ ...event, receivedAt, sequence: events.length + 1 })
  return true
}

/** Keeps markers in arrays and answers by the pure functions: what every other store must agree with. */
export const EventStoreMemory = ({ dedupeDays }: { readonly dedupeDays: number }) =>
  Layer.sync(EventStore, () => {
    const shelves = new Map<number, Shelf>()
    const shelfOf = (environmentId: number): Shelf => {
      const known = shelves.get(environmentId)
      if (known !== undefined) return known
      const shelf: Shelf = { events: [], seen: new Map() }
      shelves.set(environmentId, shelf)
      return shelf
    }

    const append = Effect.fn("EventStore.append")(
      (environmentId: number, receivedAt: number, events: ReadonlyArray<Event>) =>
        Effect.sync(() => {
          const shelf = shelfOf(environmentId)
          return events.flatMap((event, index) => (put(shelf, dedupeDays, receivedAt, event) ? [] : [index]))
        })
    )

    const ask = Effect.fn("EventStore.ask")(
      <Kind extends QuestionKind>(environmentId: number, question: QuestionOf<Kind>) =>
        Effect.sync(() => {
          const { events } = shelfOf(environmentId)
          const meta = { rowsScanned: events.length, elapsedMs: 0, highestSequence: events.length, damaged: [] }
          return { answer: answerOf(events, question), meta }
        })
    )

    return { append, ask }
  })

import { Effect, Layer } from "effect"
import { answerOf } from "../../domain/analytics/Answer.ts"
import type { Event, StoredEvent } from "../../domain/analytics/Event.ts"
import type { QuestionKind, QuestionOf } from "../../domain/analytics/Question.ts"
import { EventStore, type MaintenancePlan, type Watch } from "../../ports/EventStore.ts"

const day = 86_400_000

interface Shelf {
  /** Sequence of the latest marker. */
  highest: number
  /** How often markers were dropped. */
  removals: number
  events: Array<StoredEvent>
  /** The day of receipt of every marker id. */
  readonly seen: Map<string, number>
}

const put = (shelf: Shelf, dedupeDays: number, receivedAt: number, event: Event): boolean => {
  const { events, seen } = shelf
  const today = Math.floor(receivedAt / day)
  const known = seen.get(event.markerId)
  if (known !== undefined && known >= today - dedupeDays) return false
  seen.set(event.markerId, today)
  shelf.highest++
  events.push({ ...event, receivedAt, sequence: shelf.highest })
  return true
}

/** Keeps markers in arrays and answers by the pure functions: what every other store must agree with. */
export const EventStoreMemory = ({ dedupeDays }: { readonly dedupeDays: number }) =>
  Layer.sync(EventStore, () => {
    const shelves = new Map<number, Shelf>()
    const shelfOf = (environmentId: number): Shelf => {
      const known = shelves.get(environmentId)
      if (known !== undefined) return known
      const shelf: Shelf = { highest: 0, removals: 0, events: [], seen: new Map() }
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
      <Kind extends QuestionKind>(environmentId: number, question: QuestionOf<Kind>, watch?: Watch) =>
        Effect.sync(() => {
          const { events, highest } = shelfOf(environmentId)
          const rows = events.length
          watch?.(() => ({ rowsScanned: rows, rowsTotal: rows }))
          const meta = { rowsScanned: rows, elapsedMs: 0, highestSequence: highest, damaged: [] }
          return { answer: answerOf(events, question), meta }
        })
    )

    const maintain = Effect.fn("EventStore.maintain")(({ retention }: MaintenancePlan) =>
      Effect.sync(() => {
        for (const { environmentId, before } of retention) {
          const shelf = shelfOf(environmentId)
          const kept = shelf.events.filter(({ timestamp }) => timestamp >= before)
          if (kept.length < shelf.events.length) shelf.removals++
          shelf.events = kept
        }
      })
    )

    const erase = Effect.fn("EventStore.erase")((environmentId: number, unitId: string) =>
      Effect.sync(() => {
        const shelf = shelfOf(environmentId)
        shelf.removals++
        shelf.events = shelf.events.filter((event) => event.unitId !== unitId)
      })
    )

    const version = Effect.fn("EventStore.version")((environmentId: number) =>
      Effect.sync(() => {
        const { highest, removals } = shelfOf(environmentId)
        return { highestSequence: highest, removals }
      })
    )

    return { append, ask, maintain, erase, version }
  })

import { Context, Effect, Layer } from "effect"
import { answerOf } from "../../../domain/analytics/question/Answer.ts"
import type { Event } from "../../../domain/analytics/markers/Event.ts"
import type { QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { CohortMembers } from "../../../ports/cohorts/CohortMembers.ts"
import { EventStore, type MaintenancePlan, type Watch } from "../../../ports/analytics/EventStore.ts"
import { cohortMembersMemory } from "../cohorts/CohortMembers.ts"
import { membershipsOf, type StoredEnvironment, StoredEnvironments } from "../cohorts/CohortStay.ts"
import { dayMillis } from "../../../domain/Durations.ts"

const put = (stored: StoredEnvironment, dedupeDays: number, receivedAt: number, event: Event): boolean => {
  const { events, seen } = stored
  const today = Math.floor(receivedAt / dayMillis)
  const known = seen.get(event.markerId)
  if (known !== undefined && known >= today - dedupeDays) return false
  seen.set(event.markerId, today)
  stored.highest++
  events.push({ ...event, receivedAt, sequence: stored.highest })
  return true
}

/**
 * Stores markers and cohort members in arrays, and answers by the domain's pure functions. Property tests compare the
 * SQLite store with this one.
 */
export const EventStoreMemory = ({ dedupeDays }: { readonly dedupeDays: number }) =>
  Layer.syncContext(() => {
    const environments = new StoredEnvironments()

    const append = Effect.fn("EventStore.append")(
      (environmentId: number, receivedAt: number, events: ReadonlyArray<Event>) =>
        Effect.sync(() => {
          const stored = environments.of(environmentId)
          return events.flatMap((event, index) => (put(stored, dedupeDays, receivedAt, event) ? [] : [index]))
        })
    )

    const ask = Effect.fn("EventStore.ask")(
      <Kind extends QuestionKind>(environmentId: number, question: QuestionOf<Kind>, watch?: Watch) =>
        Effect.sync(() => {
          const stored = environments.of(environmentId)
          const { events, highest } = stored
          const rows = events.length
          watch?.(() => ({ rowsScanned: rows, rowsTotal: rows }))
          const meta = { rowsScanned: rows, elapsedMs: 0, highestSequence: highest, damaged: [] }
          return { answer: answerOf(events, question, membershipsOf(stored)), meta }
        })
    )

    const maintain = Effect.fn("EventStore.maintain")(({ retention }: MaintenancePlan) =>
      Effect.sync(() => {
        for (const { environmentId, before } of retention) {
          const stored = environments.of(environmentId)
          const kept = stored.events.filter(({ timestamp }) => timestamp >= before)
          if (kept.length < stored.events.length) stored.removals++
          stored.events = kept
        }
      })
    )

    const erase = Effect.fn("EventStore.erase")((environmentId: number, unitId: string) =>
      Effect.sync(() => {
        const stored = environments.of(environmentId)
        stored.removals++
        stored.events = stored.events.filter((event) => event.unitId !== unitId)
        for (const { stays } of stored.cohorts.values()) stays.delete(unitId)
      })
    )

    const drop = Effect.fn("EventStore.drop")((environmentIds: ReadonlyArray<number>) =>
      Effect.sync(() => environmentIds.forEach((id) => environments.remove(id)))
    )

    const version = Effect.fn("EventStore.version")((environmentId: number) =>
      Effect.sync(() => {
        const { highest, removals, generations } = environments.of(environmentId)
        return { highestSequence: highest, removals, generations }
      })
    )

    return Context.make(EventStore, { append, ask, maintain, erase, drop, version }).pipe(
      Context.add(CohortMembers, cohortMembersMemory(environments))
    )
  })

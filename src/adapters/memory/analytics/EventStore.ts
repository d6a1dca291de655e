import { Clock, Context, Effect, Layer } from "effect"
import { answerOf } from "../../../domain/analytics/question/Answer.ts"
import type { Event } from "../../../domain/analytics/markers/Event.ts"
import type { QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { keptFromOf, isPast, type RetentionRule } from "../../../domain/analytics/markers/RetentionRule.ts"
import { CohortMembers } from "../../../ports/cohorts/CohortMembers.ts"
import { EventStore, type MaintenancePlan, type ProgressListener } from "../../../ports/analytics/EventStore.ts"
import { cohortMembersMemory } from "../cohorts/CohortMembers.ts"
import { membershipsOf, type StoredEnvironment, StoredEnvironments } from "../cohorts/CohortStay.ts"
import { NamesByType } from "../../../domain/ingest/NamesByType.ts"
import { dayMillis } from "../../../domain/Durations.ts"

/** Questions about everything that was ever seen. */
const catalogue: ReadonlySet<QuestionKind> = new Set(["types", "names", "values", "versions"])

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

    const append = (environmentId: number, receivedAt: number, events: ReadonlyArray<Event>) =>
      Effect.sync(() => {
        const stored = environments.of(environmentId)
        return events.flatMap((event, index) => (put(stored, dedupeDays, receivedAt, event) ? [] : [index]))
      })

    const ask = <Kind extends QuestionKind>(
      environmentId: number,
      question: QuestionOf<Kind>,
      watch?: ProgressListener
    ) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const stored = environments.of(environmentId)
        const { highest } = stored
        const known = environments.kept(environmentId, now)
        const events = catalogue.has(question.kind) ? [...stored.aged, ...stored.events] : known
        const rows = events.length
        watch?.(() => ({ rowsScanned: rows, rowsTotal: rows }))
        const meta = { rowsScanned: rows, elapsedMs: 0, highestSequence: highest, damaged: [], incomplete: null }
        return { answer: answerOf(events, question, membershipsOf(stored, known)), meta }
      })

    const names = (environmentId: number) =>
      Effect.sync(() => {
        const { aged, events } = environments.of(environmentId)
        const seen = new NamesByType()
        for (const event of [...aged, ...events]) {
          seen.add(event.type, Object.keys(event.arguments), Object.keys(event.properties))
        }
        return seen.list()
      })

    const maintain = ({ retention }: MaintenancePlan) =>
      Effect.sync(() => {
        for (const { environmentId, ...limit } of retention) {
          const stored = environments.of(environmentId)
          const past = stored.events.filter((event) => isPast(limit, event))
          if (past.length > 0) stored.removals++
          stored.aged.push(...past)
          stored.events = stored.events.filter((event) => !isPast(limit, event))
        }
      })

    const erase = (environmentId: number, unitId: string) =>
      Effect.sync(() => {
        const stored = environments.of(environmentId)
        stored.removals++
        stored.events = stored.events.filter((event) => event.unitId !== unitId)
        stored.aged = stored.aged.filter((event) => event.unitId !== unitId)
        for (const { stays } of stored.cohorts.values()) stays.delete(unitId)
        return null
      })

    const drop = (environmentIds: ReadonlyArray<number>) =>
      Effect.sync(() => environmentIds.forEach((id) => environments.remove(id)))

    const version = (environmentId: number) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const { highest, removals, generations } = environments.of(environmentId)
        return {
          highestSequence: highest,
          removals,
          generations,
          keptFrom: keptFromOf(environments.rules.limit(environmentId, now))
        }
      })

    const retain = (environmentId: number | null, rule: RetentionRule | null) =>
      Effect.sync(() => environments.rules.set(environmentId, rule))

    return Context.make(EventStore, {
      append,
      receive: null,
      isOverloaded: () => false,
      ask,
      names,
      retain,
      maintain,
      erase,
      drop,
      version,
      problems: Effect.succeed([]),
      logProblems: null
    }).pipe(Context.add(CohortMembers, cohortMembersMemory(environments)))
  })

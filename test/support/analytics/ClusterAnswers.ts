import { Effect, ManagedRuntime } from "effect"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { Question } from "../../../src/domain/analytics/question/Question.ts"
import { CohortId } from "../../../src/domain/Ids.ts"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { clusterEvents } from "../cluster/EventStores.ts"
import { freshEnvironment } from "./EventStores.ts"
import { origin } from "./PlanParts.ts"

/** Days in which no marker loses its id. */
const always = 100_000

/** Open as long as the process, since files of one worker share it. */
let opened: ManagedRuntime.ManagedRuntime<EventStore | CohortMembers, never> | undefined

/** What the store on two databases answers about the markers, in their order of receipt, and the members of the cohorts 1, 2 and so on. */
export const answersOf = (
  all: ReadonlyArray<StoredEvent>,
  cohorts: ReadonlyArray<ReadonlyArray<string>>,
  questions: ReadonlyArray<Question>
): Promise<ReadonlyArray<unknown>> => {
  opened ??= ManagedRuntime.make(clusterEvents(always))
  return opened.runPromise(
    Effect.gen(function* () {
      const { append, ask } = yield* EventStore
      const { replace } = yield* CohortMembers
      const environment = freshEnvironment()
      yield* append(
        environment,
        origin,
        all.map((event) => ({ ...event, markerId: event.markerId ?? "" }))
      )
      for (const [at, units] of cohorts.entries()) yield* replace(environment, CohortId.make(at + 1), units, origin)
      return yield* Effect.forEach(questions, (question) =>
        Effect.map(ask(environment, question), ({ answer }) => answer)
      )
    })
  )
}

import { Clock, Data, Effect } from "effect"
import type { AnswerMeta } from "../../../domain/analytics/question/Question.ts"
import {
  StoreFull,
  StoreLost,
  QueryTimedOut,
  StoreOverloaded,
  TooManyQuestions,
  type ProgressListener
} from "../../../ports/analytics/EventStore.ts"
import type { StoreAnswers, StoreQuestionOf } from "../events/cohorts/CohortQuestion.ts"
import type { Events } from "../events/Events.ts"
import type { Appended, Failed } from "../events/threads/WriterClient.ts"

/** The event file cannot be opened, or Gamekeeper did not write it. */
export class EventsUnusable extends Data.TaggedError("EventsUnusable")<{ readonly message: string }> {}

export const broken = (message: string) => Effect.die(new EventsUnusable({ message }))

/** The files were deleted or moved under the server. */
export const lost = Effect.die(new StoreLost())

export const failed = ({ message, isLost }: Failed) => (isLost === true ? lost : broken(message))

export const overloaded = Effect.fail(new StoreOverloaded())

/** Why the writer stored nothing. */
export const unstored = (outcome: Exclude<Appended, { readonly _tag: "Stored" }>) => {
  switch (outcome._tag) {
    case "Overloaded":
      return overloaded
    case "StorageFull":
      return Effect.fail(new StoreFull())
    case "StorageLost":
      return lost
    case "Failed":
      return broken(outcome.message)
  }
}

/** How the readers are asked. */
export interface ReadingOptions {
  /** Milliseconds that a question may take, the wait for a reader aside. */
  readonly budget: number
  /** Whose turn the questions about an environment take; undefined: its own. */
  readonly organizationOf: (environmentId: number) => Effect.Effect<number | undefined>
}

interface Read<Kind extends keyof StoreAnswers> {
  readonly answer: StoreAnswers[Kind]["answer"]
  readonly meta: AnswerMeta
}

/**
 * Asks the readers. Interrupting the effect cancels the question and frees its thread.
 */
export const readingOf =
  (events: Events, { budget, organizationOf }: ReadingOptions) =>
  <Kind extends keyof StoreAnswers>(environmentId: number, question: StoreQuestionOf<Kind>, watch?: ProgressListener) =>
    Effect.flatMap(Effect.all([Clock.currentTimeMillis, organizationOf(environmentId)]), ([now, organizationId]) =>
      Effect.async<Read<Kind>, QueryTimedOut | StoreOverloaded | TooManyQuestions>((resume) => {
        const ticket = events.ask(environmentId, question, { budget, now, organizationId }, (outcome) => {
          switch (outcome._tag) {
            case "Answered":
              return resume(Effect.succeed({ answer: outcome.answer, meta: outcome.meta }))
            case "TimedOut":
              return resume(Effect.fail(new QueryTimedOut()))
            case "Overloaded":
              return resume(overloaded)
            case "Crowded":
              return resume(Effect.fail(new TooManyQuestions()))
            case "Cancelled":
              return resume(Effect.interrupt)
            case "Failed":
              return resume(broken(outcome.message))
          }
        })
        watch?.(ticket.progress)
        return Effect.sync(() => ticket.cancel())
      })
    )

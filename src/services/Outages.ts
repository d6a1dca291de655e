import { Cause, Effect, Option, Predicate, Schedule } from "effect"

/** Whether something failed because the database of the metadata could not be reached. */
export const lacksMetadata = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(Cause.dieOption(cause), Predicate.isTagged("MetadataUnavailable"))

/** Whether something failed because the database that answers questions could not be reached. */
export const lacksAnswers = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(Cause.dieOption(cause), Predicate.isTagged("StoreUnavailable"))

/** Begins the work again every second for as long as the database of the metadata cannot be reached: nothing that would be done instead can do without. */
export const untilMetadata = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  work.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.spaced("1 second"), while: lacksMetadata }),
    Effect.unsandbox
  )

/** What is said where questions cannot be answered, and continued by whoever says it. */
export const answersUnreachable = "The database that answers questions could not be reached"

const forAMinute = Schedule.upTo(Schedule.spaced("1 second"), "1 minute")

/** Asks a store again for a minute where it is busy, or its database cannot be reached. */
export const untilAnswered = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  isBusy: (failure: E) => boolean
): Effect.Effect<A, E, R> =>
  work.pipe(
    Effect.sandbox,
    Effect.retry({
      schedule: forAMinute,
      while: (cause) => lacksAnswers(cause) || Option.exists(Cause.failureOption(cause), isBusy)
    }),
    Effect.unsandbox
  )

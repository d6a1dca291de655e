import type { RetiredReport } from "../events/write/Maintenance.ts"
import { Clock, Context, Effect, Layer, Runtime } from "effect"
import type { Event } from "../../../domain/analytics/markers/Event.ts"
import type { Incomplete } from "../../../domain/analytics/question/Question.ts"
import type { RetentionRule } from "../../../domain/analytics/markers/RetentionRule.ts"
import type { StoreProblem } from "../../../domain/operations/StoreProblem.ts"
import type { TypeNames } from "../../../domain/ingest/NamesByType.ts"
import type { OnReceived, UnreadBatch } from "../../../domain/ingest/UnreadBatch.ts"
import { CohortMembers } from "../../../ports/cohorts/CohortMembers.ts"
import {
  EventStore,
  type MaintenancePlan,
  type StoreFull,
  type StoreOverloaded
} from "../../../ports/analytics/EventStore.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { waitingLimits } from "../../local/OwnerTurns.ts"
import { fingerprintOf } from "../operations/Fingerprint.ts"
import { cohortMembersSqlite } from "../cohorts/CohortMembers.ts"
import { frameSteps } from "../events/format/FrameEncoder.ts"
import { Events } from "../events/Events.ts"
import { type EventsOptions, openEvents } from "../events/OpenEvents.ts"
import { EventFile } from "./EventFile.ts"
import { broken, EventsUnusable, failed, readingOf, type ReadingOptions, unstored } from "../operations/StoreReading.ts"
import { counted } from "../../../domain/Counted.ts"

export interface EventStoreOptions {
  readonly file: string
  /** The id of the metadata's file, with which this one then belongs together; without it there is no partner. */
  readonly partner?: string
  /** Paths of the bundled workers, or what does their work in this thread, as `:memory:` requires. */
  readonly threads: EventsOptions["threads"]
  readonly dedupeDays: number
  /** Bytes of decoded columns that all readers together may cache. */
  readonly cacheBytes: number
  /** Whether threads that read compile at their start what questions need; by default they do not. */
  readonly warmUp?: boolean
  /** Once this has happened, the first reader starts, before anybody has asked a question; without it the first question starts it. */
  readonly firstReaderAfter?: Effect.Effect<void>
  /** What this thread does meanwhile, once another thread opens the file. */
  readonly whileOpening?: Effect.Effect<void>
  /** What happens, with the reason, once the thread that stores markers has died. */
  readonly whenEnded?: (reason: string) => Effect.Effect<unknown>
  /** Milliseconds that a question may take, the wait for a reader aside. */
  readonly budget: number
  /** Whose turn the questions about an environment take; without it each environment has turns of its own. */
  readonly organizationOf?: ReadingOptions["organizationOf"]
}

const writerLimits = { queueBytes: 64_000_000, ownSegmentRows: 1000, sealAt: 65_536 }
const readers = 2
const readerLimits = { ...waitingLimits, readers, grace: 1000 }

/** Says how much retention has deleted; nothing where it deleted nothing. */
const logRetired = ({ markers, markerIds }: RetiredReport) =>
  Effect.gen(function* () {
    for (const [environmentId, count] of markers)
      yield* Effect.logInfo(`Retention deleted ${counted(count, "marker")} of environment ${environmentId}`)
    if (markerIds > 0) yield* Effect.logInfo(`Deleted ${counted(markerIds, "marker id")} past the dedupe window`)
  })

const open = ({
  file,
  partner,
  threads,
  dedupeDays,
  cacheBytes,
  warmUp = false,
  firstReaderAfter,
  whileOpening = Effect.void,
  whenEnded = () => Effect.void
}: EventStoreOptions) =>
  Effect.flatMap(Effect.runtime(), (runtime) =>
    Effect.async<Events, EventsUnusable>((resume) => {
      openEvents(
        {
          file,
          partner: partner ?? null,
          threads,
          writer: { ...writerLimits, dedupeDays },
          readers: { ...readerLimits, cacheBytes: Math.floor(cacheBytes / readers), warmUp },
          ...(firstReaderAfter !== undefined && {
            firstReader: (start) => Runtime.runFork(runtime)(Effect.andThen(firstReaderAfter, Effect.sync(start)))
          }),
          onRetired: (report) => Runtime.runFork(runtime)(logRetired(report)),
          onUnsealed: (reason) => Runtime.runFork(runtime)(Effect.logError("events could not be sealed", { reason })),
          onDamaged: (message) => Runtime.runFork(runtime)(Effect.logError(message)),
          onEnded: (message) => Runtime.runFork(runtime)(whenEnded(message))
        },
        (opened) =>
          resume(
            opened instanceof Events
              ? Effect.succeed(opened)
              : Effect.fail(
                  new EventsUnusable({ message: `The event file ${file} cannot be opened: ${opened.message}` })
                )
          )
      )
      Runtime.runFork(runtime)(whileOpening)
    })
  )

const close = (events: Events) => Effect.async<void>((resume) => events.close(() => resume(Effect.void)))

/** The events as a frame; those of a batch with very many values are encoded in several turns of the event loop. */
const framed = Effect.fnUntraced(function* (receivedAt: number, events: ReadonlyArray<Event>) {
  const steps = frameSteps(receivedAt, events)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* nextTurn
  }
})

const make = (events: Events, reading: ReadingOptions) => {
  const append = Effect.fnUntraced(function* (environmentId: number, receivedAt: number, batch: ReadonlyArray<Event>) {
    if (events.isOverloaded) return yield* unstored({ _tag: "Overloaded" })
    const frame = yield* framed(receivedAt, batch)
    return yield* Effect.async<ReadonlyArray<number>, StoreOverloaded | StoreFull>((resume) =>
      events.appendFrame(environmentId, frame, batch.length, (outcome) =>
        resume(outcome._tag === "Stored" ? Effect.succeed(outcome.duplicates) : unstored(outcome))
      )
    )
  })

  const ask = readingOf(events, reading)

  const names = (environmentId: number) =>
    Effect.async<ReadonlyArray<TypeNames>>((resume) =>
      events.names(environmentId, (answer) =>
        resume("_tag" in answer ? broken(answer.message) : Effect.succeed(answer))
      )
    )

  const maintain = (plan: MaintenancePlan) =>
    Effect.async<void>((resume) =>
      events.maintain(plan, (failure) => resume(failure === null ? Effect.void : failed(failure)))
    )

  const erase = (environmentId: number, unitId: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (erasedAt) =>
      Effect.async<Incomplete | null>((resume) =>
        events.eraseUnit(
          environmentId,
          unitId,
          (outcome) => resume(outcome !== null && "_tag" in outcome ? failed(outcome) : Effect.succeed(outcome)),
          { fingerprint: fingerprintOf(environmentId, unitId), erasedAt }
        )
      )
    )

  const drop = (environmentIds: ReadonlyArray<number>) =>
    Effect.async<void>((resume) =>
      events.drop(environmentIds, (failure) => resume(failure === null ? Effect.void : failed(failure)))
    )

  const version = (environmentId: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => events.version(environmentId, now))

  const retain = (environmentId: number | null, rule: RetentionRule | null) =>
    Effect.sync(() => events.retain(environmentId, rule))

  const problems = Effect.async<ReadonlyArray<StoreProblem>>((resume) =>
    events.problems((found) => resume(Effect.succeed(found)))
  )

  const receive = (environmentId: number, unread: UnreadBatch, done: OnReceived): void =>
    events.receive(environmentId, unread, done)

  const isOverloaded = (): boolean => events.isOverloaded

  return {
    append,
    receive,
    isOverloaded,
    ask,
    names,
    retain,
    maintain,
    erase,
    drop,
    version,
    problems,
    logProblems: null
  }
}

/**
 * The columnar event store in one SQLite file, with cohort members beside the markers. Closing the scope waits until
 * running commits are done.
 */
export const EventStoreSqlite = (options: EventStoreOptions) =>
  Layer.scopedContext(
    Effect.map(Effect.acquireRelease(open(options), close), (events) => {
      const { budget, organizationOf = () => Effect.succeed(undefined) } = options
      return Context.make(EventStore, make(events, { budget, organizationOf })).pipe(
        Context.add(CohortMembers, cohortMembersSqlite(events, { budget, organizationOf })),
        Context.add(EventFile, events)
      )
    })
  )

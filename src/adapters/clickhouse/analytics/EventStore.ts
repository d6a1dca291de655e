import type { SqlError } from "@effect/sql/SqlError"
import { Clock, Context, Effect, Layer } from "effect"
import { dayMillis } from "../../../domain/Durations.ts"
import type { Event } from "../../../domain/analytics/markers/Event.ts"
import type { QuestionKind, QuestionOf } from "../../../domain/analytics/question/Question.ts"
import { keptFromOf, type RetentionRule, RetentionRules } from "../../../domain/analytics/markers/RetentionRule.ts"
import { NamesByType } from "../../../domain/ingest/NamesByType.ts"
import {
  EventStore,
  type MaintenancePlan,
  QueryTimedOut,
  StoreOverloaded,
  type ProgressListener
} from "../../../ports/analytics/EventStore.ts"
import { CohortMembers } from "../../../ports/cohorts/CohortMembers.ts"
import { waitingLimits } from "../../local/OwnerTurns.ts"
import { unavailableOr } from "../../postgres/Failures.ts"
import { makeEventLog } from "../../postgres/analytics/EventLog.ts"
import { makeMarkerKeys } from "../../postgres/analytics/MarkerKeys.ts"
import { makeMarkerReceipt, type ReceivedMarker } from "../../postgres/analytics/MarkerReceipt.ts"
import { cohortMembersClickHouse } from "../cohorts/CohortMembers.ts"
import { unnumberedLine } from "../MarkerLines.ts"
import { makeTables } from "../Tables.ts"
import { makeAnswering } from "../questions/Answering.ts"
import { makeMarkerAnswers } from "../questions/MarkerAnswers.ts"
import { makeMarkerThreads, type MarkerThreadOptions } from "../questions/MarkerThreads.ts"
import { referencesOf } from "../questions/Members.ts"
import { makeQuestionTurns } from "../questions/QuestionTurns.ts"
import type { AnsweringOptions, Scene } from "../questions/SceneMarkers.ts"
import { inEach } from "./InEach.ts"
import { makeMover } from "./Mover.ts"
import { movingOn } from "./MovingOn.ts"
import { unanswered, undone, unusable } from "./Problems.ts"
import { makeRemoval } from "./Removal.ts"
import { storeProblems } from "./StoreProblems.ts"

export interface ClickHouseStoreOptions extends AnsweringOptions {
  readonly dedupeDays: number
  /** Whether ids of markers leave the disk after the dedupe window, by the clock of ClickHouse. */
  readonly forgetsIds: boolean
  /** Whose turn the questions about an environment take; without it each environment has turns of its own. */
  readonly organizationOf?: (environmentId: number) => Effect.Effect<number | undefined>
  /** The threads that compute what ClickHouse cannot; without them it is computed in this one. */
  readonly threads?: Omit<MarkerThreadOptions, "threads">
}

/** As many questions of one process at a time as ClickHouse answers about at once. */
const questionLimits = { ...waitingLimits, seats: 8 }

const receivedMarker = (environment: number, receivedAt: number, event: Event): ReceivedMarker => {
  const line = unnumberedLine(environment, receivedAt, event)
  const { markerId: id, type, arguments: own, properties } = event
  return { id, type, arguments: own, properties, line, bytes: Buffer.byteLength(line) }
}

/** Runs a statement of the log; if PostgreSQL cannot be reached, the whole request fails, because no caller could handle that. */
const reached = <A, R>(statement: Effect.Effect<A, SqlError, R>) =>
  Effect.catchTag(statement, "SqlError", unavailableOr)

const textOf = (json: string): string => JSON.parse(json)

/** How failures of either database end a write: as defects, because no caller could handle them. */
const written = { ClickHouseRefused: undone, ClickHouseSilent: undone, SqlError: unavailableOr }

const make = (options: ClickHouseStoreOptions) =>
  Effect.gen(function* () {
    const { dedupeDays, organizationOf = () => Effect.succeed(undefined) } = options
    yield* Effect.mapError(makeTables({ idDays: options.forgetsIds ? dedupeDays + 1 : null }), unusable)
    const log = yield* makeEventLog
    const keys = yield* makeMarkerKeys
    const receipt = yield* makeMarkerReceipt(keys, dedupeDays)
    const mover = yield* makeMover(log)
    const removal = yield* makeRemoval(log, keys, mover, dedupeDays)
    const ofMarkers =
      options.threads === undefined
        ? yield* makeMarkerAnswers(options)
        : yield* makeMarkerThreads(options, { ...options.threads, threads: questionLimits.seats })
    const answering = yield* makeAnswering(options, ofMarkers)
    const { problems, logProblems } = yield* storeProblems
    const rules = new RetentionRules()
    const inTurn = makeQuestionTurns(questionLimits)

    yield* Effect.forkScoped(movingOn(mover.moveWaiting))

    const append = Effect.fnUntraced(function* (
      environmentId: number,
      receivedAt: number,
      events: ReadonlyArray<Event>
    ) {
      if (events.length === 0) return []
      if (receipt.isOverloaded()) return yield* new StoreOverloaded()
      const markers = events.map((event) => receivedMarker(environmentId, receivedAt, event))
      return yield* receipt.receive(environmentId, Math.floor(receivedAt / dayMillis), markers)
    })

    /** The environment's markers and members as they are now. */
    const sceneOf = (environment: number, now: number, plan: unknown) =>
      Effect.gen(function* () {
        const { highest } = yield* mover.caughtUp(environment)
        const hasCohorts = referencesOf(plan).cohorts.size > 0
        const scene: Scene = {
          environment,
          highest,
          limit: rules.limit(environment, now),
          idsFrom: (Math.floor(now / dayMillis) - dedupeDays) * dayMillis,
          generations: hasCohorts ? yield* log.generations(environment) : new Map()
        }
        return scene
      }).pipe(Effect.catchTag("SqlError", unavailableOr))

    const ask = Effect.fnUntraced(function* <Kind extends QuestionKind>(
      environmentId: number,
      question: QuestionOf<Kind>,
      watch?: ProgressListener
    ) {
      let rows = 0
      watch?.(() => ({ rowsScanned: rows, rowsTotal: rows }))
      const owner = yield* organizationOf(environmentId)
      return yield* inTurn(
        owner ?? -environmentId,
        Effect.gen(function* () {
          const started = yield* Clock.currentTimeMillis
          const found = Effect.flatMap(sceneOf(environmentId, started, question.plan), (scene) =>
            Effect.map(answering.answer(scene, question), (answered) => ({ ...answered, highest: scene.highest }))
          )
          // What ClickHouse does not answer cannot always be taken back, but need not be waited for.
          const { answer, rowsScanned, highest } = yield* Effect.timeoutFail(Effect.disconnect(found), {
            duration: options.budget,
            onTimeout: () => new QueryTimedOut()
          })
          rows = rowsScanned
          const elapsedMs = (yield* Clock.currentTimeMillis) - started
          const meta = { rowsScanned, elapsedMs, highestSequence: highest, damaged: [], incomplete: null }
          return { answer, meta }
        }).pipe(Effect.catchTags({ ClickHouseRefused: unanswered, ClickHouseSilent: unanswered }))
      )
    })

    const names = (environmentId: number) =>
      Effect.map(reached(log.names(environmentId)), (rows) => {
        const seen = new NamesByType()
        for (const { type, source, name } of rows) {
          const own = source === "" ? [] : [textOf(name)]
          seen.add(textOf(type), source === "argument" ? own : [], source === "property" ? own : [])
        }
        return seen.list()
      })

    const maintain = (plan: MaintenancePlan) => Effect.catchTags(removal.maintain(plan), written)

    const erase = (environmentId: number, unitId: string) =>
      Effect.as(Effect.catchTags(removal.erase(environmentId, unitId), written), null)

    const drop = (environmentIds: ReadonlyArray<number>) =>
      Effect.catchTags(
        inEach(environmentIds, (id) => Effect.zipRight(receipt.forget(id), removal.drop(id))),
        written
      )

    const version = (environmentId: number) =>
      Effect.map(
        Effect.all([reached(log.head(environmentId)), Clock.currentTimeMillis]),
        ([{ highest, removals, generations }, now]) => ({
          highestSequence: highest,
          removals,
          generations,
          keptFrom: keptFromOf(rules.limit(environmentId, now))
        })
      )

    const retain = (environmentId: number | null, rule: RetentionRule | null) =>
      Effect.sync(() => rules.set(environmentId, rule))

    const { isOverloaded } = receipt
    const members = yield* cohortMembersClickHouse(log, ofMarkers, sceneOf)
    return Context.make(EventStore, {
      append,
      receive: null,
      isOverloaded,
      ask,
      names,
      retain,
      maintain,
      erase,
      drop,
      version,
      problems,
      logProblems
    }).pipe(Context.add(CohortMembers, members))
  })

/**
 * The event store on two databases: PostgreSQL acknowledges markers and keeps them until ClickHouse has them, which answers questions.
 * The migrated database of the log must be there; those of ClickHouse are made.
 */
export const EventStoreClickHouse = (options: ClickHouseStoreOptions) => Layer.scopedContext(make(options))

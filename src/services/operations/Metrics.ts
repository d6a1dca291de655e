import { Clock, Effect, Exit, Redacted } from "effect"
import type { IngestCounts } from "../../domain/ingest/IngestCounts.ts"
import type { Moment } from "../../domain/operations/Moment.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Health } from "../../ports/operations/Health.ts"
import { Measures } from "../../ports/operations/Measures.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Telemetry } from "../../ports/operations/Telemetry.ts"
import { ServerCounts } from "./ServerCounts.ts"
import { System } from "./System.ts"

/** What the requests of the server are like at a moment, which only it knows. */
export type Requests = Pick<Moment, "requestsInFlight" | "requestsWaiting">

/** A round that ends because the server does has not failed. */
const isFailure = (exit: Exit.Exit<unknown, unknown>): boolean => Exit.isFailure(exit) && !Exit.isInterrupted(exit)

/** What monitoring is told. */
export class Metrics extends Effect.Service<Metrics>()("services/operations/Metrics", {
  effect: Effect.gen(function* () {
    const measures = yield* Measures
    const { metricsToken } = yield* Settings
    const health = yield* Health
    const events = yield* EventStore
    const system = yield* System
    const secrets = yield* Secrets
    const counts = yield* ServerCounts
    const { metrics: exporting } = yield* Telemetry
    /** Whether `/metrics` is there, and whether anybody is told what is counted. */
    const isShown = Redacted.value(metricsToken) !== ""
    const isCounted = isShown || exporting !== null
    let requests = (): Requests => ({ requestsInFlight: 0, requestsWaiting: 0 })
    const known = secrets.hash(metricsToken)

    /** Whether monitoring shows the token. Hashes are compared, so that the time that takes tells nothing of the token. */
    const isToken = (shown: Redacted.Redacted): boolean => isShown && secrets.hash(shown) === known

    /** Counts what became of a batch, and answers it. */
    const markers = (counts: IngestCounts): IngestCounts => {
      measures.markers(counts)
      return counts
    }

    const ran = (name: string, seconds: number | null, isFailed: boolean) => {
      measures.ran(name, seconds, isFailed)
      return isFailed ? counts.noteFailure(name) : Effect.void
    }

    /** Counts the rounds of a job of which each waits until there is something to do. */
    const counted = <A, E, R>(name: string, round: Effect.Effect<A, E, R>) =>
      Effect.onExit(round, (exit) => Effect.suspend(() => ran(name, null, isFailure(exit))))

    /** Counts the rounds of a job with the time that each takes. */
    const timed = <A, E, R>(name: string, round: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Clock.currentTimeMillis, (beganAt) =>
        Effect.onExit(round, (exit) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            ran(name, Math.max(0, now - beganAt) / 1000, isFailure(exit))
          )
        )
      )

    /** From now on `current` says what the requests are like. */
    const follow = (current: () => Requests): void => {
      requests = current
    }

    const moment = Effect.gen(function* () {
      const [{ problems }, freeBytes, files] = yield* Effect.all([system.readiness, health.freeBytes, health.fileSizes])
      const severities = { unavailable: 0, degraded: 0 }
      for (const { severity } of problems) severities[severity] += 1
      return {
        ...requests(),
        version: system.version.version,
        isIngestOverloaded: events.isOverloaded(),
        freeBytes,
        files,
        problems: severities
      } satisfies Moment
    })

    /** Everything that monitoring reads. */
    const exposition = Effect.flatMap(moment, measures.exposition)

    /** Has everything be sent to whoever collects it; it is not waited for. */
    const send =
      exporting === null
        ? Effect.void
        : Effect.zipWith(Effect.flatMap(moment, measures.families), Effect.clock, (families, clock) =>
            exporting.push(families, clock.unsafeCurrentTimeNanos())
          )

    return {
      isShown,
      isCounted,
      exportSeconds: exporting?.everySeconds ?? null,
      isToken,
      noteAnswer: counts.noteAnswer,
      answered: measures.answered,
      markers,
      counted,
      timed,
      follow,
      exposition,
      send
    } as const
  })
}) {}

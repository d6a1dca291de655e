import { Effect, Redacted } from "effect"
import type { QuestionOf } from "../../../domain/analytics/question/Question.ts"
import type { CohortPlan } from "../../../domain/cohorts/CohortPlan.ts"
import { QueryTimedOut, StoreOverloaded } from "../../../ports/analytics/EventStore.ts"
import { makeThreadPool, type ThreadFailed } from "../../node/ThreadPool.ts"
import { type ClickHouseOptions, type ClickHouseProblem, ClickHouseRefused, ClickHouseSilent } from "../ClickHouse.ts"
import type { FoundUnits, MarkerAnswers, MarkerProblem } from "./MarkerAnswers.ts"
import type { AnsweringOptions, Found, Scene } from "./SceneMarkers.ts"
import type { EventKind } from "./Scope.ts"

/** What a thread is started with. */
export interface MarkerThreadStart {
  readonly clickHouse: Omit<ClickHouseOptions, "password"> & { readonly password?: string }
  readonly options: AnsweringOptions
}

/** What a thread is asked. */
export type MarkerThreadQuestion =
  | { readonly type: "question"; readonly scene: Scene; readonly question: QuestionOf<EventKind> }
  | { readonly type: "cohort"; readonly scene: Scene; readonly plan: CohortPlan }

/** What a thread answers; `A` is of the question. */
export type MarkerThreadReply<A> =
  | { readonly type: "ready" }
  | { readonly type: "answered"; readonly answer: A }
  | { readonly type: "refused"; readonly code: number; readonly message: string }
  | { readonly type: "silent"; readonly message: string }
  | { readonly type: "failed"; readonly message: string }

export interface MarkerThreadOptions {
  /** The built file of the worker that computes. */
  readonly script: string
  /** Threads at most. */
  readonly threads: number
  readonly clickHouse: ClickHouseOptions
}

/** Mebibytes of objects of one thread: what needs more ends the thread, and not the process. */
const memoryMb = 2048

/** Milliseconds without a question after which a thread ends. */
const restMillis = 300_000

/** How often a cohort may take the time of a question: who asks a question waits for it, and the members of a cohort are computed beside all else. */
const budgetsOfCohort = 4

export const replyOf = (problem: ClickHouseProblem): MarkerThreadReply<never> =>
  problem instanceof ClickHouseRefused
    ? { type: "refused", code: problem.code, message: problem.message }
    : { type: "silent", message: problem.message }

const answerOf = <A>(reply: MarkerThreadReply<A>): Effect.Effect<A, MarkerProblem> => {
  switch (reply.type) {
    case "answered":
      return Effect.succeed(reply.answer)
    case "refused":
      return Effect.fail(new ClickHouseRefused({ code: reply.code, message: reply.message }))
    case "silent":
      return Effect.fail(new ClickHouseSilent({ message: reply.message }))
    default:
      return Effect.dieMessage(reply.type === "failed" ? reply.message : "the thread answered before it was asked")
  }
}

/** A thread that ends of a question had no memory for it. */
const unanswered = ({ reason }: ThreadFailed) => (reason === "Unstarted" ? new StoreOverloaded() : new QueryTimedOut())

const startOf = ({ password, ...own }: ClickHouseOptions, options: AnsweringOptions): MarkerThreadStart => ({
  clickHouse: { ...own, ...(password === undefined ? {} : { password: Redacted.value(password) }) },
  options
})

/** Computes in threads, which read the markers themselves: of millions of markers it takes seconds, in which the server answers others. */
export const makeMarkerThreads = (
  { budget, rows, memory }: AnsweringOptions,
  { script, threads, clickHouse }: MarkerThreadOptions
) =>
  Effect.map(
    makeThreadPool({
      script,
      threads,
      memoryMb,
      restMillis,
      workerData: startOf(clickHouse, { budget, rows, ...(memory === undefined ? {} : { memory }) })
    }),
    (pool): MarkerAnswers => {
      const ask = <A>(asked: MarkerThreadQuestion, millis: number) =>
        Effect.flatMap(Effect.mapError(pool.ask<MarkerThreadReply<A>>(asked, millis), unanswered), answerOf)
      return {
        answer: <Kind extends EventKind>(scene: Scene, question: QuestionOf<Kind>) =>
          ask<Found<Kind>>({ type: "question", scene, question }, budget),
        units: (scene, plan) => ask<FoundUnits>({ type: "cohort", scene, plan }, budgetsOfCohort * budget)
      }
    }
  )

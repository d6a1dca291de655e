import { Cause, Effect, Redacted } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import { giveWay } from "../../node/GiveWay.ts"
import { ClickHouseFound, type ClickHouseProblem } from "../ClickHouse.ts"
import { makeMarkerAnswers } from "../questions/MarkerAnswers.ts"
import {
  type MarkerThreadQuestion,
  type MarkerThreadReply,
  type MarkerThreadStart,
  replyOf
} from "../questions/MarkerThreads.ts"

giveWay()

const start: MarkerThreadStart = workerData
const { password, ...own } = start.clickHouse
const clickHouse = { ...own, ...(password === undefined ? {} : { password: Redacted.make(password) }) }

const reply = (message: MarkerThreadReply<unknown>) => parentPort?.postMessage(message)

const listen = Effect.map(makeMarkerAnswers(start.options), ({ answer, units }) => {
  const answerTo = (asked: MarkerThreadQuestion): Effect.Effect<unknown, ClickHouseProblem> =>
    asked.type === "cohort" ? units(asked.scene, asked.plan) : answer(asked.scene, asked.question)
  const replyTo = (asked: MarkerThreadQuestion) =>
    answerTo(asked).pipe(
      Effect.match({
        onSuccess: (found): MarkerThreadReply<unknown> => ({ type: "answered", answer: found }),
        onFailure: replyOf
      }),
      Effect.catchAllCause((cause) =>
        Effect.succeed<MarkerThreadReply<never>>({ type: "failed", message: Cause.pretty(cause) })
      ),
      Effect.map(reply)
    )
  parentPort?.on("message", (asked: MarkerThreadQuestion) => Effect.runFork(replyTo(asked)))
  reply({ type: "ready" })
})

Effect.runFork(Effect.provide(Effect.zipRight(listen, Effect.never), ClickHouseFound(clickHouse)))

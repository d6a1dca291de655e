import { Effect, Layer, Redacted } from "effect"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { noOtlp } from "../../../src/app/Telemetry.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { openStudio } from "../access/Studio.ts"
import { atEndOfFile } from "../Ends.ts"
import { until } from "../analytics/Analyst.ts"
import { gameOf } from "../game/Game.ts"
import { listening } from "../game/Listening.ts"
import type { Answer } from "../TestApp.ts"
import { type CollectedSpan, openCollector } from "./Collector.ts"

/** What a defect says, which nobody may be told. */
export const saidByMistake = "a-mistake-about-somebody"

/** A store that finds no answer to questions about one marker type, by a mistake of its own. */
const mistaken = Layer.effect(
  EventStore,
  Effect.map(EventStore, (store): typeof EventStore.Service => ({
    ...store,
    ask: (environmentId, question, watch) =>
      JSON.stringify(question).includes("Mistake")
        ? Effect.die(new Error(saidByMistake))
        : store.ask(environmentId, question, watch)
  }))
).pipe(Layer.provideMerge(SqliteStores))

export const metricsToken = "a-token-for-the-tests-of-traces"

/** A collector's settings as an operator gives them, with a header that is a secret. */
export const otlpTo = (endpoint: string) => ({
  ...noOtlp,
  endpoint,
  headers: Redacted.make("api-key=of%20the%20collector"),
  service: "emberkeep",
  metricSeconds: 1
})

export const insightOf = (name: string) => ({
  time: { step: "month", timezone: "UTC", relative: { step: "year", value: 2 } },
  metrics: [{ id: "A", data: { name, type: "totalEvents" } }]
})

/** A server that tells a collector of all it does, and a studio in it. */
export const observed = async () => {
  const collector = await openCollector()
  atEndOfFile(collector.close)
  const server = await listening(mistaken, {
    otlp: otlpTo(collector.url),
    metricsToken: Redacted.make(metricsToken),
    privateWebhooks: true,
    signUp: "open"
  })
  const studio = await openStudio(server.request, "ada")
  const game = await gameOf(server.request, studio)

  const rootOf = ({ headers }: Answer): CollectedSpan | undefined =>
    collector.spans.find(({ attributes }) => attributes["gamekeeper.request.id"] === headers.get("x-request-id"))
  /** The span of a request that was answered, once it has arrived. */
  const spanOf = async (answer: Answer): Promise<CollectedSpan> => {
    await until(() => rootOf(answer) !== undefined)
    return rootOf(answer)!
  }
  const below = ({ spanId }: CollectedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
  return { collector, server, studio, game, rootOf, spanOf, below }
}

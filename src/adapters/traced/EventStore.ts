import { Effect, Layer, type Tracer } from "effect"
import { EventStore } from "../../ports/analytics/EventStore.ts"

const options = (attributes: Readonly<Record<string, string | number>>): Tracer.SpanOptions => ({
  captureStackTrace: false,
  attributes
})

const environment = "gamekeeper.environment.id"

/** The store with a span for each question, and for each call that writes, below what asks for it. */
export const TracedEventStore = Layer.effect(
  EventStore,
  Effect.map(EventStore, (store): typeof EventStore.Service => ({
    ...store,
    ask: (environmentId, question, watch) =>
      Effect.useSpan(
        "question",
        options({ [environment]: environmentId, "gamekeeper.question.kind": question.kind }),
        (span) =>
          Effect.tap(store.ask(environmentId, question, watch), ({ meta }) => {
            span.attribute("gamekeeper.question.rows_scanned", meta.rowsScanned)
            span.attribute("gamekeeper.question.milliseconds", Math.round(meta.elapsedMs))
          })
      ),
    append: (environmentId, receivedAt, events) =>
      Effect.useSpan(
        "markers.append",
        options({ [environment]: environmentId, "gamekeeper.markers.count": events.length }),
        () => store.append(environmentId, receivedAt, events)
      ),
    erase: (environmentId, unitId) =>
      Effect.useSpan("markers.erase", options({ [environment]: environmentId }), () =>
        store.erase(environmentId, unitId)
      ),
    drop: (environmentIds) =>
      Effect.useSpan("markers.drop", options({ "gamekeeper.environments.count": environmentIds.length }), () =>
        store.drop(environmentIds)
      ),
    maintain: (plan) => Effect.useSpan("markers.maintain", options({}), () => store.maintain(plan))
  }))
)

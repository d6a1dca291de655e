import { Effect } from "effect"
import { EnvironmentId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Health } from "../../ports/operations/Health.ts"

export const version = "0.1.0"

export class System extends Effect.Service<System>()("services/operations/System", {
  effect: Effect.gen(function* () {
    const health = yield* Health
    const events = yield* EventStore
    const answers = Effect.isSuccess(events.ask(EnvironmentId.make(1), { kind: "types", plan: { now: 0 } }))

    const readiness = Effect.fn("System.readiness")(function* () {
      const stores = { metadata: yield* health.metadata, events: yield* answers }
      return { status: stores.metadata && stores.events ? "ready" : "unavailable", stores } as const
    })

    return { readiness, version: { name: "gamekeeper", version, node: process.version } } as const
  })
}) {}

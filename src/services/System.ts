import { Effect } from "effect"
import { Health } from "../ports/Health.ts"

export const version = "0.1.0"

export class System extends Effect.Service<System>()("services/System", {
  effect: Effect.gen(function* () {
    const health = yield* Health

    const readiness = Effect.fn("System.readiness")(function* () {
      const metadata = yield* health.metadata
      const stores = { metadata, events: true }
      return { status: metadata ? "ready" : "unavailable", stores } as const
    })

    return { readiness, version: { name: "gamekeeper", version, node: process.version } } as const
  })
}) {}

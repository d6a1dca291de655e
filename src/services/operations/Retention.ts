import { Effect, Option } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import type { RetentionRule } from "../../domain/analytics/markers/RetentionRule.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** How long markers are kept. The server's own work: it asks for no permission. Built before any request is served. */
export class Retention extends Effect.Service<Retention>()("services/operations/Retention", {
  effect: Effect.gen(function* () {
    const { retentionDays } = yield* Settings
    const events = yield* EventStore
    const projects = yield* ProjectRepo

    const common: RetentionRule = { days: retentionDays, types: {} }

    const ruleOf = ({ retentionDays: own, markerRetentionDays: types }: Environment): RetentionRule => ({
      days: own ?? retentionDays,
      types
    })

    /** Tells the event store what an environment's record says. */
    const apply = (environment: Environment) => events.retain(environment.id, ruleOf(environment))

    /** Of an environment that is not there, the server's. */
    const ruleFor = Effect.fnUntraced(function* (id: EnvironmentId) {
      return Option.match(yield* projects.findEnvironment(id), { onNone: () => common, onSome: ruleOf })
    })

    yield* events.retain(null, common)
    yield* Effect.forEach(yield* projects.everyEnvironment, apply, { discard: true })

    return { apply, ruleFor, ruleOf } as const
  })
}) {}

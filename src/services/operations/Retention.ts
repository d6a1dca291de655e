import { Effect, Option, Runtime } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import type { RetentionRule } from "../../domain/analytics/markers/RetentionRule.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** How long markers are kept. The server's own work: it asks for no permission. Built before any request is served. */
export class Retention extends Effect.Service<Retention>()("services/operations/Retention", {
  scoped: Effect.gen(function* () {
    const { retentionDays } = yield* Settings
    const events = yield* EventStore
    const peers = yield* Peers
    const projects = yield* ProjectRepo

    const common: RetentionRule = { days: retentionDays, types: {} }

    const ruleOf = ({ retentionDays: own, markerRetentionDays: types }: Environment): RetentionRule => ({
      days: own ?? retentionDays,
      types
    })

    const apply = (environment: Environment) => events.retain(environment.id, ruleOf(environment))

    /** Has every process keep markers as the environment's record says. Run it in the transaction that changes it. */
    const announce = (environment: Environment) =>
      peers.tell({ kind: "retention", environmentId: environment.id, rule: ruleOf(environment) })

    const run = Runtime.runFork(yield* Effect.runtime<never>())
    yield* peers.hear((notice) => {
      if (notice.kind === "retention") run(events.retain(notice.environmentId, notice.rule))
    })

    /** Of an environment that is not there, the server's. */
    const ruleFor = Effect.fnUntraced(function* (id: EnvironmentId) {
      return Option.match(yield* projects.findEnvironment(id), { onNone: () => common, onSome: ruleOf })
    })

    yield* events.retain(null, common)
    yield* Effect.forEach(yield* projects.everyEnvironment, apply, { discard: true })

    return { announce, ruleFor, ruleOf } as const
  })
}) {}

import { Effect } from "effect"
import { limitAt } from "../../domain/analytics/markers/RetentionRule.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { ServerStateRepo } from "../../ports/game/ServerStateRepo.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { Retention } from "./Retention.ts"
import { TrustedClock } from "./TrustedClock.ts"
import { dayMillis } from "../../domain/Durations.ts"

/** How long the state of a game server that says nothing more is kept, in milliseconds. */
const silenceMillis = dayMillis

/** Keeps the stores small and quick. The server's own work: it asks for no permission. */
export class Maintenance extends Effect.Service<Maintenance>()("services/operations/Maintenance", {
  effect: Effect.gen(function* () {
    const clicks = yield* ClickRepo
    const events = yield* EventStore
    const projects = yield* ProjectRepo
    const servers = yield* ServerStateRepo
    const retention = yield* Retention
    const turns = yield* Turns
    const clock = yield* TrustedClock

    /** Drops markers that are past retention, what came to environments while they were removed, clicks that can no longer convert, and game servers that are gone. */
    const round = Effect.fnUntraced(function* () {
      const now = yield* clock.now
      const present = yield* projects.everyEnvironment
      const limits = present.map((each) => ({ environmentId: each.id, ...limitAt(retention.ruleOf(each), now) }))
      yield* events.maintain({ now, retention: limits })
      yield* events.drop(yield* projects.removedEnvironments)
      yield* clicks.expire(now)
      yield* servers.expire(now - silenceMillis)
    })

    /** One round, unless another process is about one. */
    const run = () => Effect.asVoid(turns.once("maintenance", round()))

    return { run } as const
  })
}) {}

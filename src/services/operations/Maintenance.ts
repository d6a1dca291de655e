import { Effect } from "effect"
import { limitAt } from "../../domain/analytics/markers/RetentionRule.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { ServerStateRepo } from "../../ports/game/ServerStateRepo.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { Retention } from "./Retention.ts"
import { TrustedClock } from "./TrustedClock.ts"
import { dayMillis } from "../../domain/Durations.ts"

/** How long the state of a game server that says nothing more is kept, in milliseconds. */
const silenceMillis = dayMillis

/** How long an invitation that has ended without an answer is shown, in milliseconds: it holds the address of somebody who has no account, maybe. */
const endedInvitationMillis = 30 * dayMillis

/**
 * How long a click is kept beyond its window, in milliseconds: games send what happened while they were offline later, and when this comes decides
 * nothing.
 */
const lateMillis = 7 * dayMillis

/** Keeps the stores small and quick. The server's own work: it asks for no permission. */
export class Maintenance extends Effect.Service<Maintenance>()("services/operations/Maintenance", {
  effect: Effect.gen(function* () {
    const clicks = yield* ClickRepo
    const events = yield* EventStore
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const servers = yield* ServerStateRepo
    const retention = yield* Retention
    const turns = yield* Turns
    const clock = yield* TrustedClock

    /**
     * Drops markers that are past retention, what came to environments while they were removed, clicks whose window ended long ago, game
     * servers that are gone, and invitations that ended long ago. What one of these fails of keeps none of the others waiting.
     */
    const round = Effect.fnUntraced(function* () {
      const now = yield* clock.now
      const present = yield* projects.everyEnvironment
      const limits = present.map((each) => ({ environmentId: each.id, ...limitAt(retention.ruleOf(each), now) }))
      const parts = [
        events.maintain({ now, retention: limits }),
        Effect.flatMap(projects.removedEnvironments, events.drop),
        clicks.expire(now - lateMillis),
        servers.expire(now - silenceMillis),
        organizations.expireInvitations(now - endedInvitationMillis)
      ]
      for (const ended of yield* Effect.forEach(parts, Effect.exit)) yield* ended
    })

    /** One round, unless another process is about one. */
    const run = () => Effect.asVoid(turns.once("maintenance", round()))

    return { run } as const
  })
}) {}

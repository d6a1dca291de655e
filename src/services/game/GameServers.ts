import { Clock, Effect } from "effect"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import type { JsonObject } from "../../../schema/Json.ts"
import type { Nothing } from "../../../schema/game/LegacyRecords.ts"
import { markerOf, withoutPlayers } from "../../domain/game/ServerReport.ts"
import { ServerStateRepo } from "../../ports/game/ServerStateRepo.ts"
import type { GameRequest } from "./GameAccess.ts"
import { GameAccess } from "./GameAccess.ts"
import { Ingest } from "../ingest/Ingest.ts"
import { whole } from "../Whole.ts"

const nothing: Nothing = {}

/** What game servers say of themselves. */
export class GameServers extends Effect.Service<GameServers>()("services/game/GameServers", {
  effect: Effect.gen(function* () {
    const access = yield* GameAccess
    const ingest = yield* Ingest
    const states = yield* ServerStateRepo

    /** Keeps a report as a marker and as the latest state of the server. */
    const report = Effect.fnUntraced(function* (request: GameRequest, serverId: string, sent: JsonObject) {
      const environment = yield* access.environment("sdk:ingest", request)
      const reportedAt = yield* Clock.currentTimeMillis
      const state = withoutPlayers(sent)
      const stored = ingest.markers(environment, [markerOf(serverId, state, reportedAt)])
      const put = states.put(environment.id, { serverId, reportedAt, state: JSON.stringify(state) })
      yield* Effect.catchTag(whole(Effect.zipLeft(stored, put)), "InvalidMarkers", ({ rejectedMarkers }) =>
        Effect.fail(new ValidationFailed({ message: rejectedMarkers.map(({ reason }) => reason).join("; ") }))
      )
      return nothing
    })

    return { report } as const
  })
}) {}

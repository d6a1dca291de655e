import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { ServerState } from "../../domain/game/ServerReport.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** The latest state of each game server. Removing an environment removes its states. */
export class ServerStateRepo extends Context.Tag("ports/game/ServerStateRepo")<
  ServerStateRepo,
  {
    /** Stores a server's state unless the stored one is later. */
    readonly put: (environmentId: EnvironmentId, state: ServerState) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, serverId: string) => Effect.Effect<Option.Option<ServerState>>
    /** Removes servers of the environment whose state or id, both as JSON, passes the test. */
    readonly removeMentioning: (environmentId: EnvironmentId, test: (json: string) => boolean) => Effect.Effect<void>
    /** Removes servers that have reported nothing since the instant (epoch ms). */
    readonly expire: (before: number) => Effect.Effect<void>
  }
>() {}

import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { ServerState } from "../../domain/game/ServerReport.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** The latest state of each game server. States go with their environment. */
export class ServerStateRepo extends Context.Tag("ports/game/ServerStateRepo")<
  ServerStateRepo,
  {
    /** Replaces what was known of the server, unless that is later. */
    readonly put: (environmentId: EnvironmentId, state: ServerState) => Effect.Effect<void>
    readonly find: (environmentId: EnvironmentId, serverId: string) => Effect.Effect<Option.Option<ServerState>>
    /** Forgets servers that have reported nothing since; epoch milliseconds. */
    readonly expire: (before: number) => Effect.Effect<void>
  }
>() {}

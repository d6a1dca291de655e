import { Effect, Layer, Option } from "effect"
import type { EnvironmentId } from "../../../domain/Ids.ts"
import { ServerStateRepo } from "../../../ports/game/ServerStateRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

interface Place {
  readonly environmentId: EnvironmentId
  readonly serverId: string
}

export const ServerStateRepoMemory = Layer.effect(
  ServerStateRepo,
  Effect.map(MemoryDb, ({ access, serverStates }) => {
    const isAt = (place: Place) => (row: Place) =>
      row.environmentId === place.environmentId && row.serverId === place.serverId
    return ServerStateRepo.of({
      put: (environmentId, state) =>
        access(() => {
          const isSame = isAt({ environmentId, serverId: state.serverId })
          if ((serverStates.rows.find(isSame)?.reportedAt ?? -Infinity) > state.reportedAt) return
          serverStates.remove(isSame)
          serverStates.insert({ ...state, environmentId })
        }),
      find: (environmentId, serverId) =>
        access(() =>
          Option.map(
            Option.fromNullable(serverStates.rows.find(isAt({ environmentId, serverId }))),
            ({ environmentId: _, ...state }) => state
          )
        ),
      removeMentioning: (environmentId, test) =>
        access(() =>
          serverStates.remove(
            (each) => each.environmentId === environmentId && [JSON.stringify(each.serverId), each.state].some(test)
          )
        ),
      expire: (before) => access(() => serverStates.remove(({ reportedAt }) => reportedAt < before))
    })
  })
)

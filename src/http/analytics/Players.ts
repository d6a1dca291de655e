import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Players } from "../../services/analytics/Players.ts"
import { PlayerConfigurations } from "../../services/game/PlayerConfigurations.ts"
import { applicationWhereOf } from "../Address.ts"

export const PlayersHttp = HttpApiBuilder.group(Api, "players", (handlers) =>
  Effect.map(Effect.all([Players, PlayerConfigurations]), ([players, configurations]) =>
    handlers
      .handle("list", (request) => players.list(applicationWhereOf(request), request.urlParams))
      .handle("get", (request) => players.get(applicationWhereOf(request), request.path.unitId))
      .handle("configuration", (request) =>
        configurations.get(applicationWhereOf(request), request.path.unitId, request.path.configurationId)
      )
      .handle("export", (request) =>
        Effect.map(players.export(applicationWhereOf(request), request.path.unitId), (lines) =>
          HttpServerResponse.stream(Stream.encodeText(lines), { contentType: "application/x-ndjson" })
        )
      )
      .handle("erase", (request) => players.erase(applicationWhereOf(request), request.path.unitId))
  )
)

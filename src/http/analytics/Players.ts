import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { Players } from "../../services/analytics/Players.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId; readonly unitId: string }
  readonly headers: { readonly environment_id?: EnvironmentId | undefined }
}

const place = ({ path, headers }: Addressed) => ({ ...path, environmentId: headers.environment_id })

export const PlayersHttp = HttpApiBuilder.group(Api, "players", (handlers) =>
  Effect.map(Players, (players) =>
    handlers
      .handle("get", (request) => players.get(place(request)))
      .handle("export", (request) =>
        Effect.map(players.export(place(request)), (lines) =>
          HttpServerResponse.stream(Stream.encodeText(lines), { contentType: "application/x-ndjson" })
        )
      )
      .handle("erase", (request) => players.erase(place(request)))
  )
)

import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { LegacyHeaders } from "../../../schema/game/GameHeaders.ts"
import type { GameRequest } from "../../services/game/GameAccess.ts"
import { GameJobs } from "../../services/game/GameJobs.ts"
import { GameServers } from "../../services/game/GameServers.ts"
import { SdkLegacy } from "../../services/game/SdkLegacy.ts"

const older = (headers: LegacyHeaders): GameRequest => ({ version: 1, headers })

export const SdkLegacyHttp = HttpApiBuilder.group(Api, "sdkLegacy", (handlers) =>
  Effect.gen(function* () {
    const jobs = yield* GameJobs
    const legacy = yield* SdkLegacy
    const servers = yield* GameServers

    return handlers
      .handle("configuration", ({ headers, path, urlParams }) =>
        Effect.map(legacy.configuration({ version: 2, headers }, path.name, urlParams.distinctId), ({ bytes }) =>
          HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })
        )
      )
      .handle("assignment", ({ headers, urlParams }) =>
        legacy.assignment({ version: 2, headers }, urlParams.configName, urlParams.id)
      )
      .handle("configurations", ({ headers }) => legacy.configurations(older(headers)))
      .handle("experiments", ({ headers }) => legacy.experiments(older(headers)))
      .handle("assign", ({ headers, payload }) => legacy.assign(older(headers), headers.serverid, payload))
      .handle("reportServer", ({ headers, path, payload }) => servers.report(older(headers), path.serverId, payload))
      .handle("requests", ({ headers }) => jobs.list(older(headers)))
      .handle("startRequests", ({ headers, payload }) => jobs.start(older(headers), payload))
      .handle("completeRequests", ({ headers, payload }) => jobs.complete(older(headers), payload))
      .handle("latestVersion", ({ headers }) => legacy.latestVersion(older(headers), headers.sdkversion))
  })
)

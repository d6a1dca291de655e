import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ConfigurationCopies } from "../../services/configuration/ConfigurationCopies.ts"
import { ConfigurationDrafts } from "../../services/configuration/ConfigurationDrafts.ts"
import { Configurations } from "../../services/configuration/Configurations.ts"
import { ConfigurationVersions } from "../../services/configuration/ConfigurationVersions.ts"
import { applicationWhereOf } from "../Address.ts"

export const ConfigurationsHttp = HttpApiBuilder.group(Api, "configurations", (handlers) =>
  Effect.gen(function* () {
    const configurations = yield* Configurations
    const copies = yield* ConfigurationCopies
    const drafts = yield* ConfigurationDrafts
    const versions = yield* ConfigurationVersions
    return handlers
      .handle("list", (request) =>
        Effect.map(configurations.list(applicationWhereOf(request), request.urlParams), (bytes) =>
          HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })
        )
      )
      .handle("create", (request) => configurations.create(applicationWhereOf(request), request.payload))
      .handle("get", (request) => configurations.get(applicationWhereOf(request), request.path.configurationId))
      .handle("replace", (request) =>
        configurations.replace(applicationWhereOf(request), request.path.configurationId, request.payload)
      )
      .handle("patch", (request) =>
        configurations.patch(applicationWhereOf(request), request.path.configurationId, request.payload)
      )
      .handle("remove", (request) => configurations.remove(applicationWhereOf(request), request.path.configurationId))
      .handle("copy", (request) =>
        copies.copy(applicationWhereOf(request), request.path.configurationId, request.payload)
      )
      .handle("makePrimary", (request) =>
        configurations.makePrimary(applicationWhereOf(request), request.path.configurationId)
      )
      .handle("versions", (request) =>
        versions.list(applicationWhereOf(request), request.path.configurationId, request.urlParams)
      )
      .handle("version", (request) =>
        versions.get(applicationWhereOf(request), request.path.configurationId, request.path.version)
      )
      .handle("diff", (request) =>
        versions.diff(applicationWhereOf(request), request.path.configurationId, request.urlParams)
      )
      .handle("revert", (request) =>
        versions.revert(applicationWhereOf(request), request.path.configurationId, request.payload)
      )
      .handle("check", (request) =>
        drafts.check(applicationWhereOf(request), request.path.configurationId, request.payload)
      )
  })
)

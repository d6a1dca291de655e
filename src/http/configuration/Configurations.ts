import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ConfigurationCopies } from "../../services/configuration/ConfigurationCopies.ts"
import { ConfigurationDrafts } from "../../services/configuration/ConfigurationDrafts.ts"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import { recordText } from "../../services/configuration/ConfigurationView.ts"
import { Configurations } from "../../services/configuration/Configurations.ts"
import { ConfigurationVersions } from "../../services/configuration/ConfigurationVersions.ts"
import { applicationWhereOf } from "../Address.ts"

const jsonText = (status: number) => (text: string) =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

/** Answers the record of a configuration. */
const recordOf =
  (status = 200) =>
  (configuration: Configuration) =>
    Effect.map(recordText(configuration), jsonText(status))

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
      .handle("create", (request) =>
        Effect.flatMap(configurations.create(applicationWhereOf(request), request.payload), recordOf(201))
      )
      .handle("get", (request) =>
        Effect.map(configurations.get(applicationWhereOf(request), request.path.configurationId), jsonText(200))
      )
      .handle("replace", (request) =>
        Effect.flatMap(
          configurations.replace(applicationWhereOf(request), request.path.configurationId, request.payload),
          recordOf()
        )
      )
      .handle("patch", (request) =>
        Effect.flatMap(
          configurations.patch(applicationWhereOf(request), request.path.configurationId, request.payload),
          recordOf()
        )
      )
      .handle("remove", (request) => configurations.remove(applicationWhereOf(request), request.path.configurationId))
      .handle("copy", (request) =>
        Effect.flatMap(
          copies.copy(applicationWhereOf(request), request.path.configurationId, request.payload),
          recordOf(201)
        )
      )
      .handle("makePrimary", (request) =>
        Effect.flatMap(
          configurations.makePrimary(applicationWhereOf(request), request.path.configurationId),
          recordOf()
        )
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
        Effect.flatMap(
          versions.revert(applicationWhereOf(request), request.path.configurationId, request.payload),
          recordOf()
        )
      )
      .handle("check", (request) =>
        drafts.check(applicationWhereOf(request), request.path.configurationId, request.payload)
      )
  })
)

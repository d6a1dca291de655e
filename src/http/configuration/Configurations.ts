import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { ConfigurationCopies } from "../../services/configuration/ConfigurationCopies.ts"
import { Configurations } from "../../services/configuration/Configurations.ts"
import { ConfigurationVersions } from "../../services/configuration/ConfigurationVersions.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id?: EnvironmentId }
}

const whereOf = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

export const ConfigurationsHttp = HttpApiBuilder.group(Api, "configurations", (handlers) =>
  Effect.gen(function* () {
    const configurations = yield* Configurations
    const copies = yield* ConfigurationCopies
    const versions = yield* ConfigurationVersions
    return handlers
      .handle("list", (request) => configurations.list(whereOf(request), request.urlParams))
      .handle("create", (request) => configurations.create(whereOf(request), request.payload))
      .handle("get", (request) => configurations.get(whereOf(request), request.path.configurationId))
      .handle("replace", (request) =>
        configurations.replace(whereOf(request), request.path.configurationId, request.payload)
      )
      .handle("patch", (request) =>
        configurations.patch(whereOf(request), request.path.configurationId, request.payload)
      )
      .handle("remove", (request) => configurations.remove(whereOf(request), request.path.configurationId))
      .handle("copy", (request) => copies.copy(whereOf(request), request.path.configurationId, request.payload))
      .handle("makePrimary", (request) => configurations.makePrimary(whereOf(request), request.path.configurationId))
      .handle("versions", (request) => versions.list(whereOf(request), request.path.configurationId, request.urlParams))
      .handle("version", (request) =>
        versions.get(whereOf(request), request.path.configurationId, request.path.version)
      )
      .handle("diff", (request) => versions.diff(whereOf(request), request.path.configurationId, request.urlParams))
      .handle("revert", (request) => versions.revert(whereOf(request), request.path.configurationId, request.payload))
  })
)

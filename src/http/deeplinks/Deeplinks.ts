import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId } from "../../domain/Ids.ts"
import { Conversions } from "../../services/deeplinks/Conversions.ts"
import { Deeplinks } from "../../services/deeplinks/Deeplinks.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id?: EnvironmentId | undefined }
}

const place = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

export const DeeplinksHttp = HttpApiBuilder.group(Api, "deeplinks", (handlers) =>
  Effect.map(Effect.all([Deeplinks, Conversions]), ([deeplinks, conversions]) =>
    handlers
      .handle("list", (request) => deeplinks.list(place(request)))
      .handle("create", (request) => deeplinks.create(place(request), request.payload))
      .handle("get", (request) => deeplinks.get(place(request), request.path.deeplinkId))
      .handle("update", (request) => deeplinks.update(place(request), request.path.deeplinkId, request.payload))
      .handle("remove", (request) => deeplinks.remove(place(request), request.path.deeplinkId))
      .handle("conversions", (request) => conversions.get(place(request), request.path.deeplinkId, request.urlParams))
  )
)

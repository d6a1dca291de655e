import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { OrganizationId } from "../../src/domain/Ids.ts"
import { SessionOrPat } from "./Auth.ts"
import { Forbidden, IconNotFound, ImageInvalid, OrganizationNotFound } from "./AccessErrors.ts"
import { ifNoneMatch, ImageBytes, iconUpload, NotModified, version } from "./Images.ts"
import { organizationId } from "../Parameters.ts"
import { RawBody } from "../RawBody.ts"
import { requires } from "./RequiredPermission.ts"

export const IconResult = Schema.Struct({
  id: OrganizationId,
  iconUrl: Schema.NullOr(Schema.String)
}).annotations({ identifier: "IconResult" })
export type IconResult = typeof IconResult.Type

export class IconsGroup extends HttpApiGroup.make("icons")
  .add(
    HttpApiEndpoint.put("put")`/organization/${organizationId}/icon`
      .addSuccess(IconResult)
      .addError(ImageInvalid)
      .annotate(RawBody, true)
      .annotateContext(requires("organization:write", "organization", "A token must cover all projects."))
      .annotate(OpenApi.Summary, "Set the icon: PNG, JPEG, WebP or GIF of at most 1 MiB and 4096 pixels a side")
      .annotate(OpenApi.Override, iconUpload)
  )
  .add(
    HttpApiEndpoint.get("get")`/organization/${organizationId}/icon`
      .setHeaders(ifNoneMatch)
      .setUrlParams(version)
      .addSuccess(ImageBytes)
      .addSuccess(NotModified)
      .addError(IconNotFound)
      .annotateContext(requires("organization:read", "organization"))
      .annotate(OpenApi.Summary, "The icon's image")
  )
  .add(
    HttpApiEndpoint.del("remove")`/organization/${organizationId}/icon`
      .addSuccess(IconResult)
      .annotateContext(requires("organization:write", "organization", "A token must cover all projects."))
      .annotate(OpenApi.Summary, "Remove the icon")
  )
  .addError(Forbidden)
  .addError(OrganizationNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Organization icon")
  .annotate(OpenApi.Description, "The image an organization is shown with.") {}

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ApplicationNotFound, Forbidden } from "../access/AccessErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { requires } from "../access/RequiredPermission.ts"
import { applicationId, queryId } from "../Parameters.ts"
import { QueryNotFound } from "./AnalyticsErrors.ts"

const note = "A star is the caller's own: nobody else sees it."

export class QueryStarsGroup extends HttpApiGroup.make("queryStars")
  .add(
    HttpApiEndpoint.put("set")`/application/${applicationId}/analytics/v1/queries/${queryId}/star`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(QueryNotFound)
      .annotateContext(requires("analytics:read", "project", note))
      .annotate(OpenApi.Summary, "Give a saved query a star")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/analytics/v1/queries/${queryId}/star`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(QueryNotFound)
      .annotateContext(requires("analytics:read", "project", note))
      .annotate(OpenApi.Summary, "Take the star away")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Query stars")
  .annotate(OpenApi.Description, "Saved queries that a person wants at hand.") {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { requires } from "../access/RequiredPermission.ts"
import { MarkerName } from "../analytics/Filters.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, numeric } from "../Parameters.ts"
import { text } from "../Text.ts"
import { TooManyStreams } from "./LiveErrors.ts"
import { LiveEventStream } from "./LiveEvents.ts"

/** What a stream is to show; a query, because a page cannot send headers with a stream. */
export const LiveQuery = Schema.Struct({
  environmentId: numeric(EnvironmentId),
  markers: withDefault(oneOf("0", "1"), "0"),
  type: optional(MarkerName),
  unitId: optional(text(1, 256))
})
export type LiveQuery = typeof LiveQuery.Type

const LastEventId = Schema.Struct({ "last-event-id": optional(text(0, 64)) })

export class LiveGroup extends HttpApiGroup.make("live")
  .add(
    HttpApiEndpoint.get("stream")`/application/${applicationId}/stream`
      .setHeaders(LastEventId)
      .setUrlParams(LiveQuery)
      .addSuccess(LiveEventStream)
      .addError(TooManyStreams)
      .annotateContext(
        requires(
          "projects:read",
          "environment",
          "Each kind of event needs the permission to read what it tells of: `markers` and `rejected` need `markers:read`, `configuration` needs `configurations:read`, `experiments` `experiments:read`, `cohort` `cohorts:read` and `execution` `analytics:read`. Kinds that one may not read are left out."
        )
      )
      .annotate(OpenApi.Summary, "What happens in an environment this second, as server-sent events")
      .annotate(
        OpenApi.Description,
        "`open` names the kinds of events that the caller hears. Every second, where something happened: `markers` (LiveMarkers), how many of each type were stored, with `markers=1` some of them, of `type` and `unitId` where these are given; `rejected` (LiveRejected), markers that were refused, and why; `cohort` (LiveCohort) and `execution` (LiveExecution), their latest state. At once: `configuration` and `experiments` (LiveChange), whose events have an id: a reader that comes back with it as `Last-Event-ID` gets those it missed, or `reset` where they are not known any more. All others are about now and are never repeated. A comment every 15 seconds says that the stream lives; it ends with the session or the token. Asks for a signed-in browser or a personal access token."
      )
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Live")
  .annotate(OpenApi.Description, "What happens this second, for pages and tools that watch.") {}

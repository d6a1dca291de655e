import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { Creator } from "../access/KeyRecord.ts"
import { requires } from "../access/RequiredPermission.ts"
import { Instant } from "../Instant.ts"
import { oneOf } from "../Optional.ts"
import { Overloaded } from "../RequestErrors.ts"
import { QueryTimeout, TooManyQueries } from "./AnalyticsErrors.ts"
import { applicationId, EnvironmentHeader, Page, Paging } from "../Parameters.ts"

export const NoteRecord = Schema.Struct({
  at: Schema.DateTimeUtc,
  kind: oneOf("configuration", "experiment", "appVersion"),
  id: Schema.NullOr(Schema.Int).annotations({
    description: "Of the configuration or experiment; null for a version of the game"
  }),
  name: Schema.String.annotations({
    description: "Of the configuration or experiment; of a version of the game what its markers have as `appVersion`"
  }),
  by: Schema.NullOr(Creator).annotations({ description: "Null where time did it, and where nobody is known" }),
  text: Schema.String.annotations({
    description: "What happened, such as `Version 4: cheaper starter pack`; `First seen` for a version of the game"
  })
}).annotations({ identifier: "Note", description: "Something that changed the game" })
export type NoteRecord = typeof NoteRecord.Type

export const NotePage = Page(NoteRecord).annotations({ identifier: "NotePage" })
export type NotePage = typeof NotePage.Type

export class NotesGroup extends HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/changes`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(
        Schema.Struct({
          from: Instant.annotations({ description: "The first instant, such as the start of a chart" }),
          to: Instant.annotations({ description: "The instant after the last" }),
          ...Paging.fields
        })
      )
      .addSuccess(NotePage)
      .annotateContext(requires("analytics:read", "environment"))
      .annotate(OpenApi.Summary, "What changed the game in a range of time")
      .annotate(
        OpenApi.Description,
        "Versions of configurations, and starts, rollouts, changes of weights and ends of experiments, and versions of the game at the timestamp of the first marker that has them as `appVersion`, newest first. Who may not read configurations, experiments or markers gets none of them. First sights outlive the markers; a version seen before the server kept them, and any beyond the 1,000 most frequent of a type of markers, has none."
      )
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(QueryTimeout)
  .addError(Overloaded)
  .addError(TooManyQueries)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Notes")
  .annotate(OpenApi.Description, "What a chart notes on its axis of time.") {}

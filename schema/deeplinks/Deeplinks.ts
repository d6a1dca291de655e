import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import * as Deeplink from "../../src/domain/deeplinks/Deeplink.ts"
import { ApplicationId, DeeplinkId } from "../../src/domain/Ids.ts"
import { Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { QueryTimeout, TimeRangeInvalid, TooManyQueries } from "../analytics/AnalyticsErrors.ts"
import {
  DeeplinkChanged,
  DeeplinkLimitReached,
  DeeplinkNotFound,
  RedirectRefused,
  SlugTaken
} from "./DeeplinkErrors.ts"
import { basedOn } from "../BasedOn.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { MarkerName } from "../analytics/Filters.ts"
import { Instant } from "../Instant.ts"
import { JsonObject } from "../Json.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, deeplinkId, OptionalEnvironmentHeader, Paging } from "../Parameters.ts"
import { Step } from "../analytics/QueryTime.ts"
import { text, Title } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"

export const Slug = Schema.String.pipe(
  Schema.pattern(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/, {
    message: () => "expected 1 to 64 letters, digits, - or _, beginning with a letter or digit"
  })
)

export const DeeplinkType = Deeplink.DeeplinkType.annotations({
  identifier: "DeeplinkType"
})
export type DeeplinkType = typeof DeeplinkType.Type

export const DeeplinkRecord = Schema.Struct({
  id: DeeplinkId,
  applicationId: ApplicationId,
  name: Schema.String,
  slug: Schema.String,
  type: DeeplinkType,
  redirectUrl: Schema.String,
  url: Schema.String,
  metadata: JsonObject,
  conversionMarker: Schema.String,
  attributionWindowHours: Schema.Int,
  clicks: Schema.Int,
  conversions: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  archivedAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "Deeplink" })
export type DeeplinkRecord = typeof DeeplinkRecord.Type

const definition = {
  name: Title,
  slug: optional(Slug),
  type: DeeplinkType,
  redirectUrl: text(1, 2048)
}

const attributionWindow = Schema.Int.pipe(Schema.between(1, 8760))

export const CreateDeeplink = Schema.Struct({
  ...definition,
  metadata: withDefault(JsonObject, {}),
  conversionMarker: withDefault(MarkerName, "Login"),
  attributionWindowHours: withDefault(attributionWindow, 168)
})
  .annotations({ identifier: "CreateDeeplink" })
  .pipe(
    example({
      name: "Launch trailer",
      slug: "trailer",
      type: "web_url",
      redirectUrl: "https://emberkeep.example/play",
      metadata: { campaign: "launch", channel: "video" },
      conversionMarker: "TutorialCompleted",
      attributionWindowHours: 72
    })
  )
export type CreateDeeplink = typeof CreateDeeplink.Type

export const UpdateDeeplink = Schema.Struct({
  ...definition,
  metadata: optional(JsonObject),
  conversionMarker: optional(MarkerName),
  attributionWindowHours: optional(attributionWindow),
  archived: optional(Schema.Boolean),
  basedOn
})
  .annotations({
    identifier: "UpdateDeeplink",
    description:
      "slug, metadata, conversionMarker, attributionWindowHours and archived stay as they are where they are left out"
  })
  .pipe(
    example({
      name: "Launch trailer",
      slug: "trailer",
      type: "web_url",
      redirectUrl: "https://emberkeep.example/play?season=2",
      metadata: { campaign: "season 2" }
    })
  )
export type UpdateDeeplink = typeof UpdateDeeplink.Type

export const ConversionsQuery = Schema.Struct({
  from: optional(Instant),
  to: optional(Instant),
  step: withDefault(Step, "day"),
  breakdown: withDefault(oneOf("source", "country", "device"), "source"),
  ...Paging.fields
})
export type ConversionsQuery = typeof ConversionsQuery.Type

const counts = { clicks: Schema.Int, uniqueClicks: Schema.Int, conversions: Schema.Int, conversionRate: Schema.Number }

export const DeeplinkConversions = Schema.Struct({
  totals: Schema.Struct({ ...counts, users: Schema.Int, newUsers: Schema.Int, revenue: Schema.Number }),
  overTime: Schema.Array(Schema.Struct({ bucket: Schema.DateTimeUtc, ...counts })),
  sources: Schema.Array(Schema.Struct({ value: Schema.NullOr(Schema.String), ...counts })),
  items: Schema.Array(
    Schema.Struct({
      unitId: Schema.String,
      clickedAt: Schema.DateTimeUtc,
      convertedAt: Schema.DateTimeUtc,
      secondsToConvert: Schema.Number,
      matchType: Schema.Literal("interactionId"),
      matchGuaranteed: Schema.Literal(true)
    })
  ),
  nextCursor: Schema.NullOr(Schema.String)
}).annotations({
  identifier: "DeeplinkConversions",
  description: [
    "By the time of the click. conversionRate is in percent of clicks, over 100 where one click converts several units;",
    "uniqueClicks are clicks of visitors who had not clicked before; newUsers are units first seen after their click; revenue is",
    "the sum of the number `revenue` of any marker of those units, or of `price` of a Purchase without one, from the click to",
    "the end of the attribution window"
  ].join(" ")
})
export type DeeplinkConversions = typeof DeeplinkConversions.Type

export class DeeplinksGroup extends HttpApiGroup.make("deeplinks")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/deeplinks`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(Schema.Array(DeeplinkRecord))
      .annotateContext(
        requires(
          "deeplinks:read",
          "project",
          "A token sees the clicks and conversions of the environments that it covers."
        )
      )
      .annotate(OpenApi.Summary, "All deeplinks of the project")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/deeplinks`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(CreateDeeplink)
      .addSuccess(DeeplinkRecord, { status: 201 })
      .addError(SlugTaken)
      .addError(DeeplinkLimitReached)
      .addError(RedirectRefused)
      .annotateContext(requires("deeplinks:write", "project"))
      .annotate(OpenApi.Summary, "Create a deeplink; without a slug one is made up")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/deeplinks/${deeplinkId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(DeeplinkRecord)
      .addError(DeeplinkNotFound)
      .annotateContext(
        requires(
          "deeplinks:read",
          "project",
          "A token sees the clicks and conversions of the environments that it covers."
        )
      )
      .annotate(OpenApi.Summary, "A deeplink")
  )
  .add(
    HttpApiEndpoint.put("update")`/application/${applicationId}/deeplinks/${deeplinkId}`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(UpdateDeeplink)
      .addSuccess(DeeplinkRecord)
      .addError(DeeplinkNotFound)
      .addError(DeeplinkChanged)
      .addError(SlugTaken)
      .addError(DeeplinkLimitReached)
      .addError(RedirectRefused)
      .annotateContext(requires("deeplinks:write", "environments"))
      .annotate(OpenApi.Summary, "Replace, archive or bring back a deeplink")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/deeplinks/${deeplinkId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(DeeplinkNotFound)
      .annotateContext(requires("deeplinks:write", "environments"))
      .annotate(OpenApi.Summary, "Delete a deeplink with its clicks")
  )
  .add(
    HttpApiEndpoint.get("conversions")`/application/${applicationId}/deeplinks/${deeplinkId}/conversions`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(ConversionsQuery)
      .addSuccess(DeeplinkConversions)
      .addError(DeeplinkNotFound)
      .addError(TimeRangeInvalid)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(
        requires(
          "deeplinks:read",
          "project",
          "A token sees the clicks and conversions of the environments that it covers."
        )
      )
      .annotate(OpenApi.Summary, "Clicks and conversions of a deeplink, over time and by source")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Deeplinks")
  .annotate(OpenApi.Description, "Links into the game, and what came of each click.") {}

import { Schema } from "effect"
import { ApplicationId, OrganizationId, UserId } from "../../src/domain/Ids.ts"

/** A project as it stands in its organization. */
export const ApplicationSummary = Schema.Struct({
  id: ApplicationId,
  name: Schema.String,
  sdk: Schema.Struct({ id: Schema.Int, name: Schema.String }),
  createdAt: Schema.DateTimeUtc,
  createdBy: UserId,
  thumbnailUrl: Schema.NullOr(Schema.String),
  color: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ApplicationSummary" })
export type ApplicationSummary = typeof ApplicationSummary.Type

export const ApplicationRecord = Schema.Struct({
  ...ApplicationSummary.fields,
  organizationId: OrganizationId,
  timezone: Schema.String
}).annotations({ identifier: "Application" })
export type ApplicationRecord = typeof ApplicationRecord.Type

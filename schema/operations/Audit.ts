import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationId, UserId } from "../../src/domain/Ids.ts"
import { AuditChange, AuditContent } from "../../src/domain/operations/audit/AuditEntry.ts"
import { Forbidden, OrganizationNotFound } from "../access/AccessErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { requires } from "../access/RequiredPermission.ts"
import { Instant } from "../Instant.ts"
import { optional } from "../Optional.ts"
import { numeric, organizationId, Page, Paging } from "../Parameters.ts"
import { CursorInvalid } from "../RequestErrors.ts"
import { text } from "../Text.ts"

export const AuditRecord = Schema.Struct({
  number: Schema.Int,
  at: Schema.DateTimeUtc,
  actor: AuditContent.fields.actor,
  address: AuditContent.fields.address,
  requestId: AuditContent.fields.requestId,
  operation: AuditContent.fields.operation,
  object: AuditContent.fields.object,
  applicationId: AuditContent.fields.applicationId,
  environmentId: AuditContent.fields.environmentId,
  reason: AuditContent.fields.reason,
  outcome: AuditContent.fields.outcome.annotations({
    description: "`unknown`: the server stopped before it could say whether the change was made"
  }),
  changes: Schema.Array(
    AuditChange.annotations({
      identifier: "AuditChange",
      description:
        "A value as JSON text before and after the change; null where there was none. Secrets are hidden, long values cut"
    })
  ),
  moreChanges: AuditContent.fields.moreChanges,
  hash: Schema.String
}).annotations({ identifier: "AuditRecord" })
export type AuditRecord = typeof AuditRecord.Type

export const AuditPage = Page(AuditRecord).annotations({ identifier: "AuditPage" })
export type AuditPage = typeof AuditPage.Type

export const AuditQuery = Schema.Struct({
  userId: optional(UserId),
  operation: optional(text(1, 100)),
  kind: optional(text(1, 100)),
  objectId: optional(text(1, 256)),
  applicationId: optional(numeric(ApplicationId)),
  from: optional(Instant),
  to: optional(Instant),
  ...Paging.fields
})
export type AuditQuery = typeof AuditQuery.Type

export const AuditVerification = Schema.Struct({
  intact: Schema.Boolean,
  first: Schema.Int.annotations({ description: "The number of the oldest entry that is kept" }),
  last: Schema.Int,
  lastHash: Schema.String.annotations({
    description: "The hash of the newest entry: kept elsewhere, it shows later that nothing before it was rewritten"
  }),
  flaw: Schema.NullOr(Schema.Struct({ kind: Schema.Literal("changed", "missing"), number: Schema.Int }))
}).annotations({ identifier: "AuditVerification" })
export type AuditVerification = typeof AuditVerification.Type

export class AuditGroup extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list")`/organization/${organizationId}/audit-log`
      .setUrlParams(AuditQuery)
      .addSuccess(AuditPage)
      .addError(CursorInvalid)
      .annotateContext(requires("audit:read", "organization", "A token must cover all projects."))
      .annotate(OpenApi.Summary, "Who changed what, newest first")
      .annotate(
        OpenApi.Description,
        "Every request that changes something leaves one entry before it is answered. A request may say why in the header `X-Change-Reason`, of at most 500 characters."
      )
  )
  .add(
    HttpApiEndpoint.get("verify")`/organization/${organizationId}/audit-log/verification`
      .addSuccess(AuditVerification)
      .annotateContext(requires("audit:read", "organization", "A token must cover all projects."))
      .annotate(OpenApi.Summary, "Whether the log is as it was written: each entry carries the hash of the one before")
  )
  .addError(Forbidden)
  .addError(OrganizationNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Audit log")
  .annotate(OpenApi.Description, "What was changed in an organization, by whom, when and why.") {}

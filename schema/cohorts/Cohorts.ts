import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BodyLimit, bodyOfLongList } from "../BodyLimit.ts"
import { ApplicationId, CohortId, EnvironmentId } from "../../src/domain/Ids.ts"
import { Overloaded, StorageFull } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden, TimeZoneUnknown } from "../access/AccessErrors.ts"
import {
  FormulaInvalid,
  HeatmapNotFound,
  QueryInvalid,
  QueryLimitExceeded,
  QueryTimeout,
  ReferenceInvalid,
  TimeRangeInvalid,
  TooManyQueries
} from "../analytics/AnalyticsErrors.ts"
import {
  CohortChanged,
  CohortCycle,
  CohortInUse,
  CohortLimitReached,
  CohortNameTaken,
  CohortNotFound
} from "./CohortErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { CohortDefinition, lapsedSpenders } from "./CohortDefinition.ts"
import { CohortChange, CohortRequest } from "./CohortRequests.ts"
import { CohortUsage, CohortUse } from "./CohortUsage.ts"
import { Instant } from "../Instant.ts"
import { Creator } from "../access/KeyRecord.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, cohortId, EnvironmentHeader, Page, Paging } from "../Parameters.ts"
import { requires } from "../access/RequiredPermission.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

export const CohortRecord = Schema.Struct({
  id: CohortId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  kind: oneOf("dynamic", "static"),
  definition: Schema.NullOr(CohortDefinition),
  status: oneOf("ready", "computing", "failed"),
  memberCount: Schema.Int,
  computedAt: Schema.NullOr(Schema.DateTimeUtc),
  error: Schema.NullOr(Schema.String),
  createdBy: Schema.NullOr(Creator),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Cohort", description: "The definition of a static cohort is null" })
export type CohortRecord = typeof CohortRecord.Type

export const ExecuteCohort = Schema.Struct({
  definition: CohortDefinition,
  limit: withDefault(Schema.Int.pipe(Schema.between(0, 1000)), 100)
})
  .annotations({ identifier: "ExecuteCohort" })
  .pipe(example({ definition: lapsedSpenders, limit: 20 }))
export type ExecuteCohort = typeof ExecuteCohort.Type

export const CohortExecuted = Schema.Struct({
  count: Schema.Int,
  sample: Schema.Array(Schema.String),
  asOf: Schema.DateTimeUtc
}).annotations({ identifier: "CohortExecuted" })
export type CohortExecuted = typeof CohortExecuted.Type

export const MemberCount = Schema.Struct({ count: Schema.Int, asOf: Schema.DateTimeUtc }).annotations({
  identifier: "CohortMemberCount"
})
export type MemberCount = typeof MemberCount.Type

export const CohortMember = Schema.Struct({ unitId: Schema.String, enteredAt: Schema.DateTimeUtc }).annotations({
  identifier: "CohortMember"
})
export type CohortMember = typeof CohortMember.Type

export const CohortMemberPage = Page(CohortMember).annotations({ identifier: "CohortMemberPage" })
export type CohortMemberPage = typeof CohortMemberPage.Type

export const CohortMembership = Schema.Struct({
  userId: Schema.String,
  isMember: Schema.Boolean,
  enteredAt: Schema.NullOr(Schema.DateTimeUtc),
  leftAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "CohortMembership" })
export type CohortMembership = typeof CohortMembership.Type

const At = Schema.Struct({ at: optional(Instant) })

export class CohortsGroup extends HttpApiGroup.make("cohorts")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/analytics/v1/cohorts`
      .setHeaders(EnvironmentHeader)
      .addSuccess(Schema.Array(CohortRecord))
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "All cohorts of the environment")
  )
  .add(
    HttpApiEndpoint.get("usages")`/application/${applicationId}/analytics/v1/cohorts/usage`
      .setHeaders(EnvironmentHeader)
      .addSuccess(Schema.Array(CohortUse))
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "What uses each cohort of the environment, and its sizes of 90 days")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/analytics/v1/cohorts`
      .setHeaders(EnvironmentHeader)
      .setPayload(CohortRequest)
      .addSuccess(CohortRecord, { status: 201 })
      .addError(CohortNameTaken)
      .addError(CohortLimitReached)
      .addError(FormulaInvalid)
      .addError(HeatmapNotFound)
      .addError(TimeZoneUnknown)
      .addError(QueryInvalid)
      .addError(ReferenceInvalid)
      .addError(TimeRangeInvalid)
      .addError(QueryLimitExceeded)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .addError(StorageFull)
      .annotateContext(requires("cohorts:write", "environment"))
      .annotate(BodyLimit, bodyOfLongList)
      .annotate(OpenApi.Summary, "Create a cohort; its members are computed in the background")
  )
  .add(
    HttpApiEndpoint.post("execute")`/application/${applicationId}/analytics/v1/cohorts/execute`
      .setHeaders(EnvironmentHeader)
      .setPayload(ExecuteCohort)
      .addSuccess(CohortExecuted)
      .addError(QueryInvalid)
      .addError(ReferenceInvalid)
      .addError(TimeRangeInvalid)
      .addError(QueryLimitExceeded)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "Count and sample the members of a definition without keeping it")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}`
      .setHeaders(EnvironmentHeader)
      .addSuccess(CohortRecord)
      .addError(CohortNotFound)
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "A cohort")
  )
  .add(
    HttpApiEndpoint.put("update")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}`
      .setHeaders(EnvironmentHeader)
      .setPayload(CohortChange)
      .addSuccess(CohortRecord)
      .addError(CohortNotFound)
      .addError(CohortChanged)
      .addError(CohortNameTaken)
      .addError(CohortLimitReached)
      .addError(CohortCycle)
      .addError(QueryInvalid)
      .addError(ReferenceInvalid)
      .addError(TimeRangeInvalid)
      .addError(QueryLimitExceeded)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .addError(StorageFull)
      .annotateContext(requires("cohorts:write", "environment"))
      .annotate(BodyLimit, bodyOfLongList)
      .annotate(OpenApi.Summary, "Replace a cohort; its members are computed anew")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}`
      .setHeaders(EnvironmentHeader)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(CohortNotFound)
      .addError(CohortInUse)
      .annotateContext(requires("cohorts:write", "environment"))
      .annotate(OpenApi.Summary, "Delete a cohort that no scheduled or active experiment targets")
  )
  .add(
    HttpApiEndpoint.get("memberCount")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}/member-count`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(At)
      .addSuccess(MemberCount)
      .addError(CohortNotFound)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "How many members a cohort has, or had at an instant")
  )
  .add(
    HttpApiEndpoint.get("members")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}/members`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Schema.Struct({ ...Paging.fields, ...At.fields }))
      .addSuccess(CohortMemberPage)
      .addError(CohortNotFound)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "Members of a cohort, now or at an instant")
  )
  .add(
    HttpApiEndpoint.get("membership")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}/membership`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Schema.Struct({ userId: text(1, 256), ...At.fields }))
      .addSuccess(CohortMembership)
      .addError(CohortNotFound)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "Whether a user is a member")
  )
  .add(
    HttpApiEndpoint.get("usage")`/application/${applicationId}/analytics/v1/cohorts/${cohortId}/usage`
      .setHeaders(EnvironmentHeader)
      .addSuccess(CohortUsage)
      .addError(CohortNotFound)
      .annotateContext(requires("cohorts:read", "environment"))
      .annotate(OpenApi.Summary, "Experiments and saved queries that use the cohort, and its membership history")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Cohorts")
  .annotate(OpenApi.Description, "Sets of units by what they are and did, or by a list.") {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import type { ImportedAssignment } from "./AssignmentRecord.ts"
import {
  AssignedUnit,
  AssignmentList,
  AssignmentRecord,
  AssignmentsImported,
  AssignmentsQuery,
  SetAssignment
} from "./AssignmentRecord.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { ReferenceInvalid } from "../analytics/AnalyticsErrors.ts"
import {
  AssignmentNotFound,
  ExperimentEnded,
  ExperimentIsDraft,
  ExperimentNotFound,
  UnitExcluded
} from "./ExperimentErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { applicationId, experimentId, OptionalEnvironmentHeader } from "../Parameters.ts"
import { jsonLines, RawBody } from "../RawBody.ts"
import { requires } from "../access/RequiredPermission.ts"

const imported = { $ref: "#/components/schemas/ImportedAssignment" }

const someAssignments: ReadonlyArray<typeof ImportedAssignment.Encoded> = [
  { distinctId: "48213377", groupId: 1, at: "2026-11-20T12:00:00Z" },
  { distinctId: "91022845", groupId: 2 }
]

export class AssignmentsGroup extends HttpApiGroup.make("assignments")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/v2/experiments/${experimentId}/assignments`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(AssignmentsQuery)
      .addSuccess(AssignmentList)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Assignments of the experiment, unenrolled ones too")
  )
  .add(
    HttpApiEndpoint.post("set")`/application/${applicationId}/v2/experiments/${experimentId}/assignments`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(SetAssignment)
      .addSuccess(AssignmentRecord)
      .addError(ReferenceInvalid)
      .addError(AssignmentNotFound)
      .addError(ExperimentEnded)
      .addError(UnitExcluded)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Put a unit into a group by hand, or clear that again")
  )
  .add(
    HttpApiEndpoint.post(
      "reactivate"
    )`/application/${applicationId}/v2/experiments/${experimentId}/assignments/reactivate`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(AssignedUnit)
      .addSuccess(AssignmentRecord)
      .addError(AssignmentNotFound)
      .addError(ExperimentEnded)
      .addError(UnitExcluded)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Enrol an unenrolled unit again, in the group it had")
  )
  .add(
    HttpApiEndpoint.post("unenroll")`/application/${applicationId}/v2/experiments/${experimentId}/assignments/unenroll`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(AssignedUnit)
      .addSuccess(AssignmentRecord)
      .addError(AssignmentNotFound)
      .addError(ExperimentEnded)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Take a unit out of the experiment")
  )
  .add(
    HttpApiEndpoint.post("import")`/application/${applicationId}/v2/experiments/${experimentId}/assignments/import`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(AssignmentsImported)
      .addError(ExperimentEnded)
      .annotate(RawBody, true)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Back-fill up to 10000 manual assignments, as a JSON array or NDJSON")
      .annotate(OpenApi.Override, {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "array", items: imported, maxItems: 10_000 },
              example: someAssignments
            },
            "application/x-ndjson": jsonLines("assignment", someAssignments)
          }
        }
      })
  )
  .add(
    HttpApiEndpoint.get("members")`/application/${applicationId}/v2/experiments/${experimentId}/members`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(AssignmentsQuery)
      .addSuccess(AssignmentList)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Units enrolled in the experiment")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .addError(ExperimentNotFound)
  .addError(ExperimentIsDraft)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Assignments")
  .annotate(OpenApi.Description, "Which unit is in which group of an experiment.") {}

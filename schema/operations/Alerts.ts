import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AlertId } from "../../src/domain/Ids.ts"
import { mostAlerts } from "../../src/domain/operations/alerts/Alert.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { basedOn } from "../BasedOn.ts"
import { requires, requiresAll } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"
import { Failure } from "../Failure.ts"
import { Instant } from "../Instant.ts"
import { optional, withDefault } from "../Optional.ts"
import { anyCase, applicationId, EnvironmentHeader, Paging } from "../Parameters.ts"
import { CursorInvalid, Overloaded } from "../RequestErrors.ts"
import { Description, text, Title } from "../Text.ts"
import { AlertPreview, AlertRecord, AlertState, IncidentPage } from "./AlertRecord.ts"
import { AlertWatch } from "./AlertWatch.ts"

export class AlertNotFound extends Failure<AlertNotFound>()(
  "ALERT_NOT_FOUND",
  404,
  "The environment has no such alert."
) {}
export class AlertChanged extends Failure<AlertChanged>()(
  "ALERT_CHANGED",
  409,
  "Somebody has changed the alert since the state on which the request is based."
) {}
export class AlertLimitReached extends Failure<AlertLimitReached>()(
  "ALERT_LIMIT_REACHED",
  409,
  `The environment has ${mostAlerts} alerts.`
) {}
export class AlertWatchInvalid extends Failure<AlertWatchInvalid>()(
  "ALERT_WATCH_INVALID",
  422,
  "What the alert is to watch is not there, or cannot be watched in that way."
) {}
export class IncidentMissing extends Failure<IncidentMissing>()(
  "ALERT_NOT_FIRED",
  409,
  "The alert has no open incident that could be acknowledged."
) {}
export class AlertUnjudged extends Failure<AlertUnjudged>()(
  "ALERT_UNJUDGED",
  409,
  "The alert cannot be judged now; the message says why."
) {}

export const alertId = HttpApiSchema.param("alertId", anyCase(AlertId))

const purchases = {
  kind: "query",
  queryId: "0198c2a4-5b7e-4c1d-9a3f-6e2b8d4f1a70",
  every: "hour",
  condition: { kind: "change", direction: "drop", percent: 20 }
} as const

const fields = {
  name: Title,
  description: withDefault(Schema.NullOr(Description), null),
  watch: AlertWatch,
  delayMinutes: withDefault(Schema.Int.pipe(Schema.between(0, 1440)), 15).annotations({
    description: "So long after its end a window is looked at, since markers arrive late"
  }),
  isActive: withDefault(Schema.Boolean, true)
}

export const AlertDefinition = Schema.Struct(fields)
  .annotations({ identifier: "AlertDefinition" })
  .pipe(example({ name: "Fewer purchases", watch: { kind: "silence", names: "ItemBought", minutes: 60 } }))
export type AlertDefinition = typeof AlertDefinition.Type

export const ReplaceAlert = Schema.Struct({ ...fields, basedOn })
  .annotations({ identifier: "ReplaceAlert" })
  .pipe(example({ name: "Fewer purchases", watch: { kind: "silence", names: "ItemBought", minutes: 90 } }))
export type ReplaceAlert = typeof ReplaceAlert.Type

export const AlertQuestion = Schema.Struct({ watch: AlertWatch, delayMinutes: fields.delayMinutes })
  .annotations({ identifier: "AlertQuestion" })
  .pipe(example({ watch: purchases }))
export type AlertQuestion = typeof AlertQuestion.Type

export const MuteAlert = Schema.Struct({
  until: Schema.NullOr(Instant).annotations({ description: "null: it is muted no more" })
})
  .annotations({ identifier: "MuteAlert" })
  .pipe(example({ until: "2099-01-01T00:00:00.000Z" }))
export type MuteAlert = typeof MuteAlert.Type

export const AcknowledgeAlert = Schema.Struct({ note: optional(Schema.NullOr(text(0, 500))) })
  .annotations({ identifier: "AcknowledgeAlert" })
  .pipe(example({ note: "The shop is closed for the update" }))
export type AcknowledgeAlert = typeof AcknowledgeAlert.Type

/** What it takes to read whatever is watched. */
export const reading = ["analytics:read", "experiments:read", "cohorts:read"] as const

export class AlertsGroup extends HttpApiGroup.make("alerts")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/alerts`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Schema.Struct({ state: optional(AlertState) }))
      .addSuccess(Schema.Array(AlertRecord))
      .annotateContext(requires("alerts:read", "environment"))
      .annotate(OpenApi.Summary, "Alerts of the environment, oldest first")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/alerts`
      .setHeaders(EnvironmentHeader)
      .setPayload(AlertDefinition)
      .addSuccess(AlertRecord, { status: 201 })
      .addError(AlertLimitReached)
      .addError(AlertWatchInvalid)
      .annotateContext(requiresAll(["alerts:write", ...reading], "environment"))
      .annotate(OpenApi.Summary, "Create an alert")
  )
  .add(
    HttpApiEndpoint.post("preview")`/application/${applicationId}/alert-preview`
      .setHeaders(EnvironmentHeader)
      .setPayload(AlertQuestion)
      .addSuccess(AlertPreview)
      .addError(AlertUnjudged)
      .addError(AlertWatchInvalid)
      .addError(Overloaded)
      .annotateContext(requiresAll(["alerts:read", ...reading], "environment"))
      .annotate(OpenApi.Summary, "What an alert would have found; nobody is told")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/alerts/${alertId}`
      .setHeaders(EnvironmentHeader)
      .addSuccess(AlertRecord)
      .addError(AlertNotFound)
      .annotateContext(requires("alerts:read", "environment"))
      .annotate(OpenApi.Summary, "One alert")
  )
  .add(
    HttpApiEndpoint.put("update")`/application/${applicationId}/alerts/${alertId}`
      .setHeaders(EnvironmentHeader)
      .setPayload(ReplaceAlert)
      .addSuccess(AlertRecord)
      .addError(AlertNotFound)
      .addError(AlertChanged)
      .addError(AlertWatchInvalid)
      .annotateContext(requiresAll(["alerts:write", ...reading], "environment"))
      .annotate(OpenApi.Summary, "Replace an alert; watching something else, it begins anew and its incident ends")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/alerts/${alertId}`
      .setHeaders(EnvironmentHeader)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(AlertNotFound)
      .annotateContext(requires("alerts:write", "environment"))
      .annotate(OpenApi.Summary, "Remove an alert and its incidents")
  )
  .add(
    HttpApiEndpoint.post("mute")`/application/${applicationId}/alerts/${alertId}/mute`
      .setHeaders(EnvironmentHeader)
      .setPayload(MuteAlert)
      .addSuccess(AlertRecord)
      .addError(AlertNotFound)
      .annotateContext(requires("alerts:write", "environment"))
      .annotate(OpenApi.Summary, "Tell nobody until then; it is judged and its incidents are kept")
  )
  .add(
    HttpApiEndpoint.post("acknowledge")`/application/${applicationId}/alerts/${alertId}/acknowledge`
      .setHeaders(EnvironmentHeader)
      .setPayload(AcknowledgeAlert)
      .addSuccess(AlertRecord)
      .addError(AlertNotFound)
      .addError(IncidentMissing)
      .annotateContext(requires("alerts:write", "environment"))
      .annotate(OpenApi.Summary, "Say that somebody looks after the open incident")
  )
  .add(
    HttpApiEndpoint.get("incidents")`/application/${applicationId}/alerts/${alertId}/incidents`
      .setHeaders(EnvironmentHeader)
      .setUrlParams(Paging)
      .addSuccess(IncidentPage)
      .addError(AlertNotFound)
      .addError(CursorInvalid)
      .annotateContext(requires("alerts:read", "environment"))
      .annotate(OpenApi.Summary, "Incidents of the alert in the last year, newest first")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Alerts")
  .annotate(
    OpenApi.Description,
    "Watch saved questions, funnels, markers, experiments and cohorts, and tell webhooks when something is not as it should be."
  ) {}

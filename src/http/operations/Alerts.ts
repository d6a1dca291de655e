import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { AlertRecord } from "../../../schema/operations/AlertRecord.ts"
import { AlertPreviews } from "../../services/operations/AlertPreviews.ts"
import { Alerts } from "../../services/operations/Alerts.ts"
import { whereOf } from "../Address.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(AlertRecord)

export const AlertsHttp = HttpApiBuilder.group(Api, "alerts", (handlers) =>
  Effect.map(Effect.all([Alerts, AlertPreviews]), ([alerts, previews]) =>
    handlers
      .handle("list", (request) => answer(alerts.list(whereOf(request), request.urlParams.state)))
      .handle("create", (request) => alerts.create(whereOf(request), request.payload))
      .handle("preview", (request) => previews.preview(whereOf(request), request.payload))
      .handle("get", (request) => alerts.get(whereOf(request), request.path.alertId))
      .handle("update", (request) => alerts.update(whereOf(request), request.path.alertId, request.payload))
      .handle("remove", (request) => alerts.remove(whereOf(request), request.path.alertId))
      .handle("mute", (request) => alerts.mute(whereOf(request), request.path.alertId, request.payload))
      .handle("acknowledge", (request) => alerts.acknowledge(whereOf(request), request.path.alertId, request.payload))
      .handle("incidents", (request) => alerts.incidents(whereOf(request), request.path.alertId, request.urlParams))
  )
)

import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { ServerAlerts } from "../../services/operations/ServerAlerts.ts"

export const ServerHttp = HttpApiBuilder.group(Api, "server", (handlers) =>
  Effect.map(ServerAlerts, (alerts) => handlers.handle("status", () => alerts.status()))
)

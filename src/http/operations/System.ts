import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Readiness } from "../../../schema/operations/System.ts"
import { System } from "../../services/operations/System.ts"
import { alive } from "./VitalAnswers.ts"

export const SystemHttp = HttpApiBuilder.group(Api, "system", (handlers) =>
  Effect.map(System, (system) =>
    handlers
      .handle("health", () => Effect.succeed(alive))
      .handle("ready", () =>
        Effect.flatMap(system.readiness, (readiness) =>
          Effect.orDie(
            HttpServerResponse.schemaJson(Readiness)(readiness, {
              status: readiness.status === "unavailable" ? 503 : 200
            })
          )
        )
      )
      .handle("version", () => Effect.succeed(system.version))
  )
)

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { requiresNone } from "../access/RequiredPermission.ts"

export const Health = Schema.Struct({ status: Schema.Literal("ok") }).annotations({ identifier: "Health" })

export const Readiness = Schema.Struct({
  status: Schema.Literal("ready", "unavailable"),
  stores: Schema.Struct({ metadata: Schema.Boolean, events: Schema.Boolean })
}).annotations({ identifier: "Readiness" })

export const Version = Schema.Struct({
  name: Schema.Literal("gamekeeper"),
  version: Schema.String,
  node: Schema.String
}).annotations({ identifier: "Version" })

export class SystemGroup extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health")
      .addSuccess(Health)
      .annotateContext(requiresNone("It tells nothing of any organization."))
      .annotate(OpenApi.Summary, "The process is alive")
  )
  .add(
    HttpApiEndpoint.get("ready", "/ready")
      .addSuccess(Readiness)
      .annotateContext(requiresNone("It tells nothing of any organization."))
      .annotate(OpenApi.Summary, "The stores accept writes; 503 while they do not")
  )
  .add(
    HttpApiEndpoint.get("version", "/version")
      .addSuccess(Version)
      .annotateContext(requiresNone("It tells nothing of any organization."))
      .annotate(OpenApi.Summary, "What runs here")
  )
  .annotate(OpenApi.Title, "System")
  .annotate(OpenApi.Description, "Whether the server lives and works, and what runs.") {}
